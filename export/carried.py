"""The document that a picture, a page or a video of ours carries, read back.

Only the little of each format is read that finds the text, and nothing is decoded. The first four
and HTML need no library, webm, mov and gif need av. Where it stands:

    PNG   a text chunk called `byhand`
    SVG   the text of an element inside <metadata>
    PDF   a text of the information dictionary (/Subject, /Keywords or /byhand)
    mp4   the comment (moov/udta/meta/ilst/©cmt)
    webm, mov, gif   the comment
    HTML  an element <script type="application/json" id="byhand">, on a line of its own

In all of them it is the document's own JSON, so it begins with a brace.
"""

from __future__ import annotations

import io
import os
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO
from xml.etree import ElementTree

from engine.files import MAX_BYTES, SentenceError, parse_sentence, read_sentence
from engine.sentence import Sentence

__all__ = ["document_carried_by", "document_in", "read_document_or_carrier"]

_PNG = b"\x89PNG\r\n\x1a\n"
_MOST_TEXT = 64_000_000  # of a PDF
_MOST_SVG = 2 * MAX_BYTES  # a parser takes twelve times the room of what it reads
_PIECE = 1_000_000
_MOST_ENTRIES = 4


def read_document_or_carrier(path: str | os.PathLike[str]) -> tuple[Sentence, bool]:
    """The sentence in a file, and whether the file is a picture or video that carries it.

    Raises SentenceError, which says in one line why there is none.
    """
    name = os.fspath(path)
    try:
        kind = _kind(name)
    except (OSError, ValueError):
        kind = None  # read_sentence says what is wrong
    if kind is None:
        return read_sentence(name), False
    text = document_carried_by(name)
    if text is None:
        raise SentenceError(
            name, "", f"carries no document: this {kind} isn't byhand's, or was made without"
        )
    return parse_sentence(text.encode(), name), True


def document_carried_by(path: str | os.PathLike[str]) -> str | None:
    """The text of the document that a file carries; None where it carries none.

    Raises SentenceError where the file can't be read.
    """
    name = os.fspath(path)
    try:
        kind = _kind(name)
        if kind is None:
            return None
        if kind in _FILMS:
            return _comment_of_film(name, kind)
        with open(name, "rb") as file:
            return _first_document(kind, file)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise SentenceError(name, "", f"can't be read ({reason}); give another file") from error


def document_in(data: bytes) -> str | None:
    """The text of the document that a picture or a page carries; None where it carries none."""
    kind = _kind_of(data[:1024])
    if kind is None or kind not in _READERS:
        return None
    return _first_document(kind, io.BytesIO(data))


def _first_document(kind: str, file: IO[bytes]) -> str | None:
    # What is cut short or broken carries nothing that we could trust.
    with suppress(struct.error, zlib.error, UnicodeDecodeError, ElementTree.ParseError):
        for text in _READERS[kind](file):
            if text.lstrip("\ufeff \t\r\n").startswith("{"):
                return text
    return None


def _kind(name: str) -> str | None:
    """What carries a document: told by how a file begins, never by its name."""
    if not Path(name).is_file():
        return None  # a pipe would be waited for
    with open(name, "rb") as file:
        return _kind_of(file.read(1024))


def _kind_of(begin: bytes) -> str | None:
    if begin.startswith(_PNG):
        return "PNG"
    if begin.startswith(b"%PDF-"):
        return "PDF"
    if begin[4:8] == b"ftyp":
        return "mov" if begin[8:10] == b"qt" else "mp4"
    if begin.startswith(b"\x1aE\xdf\xa3"):
        return "webm"
    if begin.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    if re.match(rb"(\xef\xbb\xbf)?\s*<!doctype html", begin, re.IGNORECASE):
        return "page"
    if re.match(rb"(\xef\xbb\xbf)?\s*<(\?xml|!--|!DOCTYPE svg|svg)", begin):
        return "SVG"
    return None


# PNG


def _png_texts(file: IO[bytes]) -> Iterator[str]:
    # Inflating one takes a thousand times as long as reading past it.
    return islice(_png_chunks(file), _MOST_ENTRIES)


def _png_chunks(file: IO[bytes]) -> Iterator[str]:
    file.seek(len(_PNG))
    while len(head := file.read(8)) == 8:
        length, kind = struct.unpack(">I4s", head)
        if kind in _PNG_TEXTS and length <= MAX_BYTES:
            keyword, _, rest = file.read(length).partition(b"\0")
            if keyword == b"byhand":
                yield _PNG_TEXTS[kind](rest)
            file.seek(4, os.SEEK_CUR)
        else:
            file.seek(length + 4, os.SEEK_CUR)


def _international(rest: bytes) -> str:
    compressed, (_, _, text) = rest[:1] == b"\1", rest[2:].split(b"\0", 2)
    return (_inflated(text) if compressed else text).decode()


_PNG_TEXTS: dict[bytes, Callable[[bytes], str]] = {
    b"tEXt": lambda rest: rest.decode("latin-1"),
    b"zTXt": lambda rest: _inflated(rest[1:]).decode("latin-1"),
    b"iTXt": _international,
}


def _inflated(data: bytes) -> bytes:
    """At most as much as a document may be: a small chunk can hold gigabytes of zeros."""
    return zlib.decompressobj().decompress(data, MAX_BYTES + 1)


# mp4


def _mp4_texts(file: IO[bytes]) -> Iterator[str]:
    for comment in _boxes(file, [b"moov", b"udta", b"meta", b"ilst", b"\xa9cmt", b"data"]):
        yield comment[8:].decode()  # after its type and its language


def _boxes(file: IO[bytes], path: list[bytes], end: int | None = None) -> Iterator[bytes]:
    """The contents of every box at a path of names, from here to `end`."""
    wanted, *deeper = path
    if end is None:
        here = file.tell()
        end = file.seek(0, os.SEEK_END)
        file.seek(0 if here is None else here)
    while file.tell() + 8 <= end:
        start = file.tell()
        size, kind = struct.unpack(">I4s", file.read(8))
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
        stop = end if size == 0 else start + size
        if not file.tell() <= stop <= end:
            return  # no such box fits here
        if kind == wanted:
            if kind == b"meta":
                file.seek(4, os.SEEK_CUR)  # its version
            if deeper:
                yield from _boxes(file, deeper, stop)
            elif stop - file.tell() <= MAX_BYTES + 8:
                yield file.read(stop - file.tell())
        file.seek(stop)


# webm, mov and gif

_FILMS = ("webm", "mov", "gif")


def _comment_of_film(name: str, kind: str) -> str | None:
    try:
        import av

        from export.lecture import document_in
    except ImportError as error:
        problem = f"a {kind} can't be read without av; pip install 'byhand[video]'"
        raise SentenceError(name, "", problem) from error
    with suppress(av.FFmpegError):
        return document_in(Path(name))
    return None


# SVG


def _svg_texts(file: IO[bytes]) -> Iterator[str]:
    metadata = _Metadata()
    parser = ElementTree.XMLParser(target=metadata)
    left = _MOST_SVG
    while piece := file.read(min(_PIECE, left)):
        left -= len(piece)
        parser.feed(piece)
        yield from metadata.taken()


class _Metadata:
    """Keeps the texts inside <metadata> and lets all else go: no tree of a huge picture."""

    def __init__(self) -> None:
        self._depth = 0
        self._pieces: list[str] = []
        self._length = 0
        self._texts: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins; it may hold a text if it is within metadata."""
        if self._depth or tag.rpartition("}")[2] == "metadata":
            self._depth += 1
            self._begin()

    def data(self, text: str) -> None:
        """A piece of text."""
        if self._depth and self._length <= MAX_BYTES:
            self._pieces.append(text)
            self._length += len(text)

    def end(self, tag: str) -> None:
        """An element ends, and its text with it."""
        if self._depth:
            self._depth -= 1
            self._texts.append("".join(self._pieces))
            self._begin()

    def taken(self) -> list[str]:
        """The texts that ended since it was asked last."""
        texts, self._texts = self._texts, []
        return texts

    def close(self) -> None:
        """The document ends."""

    def _begin(self) -> None:
        self._pieces, self._length = [], 0


# HTML

_SCRIPT = b'<script type="application/json" id="byhand">'


def _html_texts(file: IO[bytes]) -> Iterator[str]:
    # Piece by piece: a page of slides holds its clips, and may be larger than the memory.
    begins = True
    while piece := file.readline(_PIECE):
        if begins and piece.startswith(_SCRIPT):
            if not piece.endswith(b"\n"):
                piece += file.readline(2 * MAX_BYTES)
            yield piece.removeprefix(_SCRIPT).partition(b"</script>")[0].decode()
        begins = piece.endswith(b"\n")


# PDF


def _pdf_texts(file: IO[bytes]) -> Iterator[str]:
    data = file.read(_MOST_TEXT)
    entries = re.finditer(rb"/(?:byhand|Subject|Keywords)\s*([(<])", data)
    # A file made of nothing but such entries would be read as often.
    for entry in islice(filter(partial(_may_hold_document, data), entries), _MOST_ENTRIES):
        yield _decoded(_string(data, entry, 2 * MAX_BYTES))


def _may_hold_document(data: bytes, entry: re.Match[bytes]) -> bool:
    return _decoded(_string(data, entry, 64)).lstrip("\ufeff \t\r\n").startswith("{")


def _string(data: bytes, entry: re.Match[bytes], most: int) -> bytes:
    """The string that an entry of a PDF begins, as far as its first bytes tell."""
    stop = entry.end() + most
    return (_literal if entry[1] == b"(" else _hexadecimal)(data, entry.end(), stop)


def _decoded(raw: bytes) -> str:
    if raw.startswith(b"\xfe\xff"):
        return raw[2:].decode("utf-16-be", "replace")
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:].decode("utf-8", "replace")
    return raw.decode("latin-1")


_ESCAPES = {
    b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"",
}  # fmt: skip


_LITERAL = re.compile(rb"\\([0-7]{1,3}|\r\n|.)|[()]|[^\\()]+", re.DOTALL)


def _literal(data: bytes, start: int, stop: int) -> bytes:
    """A string in parentheses, which may stand inside it in pairs."""
    depth, text = 1, bytearray()
    for token in _LITERAL.finditer(data, start, stop):
        part, escape = token[0], token[1]
        if escape is not None:
            octal = re.fullmatch(rb"[0-7]+", escape)
            text += bytes([int(escape, 8) & 255]) if octal else _ESCAPES.get(escape[:1], escape)
            continue
        depth += {b"(": 1, b")": -1}.get(part, 0)
        if depth == 0:
            break
        text += part
    return bytes(text)


def _hexadecimal(data: bytes, start: int, stop: int) -> bytes:
    digits = re.sub(rb"[^0-9A-Fa-f]", b"", data[start:stop].partition(b">")[0])
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


_READERS: dict[str, Callable[[IO[bytes]], Iterator[str]]] = {
    "PNG": _png_texts,
    "SVG": _svg_texts,
    "page": _html_texts,
    "PDF": _pdf_texts,
    "mp4": _mp4_texts,
}
