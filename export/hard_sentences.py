"""Sentences that break pictures: many words, long words, other scripts, odd numbers.

`byhand look --hostile` draws them and the tests run every scene with them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from engine.presets import load_preset
from engine.sentence import Head, Sentence, Vectors

__all__ = ["HARD_SENTENCES", "STRANGERS_WORDS"]


def _sentence(
    words: Sequence[str],
    d_k: int = 2,
    d_v: int = 2,
    *,
    seed: int,
    focus: int = 0,
    spread: float = 1.5,
) -> Sentence:
    rng = np.random.default_rng(seed)

    def rows(width: int) -> Vectors:
        numbers = rng.normal(0, spread, (len(words), width)).round(1)
        return tuple(tuple(map(float, row)) for row in numbers)

    head = Head(name="only", query=rows(d_k), key=rows(d_k), value=rows(d_v))
    return Sentence(byhand=1, words=tuple(words), heads=(head,), focus=focus)


def _scaled(sentence: Sentence, factor: float) -> Sentence:
    def times(rows: Vectors | None) -> Vectors:
        return tuple(tuple(number * factor for number in row) for row in rows or ())

    head = sentence.heads[0]
    changed = Head(
        name="only", query=times(head.query), key=times(head.key), value=times(head.value)
    )
    return msgspec.structs.replace(sentence, heads=(changed,))


POST = ("the", "cat", "sat", "down")
NUMERALS = ("one", "two", "three", "four", "five", "six",
            "seven", "eight", "nine", "ten", "eleven", "twelve")  # fmt: skip
HOSTILE = (
    "W" * 60,
    "the",
    "the",
    "שלום",
    "القط",
    "😀",
    "猫",
    "#x_$]@ref",
    "<b>&amp;",
    "a\u0301 //",
)
LONG = ("internationalization", "Donaudampfschifffahrtsgesellschaft", "the", "ffi")

HARD_SENTENCES = {
    "one word": _sentence(("alone",), seed=0),
    "two words": _sentence(["hello", "world"], seed=1, focus=1),
    "twelve words": _sentence(NUMERALS, seed=3, focus=6),
    "sixty-four words": _sentence([f"word{i}" for i in range(1, 65)], seed=4, focus=40),
    "any script": _sentence(HOSTILE, seed=5, focus=3),
    "long words": _sentence(LONG, seed=6, focus=1),
    "d_k 1": _sentence(POST, 1, 1, seed=9, focus=2),
    "d_k 3": _sentence(POST, 3, 3, seed=7, focus=2),
    "d_k 64": _sentence(POST, 64, 64, seed=8, focus=2),
    "huge": _sentence(POST, seed=10, focus=2, spread=1e5),
    "tiny": _scaled(_sentence(POST, seed=11, focus=2), 1e-4),
    "zero": _scaled(_sentence(POST, seed=11, focus=2), 0.0),
    "negative": _sentence(("no", "one", "was", "here"), seed=12, focus=3, spread=3.0),
    "causal": msgspec.structs.replace(load_preset(), causal=True),
    "may look at nothing": msgspec.structs.replace(
        load_preset(), mask=((True,) * 4, (True,) * 4, (False,) * 4, (True,) * 4)
    ),
    "two heads": load_preset("two-heads"),
}

STRANGERS_WORDS = (
    "<img src=http://x.invalid/a onerror=alert(1)>",
    "<b>&lt;&amp;</b>",
    "</script><script>alert(1)</script><!--",
    "]]></metadata></desc><svg onload=alert(1)>",
    """" onload="alert(1)" style="fill: #ff0000" id="x" '""",
    'url(#x) href="#x" stroke: #abcdef @import',
    "![x](http://x.invalid) [y](javascript:alert(1))",
    "`* _x_ ~~y~~ | a@x.invalid www.x.invalid \\",
    '#read("/etc/passwd")',
    '")) #eval("1") #image("/etc/passwd") //',
    "$x^2$ $#sys.version$",
    r"\input{/etc/passwd} \write18{id} % ^^M",
    '=HYPERLINK("http://x.invalid","x")',
    "@SUM(1+1)|cmd!A0",
    "[red]x[/red] [link=http://x.invalid]y[/link]",
    "\"\"\"]; import os # '''",
    "{0.__class__} {focus} {{ %s %(x)s",
    "../../../../x",
    "/etc/passwd",
    "file:///etc/passwd",
    "00:00:01,000 --> 00:00:02,000",
    r"{\an8}<font size=9>",
    "NOTE R&D &File [*]",
    "\u202eout\u2069 of \u202e here",
    "W" * 80,
)
"""What nobody would write but to have something read, fetched, run or torn open.

Each may be a word, a head's name or a title; control characters are refused by the reader.
"""
