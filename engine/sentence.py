"""The document: a few words, the vectors they carry, and which of them we look at.

A `Sentence` is what `*.byhand.json` holds. Everything in byhand (the app, the videos, the figures,
the worksheets) is drawn from one, so that a vector moved in one place has moved in all.
"""

import math
import re
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from engine.attention import Attention, attend
from engine.masks import causal_mask
from engine.positions import sinusoidal_positions
from engine.refusal import Problem, explain, shown
from engine.softmax import FloatArray

VERSION: Final = 1
MAX_WORDS: Final = 64
MAX_HEADS: Final = 16
MAX_WIDTH: Final = 64
MAX_NUMBER: Final = 1_000_000

# Control characters, the two Unicode line ends, and the two characters that XML (so SVG) forbids.
# A lookahead, since `$` would let a last line feed through.
_PLAIN = r"^(?![\s\S]*[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff])"

Number = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Vector = Annotated[tuple[Number, ...], Meta(min_length=1, max_length=MAX_WIDTH)]
Vectors = Annotated[
    tuple[Vector, ...],
    Meta(min_length=1, max_length=MAX_WORDS, description="One vector a word."),
]
Projection = Annotated[
    tuple[Vector, ...],
    Meta(min_length=1, max_length=MAX_WIDTH, description="(d_model, d_k or d_v): q = x W."),
]
Mixing = Annotated[
    tuple[Vector, ...],
    Meta(
        min_length=1,
        max_length=MAX_HEADS * MAX_WIDTH,
        description="W_O: (sum of the heads' d_v, d_model).",
    ),
]
Word = Annotated[str, Meta(min_length=1, max_length=80, pattern=_PLAIN)]
Text = Annotated[str, Meta(max_length=200, pattern=_PLAIN)]
Story = Annotated[
    tuple[Text, ...],
    Meta(min_length=1, max_length=MAX_WORDS, description="A short text a word."),
]
Look = Annotated[
    tuple[Annotated[tuple[bool, ...], Meta(min_length=1, max_length=MAX_WORDS)], ...],
    Meta(
        min_length=1,
        max_length=MAX_WORDS,
        description="Row: who listens; column: who is heard; true = may look.",
    ),
]


class Head(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One head: exactly query, key and value, or exactly w_query, w_key and w_value."""

    name: Word
    query: Vectors | None = None
    key: Vectors | None = None
    value: Vectors | None = None
    w_query: Projection | None = None
    w_key: Projection | None = None
    w_value: Projection | None = None


class Sentence(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A small sentence, its vectors, and how attention is to be computed over it."""

    byhand: Literal[1]
    title: Text = ""
    words: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=MAX_WORDS)]
    asks: Story | None = None
    shows: Story | None = None
    gives: Story | None = None
    embeddings: Vectors | None = None
    positions: Annotated[
        Literal["none", "sinusoidal"],
        Meta(description="Added to embeddings, or to query and key where these are given."),
    ] = "none"
    heads: Annotated[tuple[Head, ...], Meta(min_length=1, max_length=MAX_HEADS)]
    w_output: Mixing | None = None
    mask: Look | None = None
    focus: Annotated[
        int, Meta(ge=0, lt=MAX_WORDS, description="The word we look at, counted from 0.")
    ] = 0
    scaled: Annotated[bool, Meta(description="Divide the scores by the root of d_k.")] = True
    causal: Annotated[bool, Meta(description="No word may look at a later one.")] = False
    temperature: Annotated[float, Meta(ge=0.01, le=100)] = 1.0


def attention_of(sentence: Sentence, head: int = 0) -> Attention:
    """Attention over the sentence by one head, every step kept.

    Arrays are (n words, …) in float64. Raises ValueError where there is no such head, or where
    the sentence isn't valid.
    """
    query, key, value = vectors_of(sentence, head)
    return attend(query, key, value, mask=mask_of(sentence), scale=scale_of(sentence, head))


def joined_output(sentence: Sentence) -> tuple[FloatArray, FloatArray] | None:
    """The heads' outputs laid end to end (n, Σ d_v), and that times W_O (n, d_model).

    None where the sentence has no w_output (Vaswani et al. 2017, §3.2.2).
    """
    if sentence.w_output is None:
        return None
    outputs = [attention_of(sentence, head).output for head in range(len(sentence.heads))]
    joined = np.concatenate(outputs, axis=-1)
    return joined, joined @ _array(sentence.w_output)


def vectors_of(sentence: Sentence, head: int = 0) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The query, key and value of every word for one head: (n, d_k), (n, d_k) and (n, d_v).

    As given, or x W from the embeddings. Positions are in x already, and are added to query and
    key where vectors are given. Raises ValueError where there is no such head, or where it gives
    neither.
    """
    chosen = _head(sentence, head)
    if chosen.query is not None and chosen.key is not None and chosen.value is not None:
        query, key, value = (_array(rows) for rows in (chosen.query, chosen.key, chosen.value))
        if sentence.positions == "sinusoidal":
            query = query + sinusoidal_positions(*query.shape)
            key = key + sinusoidal_positions(*key.shape)
        return query, key, value
    x = embeddings_of(sentence)
    if x is None or chosen.w_query is None or chosen.w_key is None or chosen.w_value is None:
        raise ValueError(f"heads[{head}]: gives neither its vectors nor a way to compute them")
    return x @ _array(chosen.w_query), x @ _array(chosen.w_key), x @ _array(chosen.w_value)


def embeddings_of(sentence: Sentence) -> FloatArray | None:
    """What the projections multiply: x (n, d_model), positions added; None where none is given."""
    if sentence.embeddings is None:
        return None
    x = _array(sentence.embeddings)
    return x + sinusoidal_positions(*x.shape) if sentence.positions == "sinusoidal" else x


def scale_of(sentence: Sentence, head: int = 0) -> float:
    """What scores are multiplied by: 1/√d_k (1 where unscaled) over the temperature.

    Raises ValueError where there is no such head, or where it has no queries.
    """
    chosen = _head(sentence, head)
    rows = chosen.query if chosen.query is not None else chosen.w_query
    if rows is None:
        raise ValueError(f"heads[{head}]: gives neither query nor w_query")
    return (1 / math.sqrt(len(rows[0])) if sentence.scaled else 1.0) / sentence.temperature


def mask_of(sentence: Sentence) -> NDArray[np.bool_] | None:
    """Who may look at whom: (n, n) of bool, True = may look; None where all may.

    Where the sentence has a mask of its own and is causal, both must allow.
    """
    causal = causal_mask(len(sentence.words)) if sentence.causal else None
    if sentence.mask is None:
        return causal
    own = np.array(sentence.mask, dtype=np.bool_)
    return own if causal is None else own & causal


def new_sentence(words: str | Sequence[str], *, title: str | None = None) -> Sentence:
    """A sentence of these words, with one head of vectors that mean nothing yet.

    words is a text, parted at its blanks, or the words themselves; title is the words again
    unless given. The vectors stand evenly round the unit circle, two decimals each, and depend on
    nothing but a word's place and the number of words: each query points at the key of the word
    before (the first word's at the last), and each value is its key turned by a quarter. They
    are there to be dragged. Raises ValueError where the words break a limit of the document.
    """
    words = tuple(words.split()) if isinstance(words, str) else tuple(words)
    if title is None:
        title = " ".join(words)[:200].rstrip()

    def round_the_circle(turns: float) -> tuple[tuple[float, float], ...]:
        angles = [math.tau * (place / len(words) + turns) for place in range(len(words))]
        # + 0.0 turns -0.0 into 0.0
        return tuple(
            (round(math.cos(angle), 2) + 0.0, round(math.sin(angle), 2) + 0.0) for angle in angles
        )

    head = Head(
        name="head 1",
        query=round_the_circle(-1 / max(len(words), 1)),
        key=round_the_circle(0),
        value=round_the_circle(1 / 4),
    )
    return checked(Sentence(byhand=1, title=title, words=words, heads=(head,)))


def with_settings(
    sentence: Sentence,
    *,
    focus: str | None = None,
    causal: bool | None = None,
    scaled: bool | None = None,
    temperature: float | None = None,
) -> Sentence:
    """The same sentence looked at otherwise; what is None stays. focus is read by `find_word`.

    Raises ValueError where there is no such word, or where the temperature is out of range.
    """
    changes: dict[str, object] = {
        "focus": None if focus is None else find_word(sentence, focus),
        "causal": causal,
        "scaled": scaled,
        "temperature": temperature,
    }
    kept = {name: value for name, value in changes.items() if value is not None}
    return checked(msgspec.structs.replace(sentence, **kept))


def checked(sentence: Sentence) -> Sentence:
    """The same sentence, if it is a valid document; else ValueError with its first problem."""
    for problem in problems(sentence):
        raise ValueError(str(problem))
    return sentence


def find_word(sentence: Sentence, text: str) -> int:
    """The index of a word named by its number from 1, or by a text that occurs once.

    Raises ValueError, in one line that says what would do.
    """
    return _find("word", sentence.words, text)


def find_head(sentence: Sentence, text: str) -> int:
    """The index of a head named by its name, or by its number from 1.

    Raises ValueError, in one line that says what would do.
    """
    return _find("head", tuple(head.name for head in sentence.heads), text, names_first=True)


def _find(kind: str, names: Sequence[str], text: str, *, names_first: bool = False) -> int:
    """Where text is in names, as a number from 1 or as a name that occurs once."""
    wanted = unicodedata.normalize("NFC", text)
    found = [i for i, name in enumerate(names) if unicodedata.normalize("NFC", name) == wanted]
    numbers = {str(i + 1): i for i in range(len(names))}
    if names_first and len(found) == 1:
        return found[0]
    if text.strip() in numbers:
        return numbers[text.strip()]
    if len(found) == 1:
        return found[0]
    if found:
        places = textwrap.shorten(" and ".join(str(i + 1) for i in found), 60, placeholder=" …")
        raise ValueError(f"{shown(text)} is {kind} {places}: give the number")
    count = f"a number from 1 to {len(names)}" if len(names) > 1 else "1"
    listed = textwrap.shorten(", ".join(map(shown, names)), 160, placeholder=" …")
    raise ValueError(f"no {kind} is {shown(text)}: give {count}, or one of {listed}")


def _head(sentence: Sentence, head: int) -> Head:
    if not 0 <= head < len(sentence.heads):
        raise ValueError(f"head should be from 0 to {len(sentence.heads) - 1}, not {head}")
    return sentence.heads[head]


def _array(rows: Sequence[Sequence[float]]) -> FloatArray:
    return np.array(rows, dtype=np.float64)


def sentence_from(data: object) -> Sentence | Problem:
    """The sentence in plain JSON data, or what is wrong with its shape.

    The shape is types, limits and keys; whether the parts fit each other is for `problems`.
    """
    try:
        return msgspec.convert(data, Sentence)
    except msgspec.ValidationError as error:
        keys = {"": Sentence.__struct_fields__, "heads[]": Head.__struct_fields__}
        return explain(error, data, _expected, keys)
    except UnicodeEncodeError:
        return Problem("", "holds a key with a lone surrogate (half a character) in it")


def problems(sentence: Sentence) -> tuple[Problem, ...]:
    """All that keeps a sentence from being a valid document, each with its place; () if nothing.

    Where a value breaks a limit of its own, that is the only problem told: the cross-checks need
    values that make sense by themselves.
    """
    same = sentence_from(msgspec.to_builtins(sentence, enc_hook=_plain))
    return (same,) if isinstance(same, Problem) else tuple(_misfits(sentence))


def _plain(value: object) -> object:
    """NumPy's numbers as Python's, which is all that a document knows."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a sentence is made of texts, numbers and tuples, not {type(value).__name__}")


def _expected(kind: str) -> str:
    """What belongs at a place, in words; the limits are those of the types above."""
    match kind.removeprefix("heads[]."):
        case "":
            return "an object with byhand, words and heads"
        case "byhand":
            return f"{VERSION}, the version of the document"
        case "words":
            return f"a list of 1 to {MAX_WORDS} words"
        case "words[]" | "name":
            return "a text of 1 to 80 characters, without control characters or line breaks"
        case "title" | "asks[]" | "shows[]" | "gives[]":
            return "a text of at most 200 characters, without control characters or line breaks"
        case "asks" | "shows" | "gives":
            return "a list of short texts, one a word"
        case "positions":
            return '"none" or "sinusoidal"'
        case "heads":
            return f"a list of 1 to {MAX_HEADS} heads"
        case "heads[]":
            return "an object with name, query, key and value (or w_query, w_key and w_value)"
        case "mask":
            return f"a list of 1 to {MAX_WORDS} rows, one a word"
        case "mask[]":
            return "a row of true and false, one a word"
        case "scaled" | "causal" | "mask[][]":
            return "true or false"
        case "focus":
            return f"a whole number from 0 to {MAX_WORDS - 1}: a word, counted from 0"
        case "temperature":
            return "a number from 0.01 to 100"
        case "query" | "key" | "value" | "embeddings":
            return f"a list of 1 to {MAX_WORDS} vectors, one a word"
        case "w_output":
            return f"a list of 1 to {MAX_HEADS * MAX_WIDTH} rows of numbers"
        case matrix if not matrix.endswith("[]"):
            return f"a list of 1 to {MAX_WIDTH} rows of numbers"
        case row if not row.endswith("[][]"):
            return f"a list of 1 to {MAX_WIDTH} numbers"
        case _:
            return f"a number from -{MAX_NUMBER} to {MAX_NUMBER}"


def _misfits(sentence: Sentence) -> Iterator[Problem]:
    """Where the parts of a sentence, each in order by itself, don't fit each other."""
    n = len(sentence.words)
    a_word = (n, "one a word")
    yield from _half_characters(sentence)
    if sentence.focus >= n:
        right = f"a word from 0 to {n - 1}" if n > 1 else "0, the only word"
        yield Problem("focus", f"should be {right}, not {sentence.focus}")
    for name in ("asks", "shows", "gives"):
        texts: Story | None = getattr(sentence, name)
        if texts is not None and len(texts) != n:
            yield Problem(name, f"should have {n} texts, one a word; it has {len(texts)}")
    if sentence.mask is not None:
        yield from _wrong_size("mask", sentence.mask, rows=a_word, width=a_word)
    if sentence.embeddings is not None:
        yield from _wrong_size("embeddings", sentence.embeddings, rows=a_word)
    for index, head in enumerate(sentence.heads):
        if head.name in (earlier.name for earlier in sentence.heads[:index]):
            yield Problem(f"heads[{index}].name", f"{shown(head.name)} is taken; names differ")
        yield from _head_misfits(sentence, head, f"heads[{index}]")
    if sentence.w_output is not None:
        values = [head.value or head.w_value for head in sentence.heads]
        d_v = sum(len(rows[0]) for rows in values if rows)
        x = sentence.embeddings
        yield from _wrong_size(
            "w_output",
            sentence.w_output,
            rows=(d_v, "the heads' values laid end to end"),
            width=None if x is None else (len(x[0]), "as in embeddings"),
        )


def _head_misfits(sentence: Sentence, head: Head, place: str) -> Iterator[Problem]:
    """Where one head doesn't fit the sentence, or itself."""
    given = [name for name in Head.__struct_fields__[1:] if getattr(head, name) is not None]
    if given not in (["query", "key", "value"], ["w_query", "w_key", "w_value"]):
        right = "should give exactly query, key and value, or exactly w_query, w_key and w_value"
        yield Problem(place, f"{right}; it gives {', '.join(given) or 'none of them'}")
        return
    if given[0] == "query":
        rows = (len(sentence.words), "one a word")
    elif sentence.embeddings is not None:
        rows = (len(sentence.embeddings[0]), "as many as embeddings have numbers")
    else:
        yield Problem("embeddings", f"is missing; {place}.w_query multiplies it: one vector a word")
        return
    first_query: Vector = getattr(head, given[0])[0]
    as_query = (len(first_query), f"as in {given[0]}")
    for name in given:
        width = as_query if name.endswith("key") else None
        yield from _wrong_size(f"{place}.{name}", getattr(head, name), rows=rows, width=width)


def _wrong_size(
    place: str,
    matrix: Sequence[Sequence[object]],
    *,
    rows: tuple[int, str],
    width: tuple[int, str] | None = None,
) -> Iterator[Problem]:
    """Where a matrix hasn't the rows and the width it should, each given with the reason why.

    Without a width, its first row sets it.
    """
    if len(matrix) != rows[0]:
        yield Problem(
            place, f"should have {_count(rows[0], 'row')}, {rows[1]}; it has {len(matrix)}"
        )
    wanted, why = width or (len(matrix[0]), f"as in {place}[0]")
    for index, row in enumerate(matrix):
        if len(row) != wanted:
            right = f"should have {_count(wanted, 'entry', 'entries')}, {why}; it has {len(row)}"
            yield Problem(f"{place}[{index}]", right)


def _half_characters(sentence: Sentence) -> Iterator[Problem]:
    """Lone surrogates: what no file can be written with."""
    texts = {"title": sentence.title}
    texts |= {f"heads[{i}].name": head.name for i, head in enumerate(sentence.heads)}
    for name in ("words", "asks", "shows", "gives"):
        texts |= {f"{name}[{i}]": text for i, text in enumerate(getattr(sentence, name) or ())}
    for place, text in texts.items():
        if re.search("[\ud800-\udfff]", text):
            yield Problem(place, f"holds a lone surrogate (half a character): {shown(text)}")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
