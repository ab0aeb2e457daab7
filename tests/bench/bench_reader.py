"""The document reader against 100,000 damaged files, and against files made to exhaust it.

`make bench`, or `pytest -m bench -s` on this file. The damage is done in a fresh process, so that
its memory is the reader's own; every file comes from its number, so that one that fails can be
made again: `damaged(sources(), 4711)`. No file may take a second of processor time.
"""

import json
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from engine.files import MAX_BYTES, SentenceError, format_sentence, parse_sentence, read_sentence
from engine.presets import load_preset, preset_names
from engine.sentence import MAX_HEADS, MAX_WIDTH, MAX_WORDS, Head, Sentence
from export.hard_sentences import HARD_SENTENCES

pytestmark = pytest.mark.bench

FILES = 100_000
SECONDS = 1.0
LONGEST = 300
"""Characters of a refusal, less the file's name."""

ALLOWED = 200
"""MB that the whole process may take, Python and NumPy among them."""

NAME = "damaged.byhand.json"

REFUSALS = (
    "is UTF-16 or UTF-32",
    "isn't UTF-8 here",
    "is empty",
    "isn't JSON from here on",
    "nested too deeply",
    "more than a document can",
    "a document has at most",
    "of a newer byhand",
    "is missing",
    "is an unknown key",
    "lone surrogate",
    "stands twice",
    "is taken",
    "should give",
    "should have",
    "should be",
)
"""What every refusal says one of."""

JUNK = (
    None, True, False, 0, -1, 7, 2.5, 1e300, -1e300, 10**400, 1e-320, float("nan"), float("inf"),
    "", " ", "the", "x" * 5_000, "\ud800", "a\0b", "a\nb", "\u202e", "\x1b[31m", "\U000e0001" * 90,
    [], [[]], [1], [[1]], [True], {}, {"": 1}, {"name": "h"}, [None] * 70, "1", "NaN",
)  # fmt: skip


# Damage to bytes


def flipped(data, rng, other):
    """Some bits turned over."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


def cut(data, rng, other):
    """A piece taken out, often all that follows."""
    start = rng.randrange(len(data))
    end = rng.choice((len(data), start + rng.randint(1, 40)))
    return data[:start] + data[end:]


def spliced(data, rng, other):
    """The beginning of one document, the end of another."""
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]


def duplicated(data, rng, other):
    """A piece written several times."""
    start = rng.randrange(len(data))
    end = start + rng.randint(1, 200)
    return data[:end] + data[start:end] * rng.choice((1, 2, 100)) + data[end:]


def littered(data, rng, other):
    """Bytes that belong elsewhere: NUL, marks, halves of characters, JSON's own signs."""
    litter = rng.choice(
        (b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xc3", b"[", b"]", b"{", b"}",
         b'"', b",", b"-", b"e9", b"NaN", b"\\u0000", b"\\ud83d", b"\\", b"\r\n", b"\x1b[2J")
    )  # fmt: skip
    at = rng.randrange(len(data) + 1)
    return data[:at] + litter + data[at:]


def recoded(data, rng, other):
    """Another encoding, with its mark or without."""
    encoding = rng.choice(("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7"))
    return data.decode().encode(encoding)


# Damage to what the document says


def _places(tree):
    """Every list and object in the data, with each of its keys or indices."""
    members = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in members:
        yield tree, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _changed(data, rng, change):
    tree = json.loads(data)
    place, key = rng.choice(list(_places(tree)))
    change(place, key)
    return json.dumps(tree, ensure_ascii=rng.random() < 0.5).encode(errors="surrogatepass")


def dropped(data, rng, other):
    """A key or an entry left out."""
    return _changed(data, rng, lambda place, key: place.pop(key))


def retyped(data, rng, other):
    """A value of another type or size: huge numbers, long texts, half characters, nothing."""
    return _changed(data, rng, lambda place, key: place.__setitem__(key, rng.choice(JUNK)))


def moved(data, rng, other):
    """A part of another document in the place of this one's."""
    parts, name = rng.choice(list(_places(json.loads(other))))
    return _changed(data, rng, lambda place, key: place.__setitem__(key, parts[name]))


def renamed(data, rng, other):
    """A key with another name."""

    def change(place, key):
        if isinstance(place, dict):
            name = str(rng.choice((*place, key + "s", key.upper(), *map(str, JUNK))))
            place[name] = place.pop(key)
        else:
            place.append(place[key])

    return _changed(data, rng, change)


def doubled(data, rng, other):
    """A key that stands twice."""
    key = rng.choice(list(re.finditer(rb'"\w+": ', data)))
    value = json.dumps(rng.choice(JUNK)).encode()
    return data[: key.start()] + key[0] + value + b", " + data[key.start() :]


def nested(data, rng, other):
    """A value deep inside lists or objects."""
    depth = rng.choice((1, 2, 10, 500, 5_000))
    left, right = rng.choice((("[", "]"), ('{"a": ', "}")))
    text = _changed(data, rng, lambda place, key: place.__setitem__(key, "HERE")).decode(
        errors="surrogatepass"
    )
    return text.replace('"HERE"', left * depth + "1" + right * depth).encode(errors="surrogatepass")


DAMAGE = (
    flipped, cut, spliced, duplicated, littered, recoded,
    dropped, retyped, moved, renamed, doubled, nested,
)  # fmt: skip


def sources():
    """All presets and hard sentences, as they are written."""
    sentences = (*map(load_preset, preset_names()), *HARD_SENTENCES.values())
    return [format_sentence(sentence).encode() for sentence in sentences]


def damaged(documents, number):
    """The damage done to file `number`, and its bytes."""
    rng = random.Random(number)
    data, other = rng.choices(documents, k=2)
    damage = DAMAGE[number % len(DAMAGE)]
    return damage.__name__, damage(data, rng, other)


# Files made to exhaust the reader: as large as is read, and worst for their size


def _filled(start, piece, end):
    start, piece, end = start.encode(), piece.encode(), end.encode()
    return start + piece * ((MAX_BYTES - len(start) - len(end)) // len(piece)) + end


def largest():
    """A valid document with as many words, heads, numbers and digits as may be."""
    rng = random.Random(0)
    row = tuple(rng.uniform(-1e-5, 0) for _ in range(MAX_WIDTH))
    vectors = (row,) * MAX_WORDS
    heads = tuple(
        Head(name=f"{i}".ljust(80, ","), query=vectors, key=vectors, value=vectors)
        for i in range(MAX_HEADS)
    )
    story = ("," * 200,) * MAX_WORDS
    sentence = Sentence(
        byhand=1, title="," * 200, words=("," * 80,) * MAX_WORDS, heads=heads,
        asks=story, shows=story, gives=story, embeddings=vectors,
        w_output=(row,) * (MAX_HEADS * MAX_WIDTH), mask=((True,) * MAX_WORDS,) * MAX_WORDS,
    )  # fmt: skip
    return format_sentence(sentence).encode()


def bombs():
    """The names of the files made to exhaust the reader, and their bytes."""
    for inner in ("[]", "[0]", "{}", "1.5", "NaN", '"ab"', '"猫"', '{"a":0,"a":0}', "1e999", "-1"):
        yield f"a list of {inner}", _filled("[", f"{inner},", f"{inner}]")
        words = f'{{"byhand": 1, "words": [{inner}'
        yield f"words of {inner}", _filled(words, f",{inner}", '], "heads": []}')
    yield "a number", _filled('{"byhand": ', "9", "}")
    yield "a fraction", _filled('{"byhand": 1.', "9", "}")
    yield "a title", _filled('{"byhand": 1, "title": "', "x", '"}')
    yield "a title in other planes", _filled('{"byhand": 1, "title": "', "😀", '"}')
    yield "a key", _filled('{"byhand": 1, "', "x", '": 1}')
    yield "a key of many kinds", _filled('{"byhand": 1, "', "wordsheadstitle", '": 1}')
    yield "keys alike", _filled('{"byhand": 1', ', "byhand": 1', "}")
    keys = ",".join(f'"k{i}":0' for i in range(380_000))
    yield "keys unlike", f"{{{keys}}}".encode()
    yield "commas in a title", _filled('{"byhand": 1, "title": "', ",", '"}')
    yield "the largest document there is", largest()
    yield "brackets", b"[" * MAX_BYTES
    yield "braces", _filled("", '{"a":', "")
    yield "blanks", b" " * MAX_BYTES
    yield "NUL", b"\0" * MAX_BYTES
    yield "line feeds, then not UTF-8", b"\n" * (MAX_BYTES - 1) + b"\xff"
    yield "escapes", _filled('{"byhand": 1, "title": "', "\\ud83d\\ude00", '"}')


# In the fresh process


def read(data):
    """What a file of these bytes ends as: "valid" or a kind of refusal, and what it cost."""
    start = time.process_time()
    try:
        sentence = parse_sentence(data, NAME)
    except SentenceError as error:
        taken = time.process_time() - start
        line = str(error).removeprefix(f"{NAME}: ")
        assert line.isprintable(), line
        assert len(line) <= LONGEST, line
        return next(kind for kind in REFUSALS if kind in line), taken
    taken = time.process_time() - start
    text = format_sentence(sentence)
    assert parse_sentence(text.encode(), NAME) == sentence
    return "valid", taken


def peak():
    """The most memory this process has held, in MB.

    Not `getrusage`, whose number an exec hands on from the process before.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def measure(cases):
    """Read all files; print what they ended as, as JSON."""
    ended, slowest = {}, {}
    now = None

    def too_long(*_):
        raise AssertionError(f"{now} hangs")

    signal.signal(signal.SIGVTALRM, too_long)
    for now, kind, data in cases:
        signal.setitimer(signal.ITIMER_VIRTUAL, 10 * SECONDS)
        try:
            outcome, taken = read(data)
        except Exception as error:
            raise AssertionError(f"{now} ({kind})") from error
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        ended.setdefault(kind, Counter())[outcome] += 1
        slowest[kind] = max(slowest.get(kind, 0), taken)
    print(json.dumps({"ended": ended, "slowest": slowest, "peak": peak()}))


def main(what, path):
    if what == "damage":
        documents = sources()
        measure((i, *damaged(documents, i)) for i in range(FILES))
    elif what == "bombs":
        measure((name, name, data) for name, data in bombs() if name == path)
    else:
        try:
            read_sentence(path)
        except SentenceError:
            print(json.dumps({"peak": peak()}))


# What is measured


def in_a_fresh_process(what, path=""):
    command = [sys.executable, __file__, what, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_100000_damaged_files_are_refused_in_one_line_or_valid():
    start = time.perf_counter()
    told = in_a_fresh_process("damage")
    print(f"\n{'damage':12}{'files':>8}{'valid':>8}{'slowest':>10}")
    outcomes = Counter()
    for kind, counts in told["ended"].items():
        outcomes.update(counts)
        valid = counts.get("valid", 0)
        print(f"{kind:12}{sum(counts.values()):8}{valid:8}{told['slowest'][kind] * 1e3:7.1f} ms")
    print(f"\n{'ended as':32}{'files':>8}")
    for outcome, count in outcomes.most_common():
        print(f"{outcome:32}{count:8}")
    print(f"\npeak {told['peak']:.0f} MB, {time.perf_counter() - start:.0f} s in all")
    assert sum(outcomes.values()) == FILES
    assert max(told["slowest"].values()) < SECONDS
    assert told["peak"] < ALLOWED


def test_files_made_to_exhaust_it_take_neither_a_second_nor_200_mb():
    print(f"\n{'8 MB of':32}{'MB':>6}{'seconds':>9}  ended as")
    rows = []
    for name, data in bombs():
        assert len(data) <= MAX_BYTES, name
        told = in_a_fresh_process("bombs", name)
        rows.append((told["peak"], told["slowest"][name], name))
        print(f"{name:32}{told['peak']:6.0f}{rows[-1][1]:9.2f}  {'; '.join(told['ended'][name])}")
    assert max(rows)[0] < ALLOWED
    assert max(seconds for _, seconds, _ in rows) < SECONDS


def test_a_300_mb_file_takes_less_than_200_mb(tmp_path):
    path = tmp_path / NAME
    with path.open("wb") as file:
        file.truncate(300_000_000)
    told = in_a_fresh_process("file", path)
    print(f"\na file of 300 MB: peak {told['peak']:.0f} MB")
    assert told["peak"] < ALLOWED


if __name__ == "__main__":
    main(*sys.argv[1:])
