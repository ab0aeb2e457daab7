"""Reading and writing `*.byhand.json`: strict on the way in, one canonical form on the way out."""

import codecs
import contextlib
import json
import math
import os
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from engine.notation import write_exactly
from engine.refusal import NotANumber, Problem, described, printable
from engine.sentence import (
    MAX_HEADS,
    MAX_WIDTH,
    MAX_WORDS,
    VERSION,
    Head,
    Sentence,
    problems,
    sentence_from,
)

MAX_BYTES: Final = 8_000_000

# A document full to its limits, with all its texts of commas, has some 320,000. Without this, 8 MB
# of [] would take 270 MB and seconds, only to be refused.
MAX_VALUES: Final = 400_000

_Repeated: TypeAlias = tuple[dict[str, Any], str]  # an object, and a key that it had twice


class SentenceError(ValueError):
    """A document that can't be read or written: one line naming file, place and what is right.

    file is the name as it was given; place is `heads[0].key[2]` or `line 3, column 5`, "" for
    the whole; advice says what would be right there.
    """

    def __init__(self, file: str, place: str, advice: str) -> None:
        super().__init__(file, place, advice)
        self.file = file
        self.place = place
        self.advice = advice

    def __str__(self) -> str:
        parts = (self.file or "''", self.place, self.advice)
        return printable(": ".join(part for part in parts if part))


def read_sentence(path: str | os.PathLike[str]) -> Sentence:
    """The sentence in a file.

    Raises SentenceError where the file can't be read or isn't a valid document; a file over 8 MB
    is refused unread.
    """
    name = os.fspath(path)
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise SentenceError(name, "", "isn't a regular file; give a .byhand.json file")
            if status.st_size > MAX_BYTES:
                raise _too_large(name, status.st_size)
            data = file.read(MAX_BYTES + 1)
    except SentenceError:
        raise
    except (OSError, ValueError) as error:
        raise _refused(error, name, "read") from error
    return parse_sentence(data, name)


def parse_sentence(data: bytes, name: str) -> Sentence:
    """The sentence in the bytes of a file of this name.

    Checked in this order: size, encoding, JSON, version, shape, duplicate keys, and whether the
    parts fit each other. Raises SentenceError with the first thing that is wrong.
    """
    if len(data) > MAX_BYTES:
        raise _too_large(name, len(data))
    tree, repeated = _parse_json(_decode(data, name), name)
    for problem in _wrong_version(tree):
        raise SentenceError(name, *problem)
    sentence = sentence_from(tree)
    if isinstance(sentence, Problem):
        raise SentenceError(name, *sentence)
    for problem in (*_repeated_keys(tree, repeated), *problems(sentence)):
        raise SentenceError(name, *problem)
    return sentence


def format_sentence(sentence: Sentence) -> str:
    """The canonical form of a valid sentence: the text that `write_sentence` writes.

    One vector a line; whole numbers without .0, others in the shortest digits that read back to
    the same float64; title and the four settings always, all else only where there is something.
    """
    return _object(_members(sentence), "") + "\n"


def write_sentence(sentence: Sentence, path: str | os.PathLike[str]) -> None:
    """Write a sentence in its canonical form, whole or not at all.

    A symbolic link is followed, an existing file keeps its mode, and a save that fails or is
    killed leaves the old file as it was. Raises SentenceError where the sentence isn't valid or
    the file can't be written.
    """
    name = os.fspath(path)
    for problem in problems(sentence):
        raise SentenceError(name, *problem)
    try:
        _replace(os.path.realpath(path), format_sentence(sentence).encode())
    except (OSError, ValueError) as error:
        raise _refused(error, name, "written") from error


# Reading


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes to doesn't hold us up."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _decode(data: bytes, name: str) -> str:
    """The text of a file: UTF-8, less a byte order mark."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data[:2]:
        raise SentenceError(name, "", "is UTF-16 or UTF-32; save it as UTF-8")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        place = _line_and_column(before.count("\n") + 1, len(before) - before.rfind("\n"))
        advice = f"isn't UTF-8 here (byte 0x{data[error.start]:02x}); save the file as UTF-8"
        raise SentenceError(name, place, advice) from None


def _parse_json(text: str, name: str) -> tuple[Any, list[_Repeated]]:
    """The data in a text, and every object in it that has a key twice."""
    if not text.strip():
        raise SentenceError(name, "", "is empty; `byhand new` writes a document to begin with")
    if sum(map(text.count, ",[{")) > MAX_VALUES:
        most = f"{MAX_WORDS} words, {MAX_HEADS} heads and {MAX_WIDTH} numbers a vector"
        raise SentenceError(name, "", f"holds more than a document can: {most} at most")
    repeated: list[_Repeated] = []

    def as_object(members: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(members)
        if len(made) < len(members):
            counts = Counter(key for key, _ in members)
            repeated.append((made, counts.most_common(1)[0][0]))
        return made

    try:
        tree = json.loads(
            text,
            object_pairs_hook=as_object,
            parse_int=_whole_number,
            parse_float=_number,
            parse_constant=NotANumber,
        )
    except json.JSONDecodeError as error:
        wrong = error.msg[0].lower() + error.msg[1:].removesuffix(" at")
        place = _line_and_column(error.lineno, error.colno)
        raise SentenceError(name, place, f"isn't JSON from here on: {wrong}") from None
    except RecursionError:
        raise SentenceError(
            name, "", "is nested too deeply; lists are three deep at most"
        ) from None
    return tree, repeated


def _whole_number(text: str) -> int | float | NotANumber:
    return int(text) if len(text) < 16 else _number(text)


def _number(text: str) -> float | NotANumber:
    """A JSON number; where it is too large for a float64, what was written."""
    value = float(text)
    return value if math.isfinite(value) else NotANumber(text)


def _wrong_version(tree: Any) -> Iterator[Problem]:
    """What keeps us from reading this version, before anything else is looked at."""
    if not isinstance(tree, dict):
        return
    right = f"{VERSION}, the version of the document"
    if "byhand" not in tree:
        yield Problem("byhand", f"is missing; it should be {right}")
        return
    version = tree["byhand"]
    if type(version) is int and version > VERSION:
        yield Problem(
            "byhand", f"is {version}, of a newer byhand; this one reads {VERSION}: update it"
        )
    elif type(version) is not int or version != VERSION:
        yield Problem("byhand", f"should be {right}, not {described(version)}")


def _repeated_keys(tree: Any, repeated: list[_Repeated]) -> Iterator[Problem]:
    """Where a key stands twice, in data whose shape is right: at the top or in a head."""
    places = {id(tree): ""} | {id(head): f"heads[{i}]." for i, head in enumerate(tree["heads"])}
    for made, key in repeated:
        if id(made) in places:
            yield Problem(places[id(made)] + key, "stands twice; keep one")


def _line_and_column(line: int, column: int) -> str:
    return f"line {line}, column {column}"


# Writing


def _members(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """The members of a document and their texts, in canonical order."""
    yield "byhand", str(VERSION)
    yield "title", _text(sentence.title)
    yield "words", f"[{', '.join(_text(word) for word in sentence.words)}]"
    for name in ("asks", "shows", "gives"):
        if (texts := getattr(sentence, name)) is not None:
            yield name, _list([_text(text) for text in texts], "  ")
    if sentence.embeddings is not None:
        yield "embeddings", _matrix(sentence.embeddings, "  ")
    if sentence.positions != "none":
        yield "positions", _text(sentence.positions)
    yield "heads", _list([_object(_head_members(head), "    ") for head in sentence.heads], "  ")
    if sentence.w_output is not None:
        yield "w_output", _matrix(sentence.w_output, "  ")
    if sentence.mask is not None:
        yield "mask", _list([f"[{', '.join(map(_bool, row))}]" for row in sentence.mask], "  ")
    yield "focus", str(sentence.focus)
    yield "scaled", _bool(sentence.scaled)
    yield "causal", _bool(sentence.causal)
    yield "temperature", write_exactly(sentence.temperature)


def _head_members(head: Head) -> Iterator[tuple[str, str]]:
    yield "name", _text(head.name)
    for name in Head.__struct_fields__[1:]:
        if (rows := getattr(head, name)) is not None:
            yield name, _matrix(rows, "      ")


def _object(members: Iterable[tuple[str, str]], indent: str) -> str:
    lines = ",\n".join(f'{indent}  "{key}": {text}' for key, text in members)
    return f"{{\n{lines}\n{indent}}}"


def _list(items: Iterable[str], indent: str) -> str:
    lines = ",\n".join(f"{indent}  {item}" for item in items)
    return f"[\n{lines}\n{indent}]"


def _matrix(rows: Iterable[Iterable[float]], indent: str) -> str:
    return _list([f"[{', '.join(map(write_exactly, row))}]" for row in rows], indent)


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _replace(target: str, data: bytes) -> None:
    """Put data where target is, by way of a temporary file beside it.

    The temporary's name is short, since the target's may be as long as a name can be.
    """
    old = os.stat(target) if os.path.exists(target) else None
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise IsADirectoryError if stat.S_ISDIR(old.st_mode) else OSError("it isn't a regular file")
    if old is not None and not os.access(target, os.W_OK):
        # os.replace asks the folder only, and would replace what was made read-only on purpose.
        raise PermissionError
    folder = os.path.dirname(target)
    temporary = os.path.join(folder, f".byhand-{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666)
    try:
        with open(descriptor, "wb") as file:
            if old is not None:
                _take_after(old, descriptor)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _take_after(old: os.stat_result, descriptor: int) -> None:
    """Give a new file the owner, where we may, and the mode of the one it takes the place of."""
    if sys.platform != "win32":
        if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, old.st_uid, old.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: str) -> None:
    """Make a new name in a folder last, on systems where a folder can be synced."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# Refusals


def _too_large(name: str, size: int) -> SentenceError:
    limit = MAX_BYTES // 1_000_000
    return SentenceError(name, "", f"is {size:,} bytes; a document has at most {limit} MB")


def _refused(error: Exception, name: str, done: str) -> SentenceError:
    """What the system had against reading or writing a file, in our words."""
    match error:
        case FileNotFoundError() if done == "read":
            advice = "there is no such file; `byhand new` writes one"
        case FileNotFoundError() | NotADirectoryError():
            advice = "there is no such folder to write to; make it first"
        case IsADirectoryError():
            advice = "is a folder; give a .byhand.json file in it"
        case PermissionError():
            advice = f"may not be {done}; change its permissions or give another file"
        case OSError():
            reason = (error.strerror or str(error)).lower()
            advice = f"can't be {done} ({reason}); give another file"
        case _:
            advice = f"can't be {done}: that is no name for a file; give another"
    return SentenceError(name, "", advice)
