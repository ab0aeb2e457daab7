"""The edges of everything the engine offers: kinds of arrays, sizes, and what is left untouched."""

import doctest
import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import engine
from engine import (
    HeadWeights,
    attend,
    attend_heads,
    attend_tiled,
    contributions,
    convex_hull,
    in_their_plane,
    join_heads,
    leave_one_out,
    log_sum_exp,
    padding_mask,
    project,
    sensitivity,
    softmax,
    softmax_jacobian,
    split_heads,
    walk_tiles,
    winning_word,
)

Array = NDArray[Any]
ATTENTION_STEPS = ("scores", "scaled", "masked", "exp", "total", "weights", "output")


def every_step(*vectors: Array, **options: Any) -> list[Array]:
    attention = attend(*vectors, **options)
    return [getattr(attention, name) for name in ATTENTION_STEPS]


def every_tile(*vectors: Array, **options: Any) -> list[Array]:
    steps = list(walk_tiles(*vectors, tile=(2, 2), **options))
    return [array for s in steps for array in (s.scores, s.maximum, s.total, s.output)]


def two_heads(x: Array, *matrices: Array, **options: Any) -> list[Array]:
    made = attend_heads(x, HeadWeights(*matrices, heads=2), **options)
    return [made.joined, made.output, made.head(1).weights]


# What takes arrays of numbers: how to call it, and the shapes of what it takes.
VECTORS = ((4, 2), (6, 2), (6, 4))
CALLS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "attend": (every_step, VECTORS),
    "attend_tiled": (attend_tiled, VECTORS),
    "attend_tiled in tiles": (lambda *v, **o: attend_tiled(*v, tile=(2, 2), **o), VECTORS),
    "attend_tiled on threads": (attend_tiled, ((300, 2), (200, 2), (200, 4))),
    "walk_tiles": (every_tile, VECTORS),
    "attend_heads": (two_heads, ((4, 6), (6, 4), (6, 4), (6, 2), (2, 6))),
    "softmax": (softmax, ((4, 6),)),
    "softmax of columns": (lambda scores: softmax(scores, axis=0), ((4, 6),)),
    "log_sum_exp": (log_sum_exp, ((4, 6),)),
    "softmax_jacobian": (softmax_jacobian, ((4, 6),)),
    "contributions": (lambda *v, **o: contributions(attend(*v, **o)), VECTORS),
    "leave_one_out": (lambda *v, **o: leave_one_out(attend(*v, **o)), VECTORS),
    "sensitivity": (lambda *v, **o: sensitivity(attend(*v, **o)), VECTORS),
    "project": (project, ((4, 6), (6,))),
    "convex_hull": (convex_hull, ((8, 2),)),
    "in_their_plane": (in_their_plane, ((6,), (6,))),
    "winning_word": (winning_word, ((4, 2), (6, 2))),
    "split_heads": (lambda vectors: split_heads(vectors, 2), ((4, 6),)),
    "join_heads": (join_heads, ((2, 4, 6),)),
}  # fmt: skip
MASKED = ("attend", "attend_tiled", "attend_tiled in tiles", "walk_tiles", "contributions",
          "leave_one_out", "sensitivity", "winning_word")  # fmt: skip

each_call = pytest.mark.parametrize("name", CALLS)


def some(shapes: tuple[tuple[int, ...], ...]) -> list[Array]:
    """Whole numbers from 0 to 3, which every type of number can hold."""
    rng = np.random.default_rng(0)
    return [rng.integers(0, 4, shape).astype(float) for shape in shapes]


def as_list(result: Any) -> list[Array]:
    return list(result) if isinstance(result, list | tuple) else [result]


def strided(array: Array) -> Array:
    room = np.zeros([2 * size for size in array.shape])
    view = room[tuple(slice(None, None, 2) for _ in array.shape)]
    view[...] = array
    return view


KINDS: dict[str, Callable[[Array], Any]] = {
    "every other": strided,
    "backwards": lambda array: np.flip(np.flip(array).copy()),
    "by columns": np.asfortranarray,
    "int64": lambda array: array.astype(np.int64),
    "int8": lambda array: array.astype(np.int8),
    "uint8": lambda array: array.astype(np.uint8),
    "float16": lambda array: array.astype(np.float16),
    "big-endian": lambda array: array.astype(">f8"),
    "lists": lambda array: array.tolist(),
}


ARGUMENTS = {
    "attend": ("query", "key", "value"),
    "attend_tiled": ("query", "key", "value"),
    "walk_tiles": ("query", "key", "value"),
    "attend_heads": ("x", "w_query", "w_key", "w_value", "w_output"),
    "softmax": ("scores",),
    "log_sum_exp": ("scores",),
    "softmax_jacobian": ("weights",),
    "project": ("key", "query"),
    "convex_hull": ("points",),
    "in_their_plane": ("query", "key"),
    "winning_word": ("queries", "key"),
    "split_heads": ("vectors",),
    "join_heads": ("vectors",),
}
each_argument = pytest.mark.parametrize(
    ("name", "place"), [(name, i) for name, of in ARGUMENTS.items() for i in range(len(of))]
)


@each_argument
def test_what_is_no_real_number_is_refused_by_its_arguments_name(name: str, place: int) -> None:
    call, shapes = CALLS[name]
    arrays = some(shapes)
    arrays[place] = arrays[place] * 1j
    with pytest.raises(ValueError, match=f"^{ARGUMENTS[name][place]} must be of real numbers"):
        call(*arrays)


@each_argument
def test_one_float64_among_float32_makes_the_result_float64(name: str, place: int) -> None:
    call, shapes = CALLS[name]
    arrays = [array.astype(np.float64 if i == place else np.float32)
              for i, array in enumerate(some(shapes))]  # fmt: skip
    for one, other in zip(as_list(call(*arrays)), as_list(call(*some(shapes))), strict=True):
        assert one.dtype == other.dtype


@each_call
@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_numbers_gives_what_plain_float64_gives(name: str, kind: str) -> None:
    call, shapes = CALLS[name]
    plain = some(shapes)
    expected, found = as_list(call(*plain)), as_list(call(*map(KINDS[kind], plain)))
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@each_call
def test_float32_stays_float32(name: str) -> None:
    call, shapes = CALLS[name]
    plain = some(shapes)
    expected = as_list(call(*plain))
    found = as_list(call(*(array.astype(np.float32) for array in plain)))
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == (np.float32 if other.dtype == np.float64 else other.dtype)
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@each_call
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_handed_in_is_never_written_to(name: str, dtype: type) -> None:
    call, shapes = CALLS[name]
    given = [array.astype(dtype) for array in some(shapes)]
    before = [array.copy() for array in given]
    for array in given:
        array.flags.writeable = False
    call(*given)
    for array, was in zip(given, before, strict=True):
        np.testing.assert_array_equal(array, was)


@pytest.mark.parametrize("name", MASKED)
def test_a_mask_is_never_written_to(name: str) -> None:
    call, shapes = CALLS[name]
    mask = np.random.default_rng(0).random((4, 6)) < 0.5
    was = mask.copy()
    mask.flags.writeable = False
    call(*some(shapes), mask=mask)
    np.testing.assert_array_equal(mask, was)


@pytest.mark.case(9)
@pytest.mark.parametrize("name", MASKED)
def test_where_all_is_hidden_nothing_is_nan(name: str) -> None:
    call, shapes = CALLS[name]
    for result in as_list(call(*some(shapes), mask=np.zeros((4, 6), bool))):
        assert not np.isnan(result).any()


@pytest.mark.case(8)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e4, -1e4, 1e-30])
@each_call
def test_scores_huge_and_tiny_give_finite_numbers_and_no_warning(
    name: str, dtype: type, size: float
) -> None:
    call, shapes = CALLS[name]
    first, *rest = (array.astype(dtype) for array in some(shapes))
    for result in as_list(call(first * dtype(size), *rest)):
        assert np.isfinite(result).all()


@pytest.mark.case(8)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e4, -1e4, 1e-30])
@pytest.mark.parametrize("call", [
    lambda *v: attend(*v, scale=1.0).output,
    lambda *v: attend_tiled(*v, scale=1.0),
    lambda *v: attend_tiled(*v, scale=1.0, tile=(2, 2)),
])  # fmt: skip
def test_scores_huge_and_tiny_give_what_longer_numbers_give(
    call: Callable[..., Array], dtype: type, size: float
) -> None:
    rng = np.random.default_rng(0)
    query = rng.choice([-1.0, 1.0], (5, 1))
    key, value = size * (1 - rng.integers(0, 4, (7, 1)) / 4096), rng.normal(size=(7, 3))
    query, key, value = (array.astype(dtype) for array in (query, key, value))
    scores = query.astype(np.longdouble) @ key.astype(np.longdouble).T
    exp = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = exp @ value / exp.sum(axis=1, keepdims=True)
    slack = abs(size) * 4 * np.finfo(dtype).eps
    np.testing.assert_allclose(
        call(query, key, value),
        expected.astype(dtype),
        rtol=0,
        atol=10 * np.finfo(dtype).eps + slack,
    )


SHAPES = [(0, 3, 2), (3, 0, 2), (0, 0, 1), (1, 1, 1), (1, 3, 1), (3, 1, 1)]  # n, m, d


@pytest.mark.parametrize(("n", "m", "d"), SHAPES)
def test_no_words_one_word_and_one_number_have_the_shapes_promised(n: int, m: int, d: int) -> None:
    query, key, value = np.ones((n, d)), np.ones((m, d)), np.ones((m, 2))
    a = attend(query, key, value)
    assert (a.scores.shape, a.total.shape, a.output.shape) == ((n, m), (n,), (n, 2))
    for output in (
        a.output, attend_tiled(query, key, value), attend_tiled(query, key, value, tile=(2, 2)),
    ):  # fmt: skip
        np.testing.assert_array_equal(output, np.full((n, 2), float(m > 0)))
    assert len(list(walk_tiles(query, key, value, tile=(2, 2)))) == -(-n // 2) * -(-m // 2)
    assert contributions(a).shape == leave_one_out(a).shape == (n, m, 2)
    assert sensitivity(a).shape == softmax_jacobian(a.weights).shape == (n, m, m)
    assert (softmax(a.scores).shape, log_sum_exp(a.scores).shape) == ((n, m), (n,))
    assert [array.shape for array in winning_word(query, key)] == [(n,), (n,)]
    assert project(key, np.ones(d)).shape == (m, d)
    assert len(convex_hull(np.ones((m, 2)))) == min(m, 1)
    assert padding_mask([m] * n, m).shape == (n, 1, m)
    matrices = np.ones((d, 2)), np.ones((d, 2)), np.ones((d, 2)), np.ones((2, d))
    assert attend_heads(query, HeadWeights(*matrices, heads=2)).output.shape == (n, d)


# The room as a whole


def functions() -> list[str]:
    return [name for name in engine.__all__ if inspect.isroutine(getattr(engine, name))]


def test_what_is_offered_is_there_and_in_order() -> None:
    assert engine.__all__ == sorted(set(engine.__all__))
    assert all(hasattr(engine, name) for name in engine.__all__)


@pytest.mark.parametrize("name", engine.__all__)
def test_everything_offered_says_what_it_is(name: str) -> None:
    made = getattr(engine, name)
    said = inspect.getdoc(made) or ""
    assert said
    assert not said.startswith(f"{name}(")  # what a dataclass says of itself when nobody else does


@pytest.mark.parametrize("name", sorted(set(functions()) - {*(f.__name__ for f in (
    contributions, leave_one_out, sensitivity, walk_tiles,
))}))  # fmt: skip
def test_every_function_that_may_refuse_says_so(name: str) -> None:
    """Three take an Attention, which fits already; walk_tiles points at attend_tiled."""
    assert (
        "ValueError" in getattr(engine, name).__doc__
        or "SentenceError" in getattr(engine, name).__doc__
    )


@pytest.mark.parametrize("name", functions())
def test_every_argument_and_result_has_a_type(name: str) -> None:
    signature = inspect.signature(getattr(engine, name))
    types = [p.annotation for p in signature.parameters.values()] + [signature.return_annotation]
    assert inspect.Signature.empty not in types


def test_the_example_in_the_rooms_docstring_is_true() -> None:
    assert doctest.testmod(engine).attempted == 2
    assert doctest.testmod(engine).failed == 0


def test_importing_the_engine_loads_numpy_msgspec_threadpoolctl_and_nothing_else() -> None:
    """Nothing that draws, above all: only the standard library and these come with it."""
    program = (
        "import sys\nbefore = set(sys.modules)\nimport engine\n"
        "rooms = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(rooms - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(root())!r})\n{program}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = set(done.stdout.split()) - {"org"}  # copy asks for Jython's
    assert found <= {"engine", "numpy", "msgspec", "threadpoolctl", "typing_extensions"}
    assert {"engine", "numpy"} <= found


def root() -> Path:
    return Path(engine.__file__).parents[1]
