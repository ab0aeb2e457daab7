"""What the opening and the closing say, with the sentence's own numbers. No Manim here."""

from __future__ import annotations

import numpy as np

from engine.attention import Attention
from engine.notation import write_entries, write_number
from engine.sentence import Sentence
from engine.softmax import FloatArray
from scenes.beats import quoted, shorten, text_width

__all__ = ["CREDITS", "promise_of", "reading_of", "spelled"]

_NAMES = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
          "Eleven", "Twelve")  # fmt: skip

CREDITS = (
    "Attention Is All You Need, Vaswani et al., 2017",
    "Drawn with byhand, Manim and Typst",
)


def spelled(number: int) -> str:
    """A small number as a word, as a caption begins with it."""
    return _NAMES[number] if number < len(_NAMES) else f"{number:,}"


def promise_of(attention: Attention, sentence: Sentence) -> str:
    """What the lecture promises: so many words, so long vectors, every step by hand."""
    words = len(sentence.words)
    noun = "word" if words == 1 else "words"
    length = attention.query.shape[-1]
    entries = "one number" if length == 1 else f"{spelled(length).lower()} numbers"
    return f"{spelled(words)} {noun}, vectors of {entries}: every step of it, by hand."


def reading_of(
    attention: Attention, sentence: Sentence, shown: tuple[int, ...], digits: int
) -> tuple[tuple[str, str, str], ...]:
    """The formula from left to right with the focus word's numbers: (part, title, caption) each."""
    focus = sentence.focus
    name = quoted(shorten(sentence.words[focus], 14))
    row = list(shown)

    def numbers(all_of_them: FloatArray) -> str:
        written = "[" + ", ".join(write_entries(all_of_them[focus, row], digits)) + "]"
        return f": {written}" if text_width(written) <= 34 and len(row) == _count(attention) else ""

    output = write_entries(attention.output[focus], digits)
    collected = "[" + ", ".join(output) + "]"
    if text_width(collected) > 34:
        collected = f"{len(output)} numbers"
    reading = [
        ("softmax", "Softmax", "Softmax: shares of a whole. Of what?"),
        ("scores", "Scores", f"Of how well each key answers the query of {name}"
         f"{numbers(attention.scores)}."),
        ("scale", "Scale", f"{_scaling(attention, sentence, digits)}{numbers(attention.scaled)}."),
    ]  # fmt: skip
    if sentence.causal or attention.mask is not None:
        reading.append(
            ("mask", "Mask", f"What may not be heard becomes −∞{numbers(attention.masked)}.")
        )
    if np.any(attention.weights[focus]):
        shares = f"The shares of {name}{numbers(attention.weights)}."
        gives = f"The values by these shares: {name} collects {collected}."
    else:
        shares = f"{name} may hear nothing, so there is nothing to share."
        gives = f"Without a share no value is collected: {collected}."
    reading += [("softmax", "Shares", shares), ("value", "Values", gives)]
    return tuple(reading)


def _count(attention: Attention) -> int:
    return int(attention.scores.shape[-1])


def _scaling(attention: Attention, sentence: Sentence, digits: int) -> str:
    length = attention.query.shape[-1]
    if sentence.temperature != 1.0:
        return f"Times {write_number(float(attention.scale), digits)}, scale and temperature"
    if not sentence.scaled:
        return "The scores stay as large as they are"
    return f"Divided by √{length} = {write_number(float(np.sqrt(length)), digits)}"
