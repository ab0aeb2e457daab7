"""Scene 12 counts cells and bytes as engine.growth does."""

import msgspec
import numpy as np
import pytest

from engine import attention_of
from engine.growth import growth
from engine.notation import write_share
from scenes.grid_growth import HEADS, LAYERS, TOKENS, WIDTH, GridGrowth
from scenes.parts.growth_chart import in_binary
from scenes.parts.number import Number, read_back

POINTS_OF_A_BOX = 4 * 4
MASKED = ((True, False, True, True),) * 4


def figures(row):
    """The numbers of a table's row, read back from their outlines."""
    return [read_back(p.points) for p in row.get_family() if isinstance(p, Number)]


@pytest.mark.parametrize("which", ["post", "random_sentence"])
def test_the_first_grid_holds_the_engines_weights(which, request, run_scene):
    sentence = request.getfixturevalue(which)
    scene = run_scene(GridGrowth, sentence)
    expected = [write_share(float(w)) for w in attention_of(sentence).weights.flat]
    assert [read_back(number.points) for number in scene.numbers] == expected


def test_a_masked_cell_has_neither_number_nor_fill(post, run_scene):
    scene = run_scene(GridGrowth, msgspec.structs.replace(post, mask=MASKED))
    assert len(scene.numbers) == 12
    corners = sum(len(shape.points) for shape in scene.nest.cells)
    assert corners == 12 * POINTS_OF_A_BOX


def test_every_doubling_is_counted_to_a_thousand_and_twenty_four(post, run_scene):
    scene = run_scene(GridGrowth, post)
    sizes = [4 * 2**k for k in range(9)]
    expected = [[f"{n:,}", f"{growth(n, WIDTH).cells:,}"] for n in sizes]
    assert [figures(row) for row in scene.ledger.rows] == expected


def test_bytes_are_the_engines(post, run_scene):
    scene = run_scene(GridGrowth, post)
    costs = [growth(n, WIDTH) for n in TOKENS]
    expected = [
        [f"{c.n:,}", in_binary(c.grid_bytes)[0], in_binary(c.vector_bytes)[0]] for c in costs
    ]
    assert [figures(row) for row in scene.bytes.rows[:3]] == expected
    every = growth(TOKENS[1], WIDTH, heads=HEADS, layers=LAYERS)
    assert figures(scene.bytes.rows[3]) == ["48", in_binary(every.all_grid_bytes)[0]]


def test_the_known_sizes_of_one_grid():
    written = [" ".join(in_binary(growth(n, WIDTH).grid_bytes)) for n in TOKENS]
    assert written == ["4 MiB", "256 MiB", "64 GiB"]


@pytest.mark.parametrize(
    ("count", "written"),
    [(1, "1 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (2**30, "1 GiB")],
)
def test_bytes_are_written_in_the_largest_unit(count, written):
    assert " ".join(in_binary(count)) == written


def test_the_first_grid_keeps_its_share_of_the_square(post, run_scene):
    scene = run_scene(GridGrowth, post)
    side = scene.nest.mark.width
    assert side == pytest.approx(scene.box.width * 4 / TOKENS[-1], rel=1e-3)
    assert np.allclose(scene.nest.mark.get_corner((-1, 1, 0)), scene.nest.corner, atol=1e-6)


def test_seven_words_double_to_the_last_size_below_and_are_then_set_in_a_thousand(run_scene, post):
    words = tuple("abcdefg")
    rows = tuple((1.0, float(i)) for i in range(7))
    head = msgspec.structs.replace(post.heads[0], query=rows, key=rows, value=rows)
    scene = run_scene(GridGrowth, msgspec.structs.replace(post, words=words, heads=(head,)))
    assert figures(scene.ledger.rows[-1]) == ["896", "802,816"]
    assert scene.nest.n == TOKENS[-1]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(GridGrowth, hard_sentence).beats


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"rows": "keys"}, {"motion": "reduced"}])
def test_any_setting_is_told_without_a_warning(settings, post, run_scene):
    assert run_scene(GridGrowth, post, **settings).beats
