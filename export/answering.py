"""What a window has drawn and written in a process of its own: each line asks, each line answers.

A request is a line of JSON on standard input, its answer one on standard output with the same
number; the process ends when standard input does. So the window never waits, and what Matplotlib
needs is neither imported there nor in its memory. The window's side is `desktop.drawing`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TextIO

from export.figure_options import FigureOptions, choose_figures
from export.worksheet_options import WorksheetOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.sentence import Sentence

__all__ = ["Answer", "Asked", "Preview", "answer_all", "answer_of", "main", "request_of"]


@dataclass(frozen=True)
class Preview:
    """A worksheet to be read before it is written."""

    worksheet: WorksheetOptions

    @property
    def sentence(self) -> Sentence:
        """Whose numbers."""
        return self.worksheet.sentence


Asked = FigureOptions | WorksheetOptions | Preview


@dataclass(frozen=True)
class Answer:
    """What came of a request: files, one for each that was asked for, or in one line why not.

    alt_text and undrawable (characters that no font here has) are a figure's.
    """

    files: tuple[bytes, ...] = ()
    alt_text: str = ""
    undrawable: tuple[str, ...] = ()
    error: str = ""


def request_of(number: int, asked: Asked) -> str:
    """A request as its line."""
    from engine.files import format_sentence

    options = asked.worksheet if isinstance(asked, Preview) else asked
    values: dict[str, Any] = {field.name: getattr(options, field.name) for field in fields(options)}
    values["sentence"] = format_sentence(options.sentence)
    if isinstance(options, FigureOptions):
        values["figures"] = [entry.name for entry in options.figures]
    kinds = {FigureOptions: "figure", WorksheetOptions: "worksheet", Preview: "preview"}
    return json.dumps({"number": number, kinds[type(asked)]: values}) + "\n"


def answer_of(line: bytes) -> tuple[int, Answer] | None:
    """An answer and its request's number; None where somebody else has printed the line."""
    try:
        told = json.loads(line)
        files = tuple(map(base64.b64decode, told["files"]))
        undrawable = tuple(told["undrawable"])
        return told["number"], Answer(files, told["alt_text"], undrawable, told["error"])
    except (ValueError, TypeError, KeyError):
        return None


def answer_all(requests: Iterable[str], out: TextIO) -> None:
    """Answer every request in order: where something goes wrong, that is its answer."""
    for line in requests:
        request = json.loads(line)
        answer = _answer(request)
        told = {
            "number": request["number"],
            "files": [base64.b64encode(file).decode() for file in answer.files],
            "alt_text": answer.alt_text,
            "undrawable": answer.undrawable,
            "error": answer.error,
        }
        print(json.dumps(told), file=out, flush=True)


def _answer(request: Mapping[str, Any]) -> Answer:
    try:
        if "figure" in request:
            return _figure(request["figure"])
        if "preview" in request:
            return Answer((_worksheet(request["preview"]).preview().encode(),))
        texts = _worksheet(request["worksheet"]).texts()
        return Answer(tuple(text.encode() for text in texts))
    except MemoryError:
        return Answer(error="there isn't enough memory for that")
    except Exception as error:
        # Whatever it is: the window asks on, and says it.
        return Answer(error=" ".join(str(error).split()) or type(error).__name__)


def _figure(values: dict[str, Any]) -> Answer:
    from export.alt_text import alt_text
    from export.figure import draw_file, undrawable_in

    values["figures"] = choose_figures(values["figures"])
    options = FigureOptions(**_with_sentence(values))
    (entry,) = options.figures
    return Answer(
        tuple(draw_file(options, file) for file in options.files),
        alt_text(
            options.sentence, options.head, entry.name, digits=options.digits, rows=options.rows
        ),
        undrawable_in(options),
    )


def _worksheet(values: dict[str, Any]) -> WorksheetOptions:
    values["focuses"] = tuple(values["focuses"])
    return WorksheetOptions(**_with_sentence(values))


def _with_sentence(values: dict[str, Any]) -> dict[str, Any]:
    from engine.files import parse_sentence

    return values | {"sentence": parse_sentence(values["sentence"].encode(), "the document")}


def main() -> int:
    """Answer what standard input asks, until it ends."""
    out = sys.stdout
    try:
        # Only answers go there, whatever else somebody prints.
        with contextlib.redirect_stdout(sys.stderr):
            answer_all(sys.stdin, out)
    except (KeyboardInterrupt, BrokenPipeError):
        return 130  # Ctrl+C in the window's terminal, or there is no window any more
    return 0
