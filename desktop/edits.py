"""What can be done to a sentence, a verb each: pure functions, no Qt.

Each verb returns an `Edit`: the sentence after it, and what undoing it is called. Whether that
sentence is a valid document is for `Document` to ask; what makes no sense at all (a word that isn't
there) is a ValueError here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from msgspec.structs import replace

from engine.positions import sinusoidal_positions
from engine.sentence import (
    MAX_NUMBER,
    MAX_WIDTH,
    Head,
    Sentence,
    vectors_of,
)

__all__ = [
    "BLOCKS",
    "LETTERS",
    "Edit",
    "add_head",
    "add_word",
    "allow",
    "block",
    "is_made",
    "join_heads",
    "make_free",
    "move_vector",
    "move_word",
    "name_of",
    "part_heads",
    "remove_head",
    "remove_word",
    "rename_head",
    "rename_word",
    "set_causal",
    "set_entries",
    "set_mask",
    "set_scaled",
    "set_temperature",
    "set_title",
    "set_width",
]

Rows = tuple[tuple[float, ...], ...]
Item = TypeVar("Item")

ROLES = ("query", "key", "value")
BLOCKS = (*ROLES, "w_query", "w_key", "w_value", "embeddings", "w_output")
"""Every block of numbers that a document may hold; all but the last two are a head's."""

LETTERS = {
    "query": "q", "key": "k", "value": "v", "w_query": "W_Q", "w_key": "W_K", "w_value": "W_V",
    "embeddings": "x", "w_output": "W_O",
}  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """A sentence after an edit; text names the step in Undo ("Move query of sat").

    Edits that follow each other with the same merge (not "") are one step: arrow keys, spin boxes.
    """

    text: str
    sentence: Sentence
    merge: str = ""


def name_of(sentence: Sentence, word: int) -> str:
    """A word as messages name it: its text, with its number where the text occurs twice."""
    text = sentence.words[word]
    return f"{text} ({word + 1})" if sentence.words.count(text) > 1 else text


def is_made(sentence: Sentence, head: int) -> bool:
    """Whether the head's vectors are made by W from the embeddings, so that none can be moved."""
    return sentence.heads[head].query is None


# Vectors and numbers


def move_vector(
    sentence: Sentence, head: int, role: str, word: int, vector: Sequence[float], merge: str = ""
) -> Edit:
    """Put the tip of a query, key or value where it is seen: positions are taken off again.

    vector has all its entries. Raises ValueError where the head's vectors are made by W.
    """
    if is_made(sentence, head):
        raise ValueError(f"{LETTERS[role]}({name_of(sentence, word)}) is made by W: make it free")
    given = list(vector)
    if sentence.positions == "sinusoidal" and role != "value":
        position = sinusoidal_positions(len(sentence.words), len(given))[word]
        given = [x - p for x, p in zip(given, position.tolist(), strict=True)]
    moved = tuple(min(max(x, -float(MAX_NUMBER)), float(MAX_NUMBER)) + 0.0 for x in given)
    rows = _rows(sentence, head, role)
    after = _with_rows(sentence, head, role, (*rows[:word], moved, *rows[word + 1 :]))
    return Edit(f"Move {role} of {name_of(sentence, word)}", after, merge)


def block(sentence: Sentence, head: int, name: str) -> Rows | None:
    """The numbers of a block, one row a word or (for a W) one a dimension; None if not there."""
    rows: Rows | None = (
        getattr(sentence, name)
        if name in ("embeddings", "w_output")
        else getattr(sentence.heads[head], name)
    )
    return rows


def set_entries(
    sentence: Sentence,
    head: int,
    name: str,
    row: int,
    column: int,
    numbers: Sequence[Sequence[float]],
    merge: str = "",
) -> Edit:
    """Write a rectangle of numbers into a block, its upper left corner at (row, column).

    Raises ValueError, which says what would fit, where it goes over the block's edge.
    """
    rows = [list(old) for old in _rows(sentence, head, name)]
    height, width = len(numbers), max(map(len, numbers), default=0)
    if row + height > len(rows) or column + width > len(rows[0]):
        raise ValueError(
            f"{height} × {width} numbers don't fit {LETTERS[name]} from row {row + 1}, column "
            f"{column + 1} on: it has {len(rows)} × {len(rows[0])}"
        )
    for i, line in enumerate(numbers):
        rows[row + i][column : column + len(line)] = [float(x) + 0.0 for x in line]
    after = _with_rows(sentence, head, name, tuple(map(tuple, rows)))
    what = f"Set {LETTERS[name]}" if height * width == 1 else f"Paste into {LETTERS[name]}"
    whose = (
        f" of {name_of(sentence, row)}" if height == 1 and name in (*ROLES, "embeddings") else ""
    )
    return Edit(what + whose, after, merge)


def set_width(sentence: Sentence, head: int, roles: Sequence[str], width: int) -> Edit:
    """Give vectors another number of entries: ("query", "key") together, or ("value",).

    New entries are 0, those too many go. W_O gets and loses the rows that go with a value's.
    Raises ValueError where the width isn't from 1 to 64.
    """
    if not 1 <= width <= MAX_WIDTH:
        raise ValueError(f"a vector has 1 to {MAX_WIDTH} entries, not {width}")
    after = sentence
    prefix = "w_" if is_made(sentence, head) else ""
    for role in roles:
        rows = _rows(sentence, head, prefix + role)
        if role == "value":
            after = _mix_rows(after, head, width)
        resized = tuple((*row[:width], *[0.0] * (width - len(row))) for row in rows)
        after = _with_rows(after, head, prefix + role, resized)
    symbol = "d_v" if "value" in roles else "d_k"
    return Edit(f"Set {symbol} to {width}", after)


def make_free(sentence: Sentence, head: int) -> Edit:
    """Keep a head's vectors as they are now, no longer made by W, so that they can be moved."""
    query, key, value = vectors_of(sentence, head)
    if sentence.positions == "sinusoidal":
        # They are added again to query and key given outright.
        query = query - sinusoidal_positions(*query.shape)
        key = key - sinusoidal_positions(*key.shape)
    freed = Head(
        name=sentence.heads[head].name,
        **{
            role: tuple(map(tuple, rows.tolist()))
            for role, rows in zip(ROLES, (query, key, value), strict=True)
        },
    )
    return Edit(f"Make vectors of {freed.name} free", _with_head(sentence, head, freed))


# Words


def add_word(sentence: Sentence, text: str, at: int | None = None) -> Edit:
    """A further word before `at` (at the end where None), with vectors that mean nothing yet."""
    at = len(sentence.words) if at is None else at
    turn = _turn(len(sentence.words))

    def grow(rows: Rows, quarter: int = 0) -> Rows:
        return _inserted(rows, at, _on_circle(turn + quarter / 4, len(rows[0])))

    heads = tuple(
        head
        if head.query is None
        else replace(
            head,
            query=grow(head.query),
            key=grow(head.key or ()),
            value=grow(head.value or (), 1),
        )
        for head in sentence.heads
    )
    mask = sentence.mask and tuple(_inserted(row, at, True) for row in sentence.mask)
    after = replace(
        sentence,
        words=_inserted(sentence.words, at, text),
        heads=heads,
        embeddings=sentence.embeddings and grow(sentence.embeddings),
        mask=mask and _inserted(mask, at, (True,) * (len(sentence.words) + 1)),
        focus=sentence.focus + (at <= sentence.focus),
        **{
            story: texts and _inserted(texts, at, "")
            for story in ("asks", "shows", "gives")
            for texts in [getattr(sentence, story)]
        },
    )
    return Edit(f"Add {text}", after)


def remove_word(sentence: Sentence, word: int) -> Edit:
    """Take a word out, and all that belongs to it; ValueError where it is the only one."""
    if len(sentence.words) == 1:
        raise ValueError("a sentence has at least one word: rename it instead")
    order = [i for i in range(len(sentence.words)) if i != word]
    focus = min(sentence.focus - (word < sentence.focus), len(order) - 1)
    after = replace(_ordered(sentence, order), focus=focus)
    return Edit(f"Remove {name_of(sentence, word)}", after)


def move_word(sentence: Sentence, word: int, to: int) -> Edit:
    """Put a word at another place, with all that belongs to it."""
    order = [i for i in range(len(sentence.words)) if i != word]
    order.insert(to, word)
    after = replace(_ordered(sentence, order), focus=order.index(sentence.focus))
    return Edit(f"Move {name_of(sentence, word)} to place {to + 1}", after)


def rename_word(sentence: Sentence, word: int, text: str) -> Edit:
    """Write a word otherwise; its vectors stay."""
    words = (*sentence.words[:word], text, *sentence.words[word + 1 :])
    return Edit(f"Rename {name_of(sentence, word)}", replace(sentence, words=words))


# How attention is computed


def allow(sentence: Sentence, listener: int, heard: int, may_look: bool) -> Edit:
    """Let a word look at another, or forbid it, in the mask of your own."""
    n = len(sentence.words)
    mask = [list(row) for row in sentence.mask or ((True,) * n,) * n]
    mask[listener][heard] = may_look
    verb = "Allow" if may_look else "Forbid"
    text = f"{verb} {name_of(sentence, listener)} to hear {name_of(sentence, heard)}"
    return Edit(text, set_mask(sentence, mask).sentence)


def set_mask(sentence: Sentence, mask: Sequence[Sequence[bool]] | None) -> Edit:
    """Another mask of your own, one row a word; None or all true: everyone may look anywhere."""
    rows = tuple(tuple(map(bool, row)) for row in mask or ())
    is_open = all(map(all, rows))
    return Edit("Set mask", replace(sentence, mask=None if is_open else rows))


def set_causal(sentence: Sentence, causal: bool) -> Edit:
    """Whether words may look only at themselves and at what came before."""
    return Edit(
        "Mask later words" if causal else "Unmask later words", replace(sentence, causal=causal)
    )


def set_scaled(sentence: Sentence, scaled: bool) -> Edit:
    """Whether scores are divided by √d_k."""
    return Edit("Divide by √d_k" if scaled else "Don't scale", replace(sentence, scaled=scaled))


def set_temperature(sentence: Sentence, temperature: float, merge: str = "") -> Edit:
    """How flat softmax is: scores are divided by it too."""
    return Edit("Set temperature", replace(sentence, temperature=float(temperature)), merge)


def set_title(sentence: Sentence, title: str) -> Edit:
    """What the document is called."""
    return Edit("Set title", replace(sentence, title=title))


# Heads


def add_head(sentence: Sentence, like: int) -> Edit:
    """One more head at the end, with the vectors of head `like`.

    Where there is a W_O the new head's rows in it are 0: it adds nothing until they are set.
    """
    taken = {head.name for head in sentence.heads}
    number = next(i for i in range(1, len(taken) + 2) if f"head {i}" not in taken)
    added = replace(sentence.heads[like], name=f"head {number}")
    after = replace(sentence, heads=(*sentence.heads, added))
    if sentence.w_output is not None:
        zeros = ((0.0,) * len(sentence.w_output[0]),) * _width_of_value(added)
        after = replace(after, w_output=(*sentence.w_output, *zeros))
    return Edit(f"Add {added.name}", after)


def remove_head(sentence: Sentence, head: int) -> Edit:
    """Take a head out, and its rows of W_O; ValueError where it is the only one."""
    if len(sentence.heads) == 1:
        raise ValueError("a sentence has at least one head")
    after = _mix_rows(sentence, head, 0)
    after = replace(after, heads=(*sentence.heads[:head], *sentence.heads[head + 1 :]))
    return Edit(f"Remove {sentence.heads[head].name}", after)


def join_heads(sentence: Sentence) -> Edit:
    """A W_O that adds the heads' outputs up, entry by entry, to begin with.

    It is as wide as the embeddings, or as the longest value where vectors are given outright.
    """
    if sentence.w_output is not None:
        raise ValueError("the heads are joined by W_O already")
    widths = [_width_of_value(head) for head in sentence.heads]
    x = sentence.embeddings
    across = max(widths) if x is None else len(x[0])
    eye = [tuple(float(i == j) for j in range(across)) for i in range(max(widths))]
    rows = tuple(eye[i] for width in widths for i in range(width))
    return Edit("Join the heads by W_O", replace(sentence, w_output=rows))


def part_heads(sentence: Sentence) -> Edit:
    """No W_O any more: each head has its own output."""
    if sentence.w_output is None:
        raise ValueError("there is no W_O to be taken away")
    return Edit("Remove W_O", replace(sentence, w_output=None))


def rename_head(sentence: Sentence, head: int, name: str) -> Edit:
    """Call a head otherwise."""
    renamed = replace(sentence.heads[head], name=name)
    return Edit(f"Rename {sentence.heads[head].name}", _with_head(sentence, head, renamed))


# Pieces


def _rows(sentence: Sentence, head: int, name: str) -> Rows:
    rows = block(sentence, head, name)
    if rows is None:
        raise ValueError(f"{sentence.heads[head].name} has no {LETTERS[name]} of its own")
    return rows


def _with_rows(sentence: Sentence, head: int, name: str, rows: Rows) -> Sentence:
    if name in ("embeddings", "w_output"):
        return replace(sentence, **{name: rows})
    return _with_head(sentence, head, replace(sentence.heads[head], **{name: rows}))


def _with_head(sentence: Sentence, head: int, changed: Head) -> Sentence:
    heads = (*sentence.heads[:head], changed, *sentence.heads[head + 1 :])
    return replace(sentence, heads=heads)


def _width_of_value(head: Head) -> int:
    return len((head.value or head.w_value or ((),))[0])


def _mix_rows(sentence: Sentence, head: int, width: int) -> Sentence:
    """W_O with `width` rows for a head: new ones are 0, those too many go."""
    if sentence.w_output is None:
        return sentence
    first = sum(map(_width_of_value, sentence.heads[:head]))
    last = first + _width_of_value(sentence.heads[head])
    zeros = ((0.0,) * len(sentence.w_output[0]),) * (width - (last - first))
    kept = sentence.w_output[first:last][:width]
    rows = (*sentence.w_output[:first], *kept, *zeros, *sentence.w_output[last:])
    return replace(sentence, w_output=rows)


def _ordered(sentence: Sentence, order: Sequence[int]) -> Sentence:
    """The sentence with these of its words, in this order."""
    heads = tuple(
        replace(head, **{role: _picked(getattr(head, role), order) for role in ROLES})
        for head in sentence.heads
    )
    lists = ("words", "asks", "shows", "gives", "embeddings")
    picked = {name: _picked(getattr(sentence, name), order) for name in lists}
    mask = [_picked(row, order) or () for row in _picked(sentence.mask, order) or ()]
    return set_mask(replace(sentence, heads=heads, **picked), mask).sentence


def _picked(items: tuple[Item, ...] | None, order: Sequence[int]) -> tuple[Item, ...] | None:
    return items and tuple(items[i] for i in order)


def _inserted(items: tuple[Item, ...], at: int, item: Item) -> tuple[Item, ...]:
    return (*items[:at], item, *items[at:])


def _turn(count: int) -> float:
    """An angle, in turns, away from those of the words before: steps of the golden angle."""
    return count * (3 - math.sqrt(5)) / 2 % 1


def _on_circle(turns: float, width: int) -> tuple[float, ...]:
    """A vector of length 1 in the plane of its first two entries, the others 0."""
    angle = math.tau * turns
    there = (round(math.cos(angle), 2) + 0.0, round(math.sin(angle), 2) + 0.0)
    return (*there, *[0.0] * width)[:width]
