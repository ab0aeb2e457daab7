"""Documents on disk: refused in one clear line, written whole or not at all."""

import contextlib
import errno
import json
import os
import pickle
import signal
import stat
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import engine
from engine.files import (
    MAX_BYTES,
    SentenceError,
    format_sentence,
    parse_sentence,
    read_sentence,
    write_sentence,
)
from engine.presets import load_preset
from engine.sentence import (
    MAX_HEADS,
    MAX_WIDTH,
    MAX_WORDS,
    Head,
    Sentence,
    new_sentence,
    problems,
)

NAME = "cat.byhand.json"
FOCUS = "a whole number from 0 to 63: a word, counted from 0"
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and signals are POSIX's")


@pytest.fixture
def cat():
    return load_preset("the-cat-sat-down")


@pytest.fixture
def path(tmp_path):
    return tmp_path / NAME


def _document(**changes):
    """The post's document as plain data, changed; None takes a key away."""
    data = json.loads(format_sentence(load_preset("the-cat-sat-down"))) | changes
    return {key: value for key, value in data.items() if value is not None}


def _refusal(data):
    """What is said of a document, which must be one line that begins with the file's name."""
    if not isinstance(data, bytes):
        data = (data if isinstance(data, str) else json.dumps(data)).encode()
    with pytest.raises(SentenceError) as caught:
        parse_sentence(data, NAME)
    line = str(caught.value)
    assert line.startswith(f"{NAME}: ")
    assert line.isprintable()
    return line.removeprefix(f"{NAME}: ")


def _head(**changes):
    head = _document()["heads"][0] | changes
    return [{key: value for key, value in head.items() if value is not None}]


# Reading


def test_the_example_of_the_design_is_read():
    text = """{
      "byhand": 1,
      "title": "The cat sat down",
      "words": ["the", "cat", "sat", "down"],
      "heads": [{"name": "subject",
                 "query": [[0, 1], [1, 1], [2, 0], [1, 0]],
                 "key":   [[0, 1], [2, 0], [1, 1], [0, 2]],
                 "value": [[1, 0], [4, 0], [0, 2], [1, 1]]}],
      "focus": 2, "scaled": true, "causal": false, "temperature": 1.0
    }"""
    expected = replace(load_preset("the-cat-sat-down"), asks=None, shows=None, gives=None)
    assert parse_sentence(text.encode(), NAME) == expected


def test_only_version_words_and_heads_are_required():
    text = '{"byhand": 1, "words": ["a"], "heads": [{"name": "h", %s}]}'
    vectors = '"query": [[1]], "key": [[1]], "value": [[1]]'
    sentence = parse_sentence((text % vectors).encode(), NAME)
    assert (sentence.title, sentence.focus, sentence.scaled) == ("", 0, True)
    assert (sentence.causal, sentence.temperature, sentence.positions) == (False, 1, "none")


@pytest.mark.case(21)
def test_a_byte_order_mark_is_accepted_and_not_written_back(path, cat):
    """A BOM is accepted."""
    path.write_bytes(b"\xef\xbb\xbf" + format_sentence(cat).encode())
    sentence = read_sentence(path)
    assert sentence == cat
    write_sentence(sentence, path)
    assert path.read_bytes().startswith(b"{")


@pytest.mark.case(21)
def test_a_higher_version_is_complained_of_first():
    """`"byhand": 99`: one clear line; the version is complained of before all else."""
    document = {"byhand": 99, "unknown": 1, "words": 3}
    assert _refusal(document) == "byhand: is 99, of a newer byhand; this one reads 1: update it"


@pytest.mark.parametrize(
    ("version", "shown"),
    [(0, "0"), (1.0, "1.0"), (True, "true"), ("1", '"1"'), ([], "a list of 0")],
)
def test_a_version_that_is_none_is_refused(version, shown):
    refusal = _refusal(_document(byhand=version))
    assert refusal == f"byhand: should be 1, the version of the document, not {shown}"


def test_a_missing_version_is_complained_of_first():
    assert _refusal({"unknown": 1}).startswith("byhand: is missing; it should be 1, the version")


@pytest.mark.case(21)
def test_unknown_keys_are_refused_by_name():
    """Unknown keys: one clear line each."""
    assert _refusal(_document(colour="red")).startswith(
        "colour: is an unknown key; the keys here are byhand, title, words"
    )
    assert _refusal(_document(heads=_head(quary=[[1]]))) == (
        "heads[0].quary: is an unknown key; did you mean query?"
    )


@pytest.mark.parametrize(
    "key", ["", "a b", "a\nb", "`", "x" * 5000, "\ud800", "\u202e", "\U000e0001" * 40]
)
def test_unknown_keys_of_any_kind_are_refused_in_one_line(key):
    assert len(_refusal(_document(**{key: 1}))) < 300


@pytest.mark.case(21)
@pytest.mark.parametrize("key", ["x` - at `$", "x` - at `$.heads", "x` - at `$.heads[0].key[9]"])
def test_an_unknown_key_that_looks_like_a_place_is_refused_by_name(key):
    """Unknown keys: one clear line each, whatever is in them."""
    assert _refusal(_document(**{key: 1})).startswith(
        f'"{key}" is an unknown key; the keys here are byhand, title, words'
    )
    assert _refusal(_document(heads=_head(**{key: 1}))).startswith(
        f'heads[0]: "{key}" is an unknown key; the keys here are name, query'
    )


@pytest.mark.case(21)
@pytest.mark.parametrize("key", ["words", "heads"])
def test_missing_keys_are_refused_by_name(key):
    """Missing keys: one clear line each."""
    refusal = _refusal(_document(**{key: None}))
    assert refusal.startswith(f"{key}: is missing; it should be a list of 1 to ")


def test_a_missing_name_is_refused_with_its_head():
    assert _refusal(_document(heads=_head(name=None))).startswith("heads[0].name: is missing")


@pytest.mark.case(21)
def test_wrong_row_counts_are_refused_with_the_right_one():
    """Wrong row counts: one clear line each."""
    refusal = _refusal(_document(heads=_head(key=[[0, 1], [2, 0], [1, 1]])))
    assert refusal == "heads[0].key: should have 4 rows, one a word; it has 3"


@pytest.mark.case(21)
@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ('{"byhand": 1, "byhand": 1, REST', "byhand: stands twice; keep one"),
        ('{"byhand": 1, "focus": 0, "focus": 0, REST', "focus: stands twice; keep one"),
        ('{"byhand": 1, HEAD "name": "h"}]}', "heads[0].name: stands twice; keep one"),
    ],
)
def test_duplicate_keys_are_refused_with_their_place(text, refusal):
    """Duplicate keys: one clear line each."""
    head = '"words": ["a"], "heads": [{"name": "h", "query": [[1]], "key": [[1]], "value": [[1]],'
    rest = head[:-1] + "}]}"
    assert _refusal(text.replace("REST", rest).replace("HEAD", head)) == refusal


def test_a_duplicate_key_within_what_is_dropped_is_refused_too():
    text = format_sentence(load_preset("a-tie")).replace(
        '"focus"', '"mask": {"a": 1, "a": 1}, "focus"'
    )
    assert _refusal(text).startswith("mask: should be a list")


@pytest.mark.case(21)
def test_a_300_mb_file_is_refused_unread(path):
    """A 300 MB file: one clear line, and it isn't read."""
    with path.open("wb") as file:
        file.truncate(300_000_000)
    tracemalloc.start()
    with pytest.raises(SentenceError, match=r"is 300,000,000 bytes; a document has at most 8 MB"):
        read_sentence(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_8_mb_are_read_and_a_byte_more_is_not(path, cat):
    full = format_sentence(cat).encode().rjust(MAX_BYTES)
    refusal = f"{path}: is 8,000,001 bytes; a document has at most 8 MB"
    path.write_bytes(full)
    assert read_sentence(path) == cat
    path.write_bytes(b" " + full)
    with pytest.raises(SentenceError) as caught:
        read_sentence(path)
    assert str(caught.value) == refusal
    with pytest.raises(SentenceError) as caught:
        parse_sentence(b" " + full, str(path))
    assert str(caught.value) == refusal


@pytest.mark.case(21)
@pytest.mark.parametrize("piece", ["[],", "{},", "1,", "NaN,", '"\u732b",', '{"a":0,"a":0},'])
def test_8_mb_of_values_are_refused_before_they_take_many_times_that(piece):
    """A 300 MB file, and one of 8 MB that would become one: one clear line."""
    bomb = f"[{piece * (7_000_000 // len(piece.encode()))}0]".encode()
    tracemalloc.start()
    refusal = _refusal(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refusal == (
        "holds more than a document can: 64 words, 16 heads and 64 numbers a vector at most"
    )
    assert peak < 40_000_000


def test_a_key_of_8_mb_is_refused_without_looking_for_its_like():
    bomb = b'{"byhand": 1, "%s": 1}' % (b"wordsheadstitle" * 500_000)
    tracemalloc.start()
    assert '"wordsheadstitlewordsheadstitlewordshead…" is an unknown key' in _refusal(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000_000


def test_a_document_full_to_its_limits_is_read():
    vectors, story = [[0] * MAX_WIDTH] * MAX_WORDS, ["," * 200] * MAX_WORDS
    given = {"query": vectors, "key": vectors, "value": vectors}
    heads = [{"name": f"{i}".ljust(80, ","), **given} for i in range(MAX_HEADS)]
    full = {
        "byhand": 1, "title": "," * 200, "words": ["," * 80] * MAX_WORDS,
        "asks": story, "shows": story, "gives": story, "embeddings": vectors, "heads": heads,
        "w_output": vectors * MAX_HEADS, "mask": [[True] * MAX_WORDS] * MAX_WORDS,
    }  # fmt: skip
    assert len(parse_sentence(json.dumps(full).encode(), NAME).heads) == MAX_HEADS


@pytest.mark.case(21)
@pytest.mark.parametrize("start", ["", '{"byhand": 1, "words": ', '{"x": '])
@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}")])
def test_10000_nested_lists_are_refused_in_one_line(start, left, right):
    """10,000 nested lists: one clear line."""
    bomb = start + left * 10_000 + "1" + right * 10_000 + ("}" if start else "")
    assert "nested too deeply" in _refusal(bomb)


@pytest.mark.parametrize("depth", [10, 200, 600])
def test_lists_nested_less_deeply_are_refused_by_their_place(depth):
    bomb = '{"byhand": 1, "words": ' + "[" * depth + "]" * depth + "}"
    assert _refusal(bomb).startswith("words[0]: should be a text of 1 to 80 characters")


@pytest.mark.case(21)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_utf_16_is_refused_with_the_encoding_to_use(encoding):
    """UTF-16: one clear line."""
    assert _refusal('{"byhand": 1}'.encode(encoding)) == "is UTF-16 or UTF-32; save it as UTF-8"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_not_utf_8_are_refused_with_line_and_column(mark):
    refusal = _refusal(mark + '{"byhand": 1,\n "title": "naïve"}'.encode("latin-1"))
    assert refusal == "line 2, column 14: isn't UTF-8 here (byte 0xef); save the file as UTF-8"


@pytest.mark.case(21)
@pytest.mark.parametrize("written", ["\\u0000", "\0"])
def test_nul_in_a_word_is_refused(written):
    """NUL in a word: one clear line, whether it is escaped or not."""
    text = json.dumps(_document()).replace('"cat"', f'"c{written}t"')
    refusal = _refusal(text)
    assert refusal.startswith(("words[1]: should be a text", "line 1, column "))


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"words": ["the", "c\nt", "sat", "down"]}, "words[1]"),
        ({"words": ["the", "cat\ud800", "sat", "down"]}, "words[1]"),
        ({"title": "a\x1bb"}, "title"),
        ({"title": "\udfff"}, "title"),
        ({"heads": _head(name="a\ud800")}, "heads[0].name"),
        ({"asks": ["a\tb", "", "", ""]}, "asks[0]"),
    ],
)
def test_control_characters_and_half_characters_are_refused_with_their_place(changes, place):
    assert _refusal(_document(**changes)).startswith(f"{place}: ")


@pytest.mark.case(1)
@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", "1e309", "-1e309", "9" * 400, "9" * 5000]
)
def test_what_is_no_finite_number_is_refused_by_name(number):
    """`nan`, `inf`, `1e309` in the file: refused by name."""
    text = json.dumps(_document(heads=_head(query=[[0, 1], [1, 12345], [2, 0], [1, 0]])))
    refusal = _refusal(text.replace("12345", number))
    shown = number if len(number) <= 20 else f"999999999999… ({len(number)} characters)"
    expected = f"heads[0].query[1][1]: should be a number from -1000000 to 1000000, not {shown}"
    assert refusal == expected


@pytest.mark.case(1)
@pytest.mark.parametrize("number", ["nan", "inf", "-", "", "1,", "+1", ".5", "1.", "0x1", "01"])
def test_what_is_no_json_number_is_refused_with_line_and_column(number):
    """`nan`, `inf`, `-`, `` (empty) in the file: refused, with the line and column."""
    text = json.dumps(_document(heads=_head(query=[[0, 1], [1, 12345], [2, 0], [1, 0]])))
    assert _refusal(text.replace("12345", number)).startswith("line 1, column ")


@pytest.mark.parametrize(
    ("value", "shown"),
    [("2", '"2"'), (True, "true"), (None, "null"), ([1], "a list of 1"), ({}, "an object"),
     (1_000_001, "1000001"), (-1e7, "-10000000.0"), (1e300, "1e+300")],
)  # fmt: skip
def test_numbers_are_json_numbers_within_a_million(value, shown):
    refusal = _refusal(_document(heads=_head(key=[[0, 1], [2, 0], [value, 1], [0, 2]])))
    expected = f"heads[0].key[2][0]: should be a number from -1000000 to 1000000, not {shown}"
    assert refusal == expected


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"focus": 2.0}, f"focus: should be {FOCUS}, not 2.0"),
        ({"focus": -1}, f"focus: should be {FOCUS}, not -1"),
        ({"focus": 4}, "focus: should be a word from 0 to 3, not 4"),
        ({"causal": 1}, "causal: should be true or false, not 1"),
        ({"temperature": 0}, "temperature: should be a number from 0.01 to 100, not 0"),
        ({"words": "the cat"}, 'words: should be a list of 1 to 64 words, not "the cat"'),
        ({"words": ["a"] * 65}, "words: should be a list of 1 to 64 words, not a list of 65"),
        ({"mask": [[1, 0, 0, 0]] * 4}, "mask[0][0]: should be true or false, not 1"),
        ({"mask": [True] * 4}, "mask[0]: should be a row of true and false, one a word, not true"),
        ({"w_output": [[]]}, "w_output[0]: should be a list of 1 to 64 numbers, not a list of 0"),
        ({"w_output": [[1]] * 1025},
         "w_output: should be a list of 1 to 1024 rows of numbers, not a list of 1025"),
        ({"heads": _head(query=3)},
         "heads[0].query: should be a list of 1 to 64 vectors, one a word, not 3"),
        ({"heads": _head(value=[[1] * 65] * 4)},
         "heads[0].value[0]: should be a list of 1 to 64 numbers, not a list of 65"),
        ({"heads": _head(w_query=3)},
         "heads[0].w_query: should be a list of 1 to 64 rows of numbers, not 3"),
        ({"heads": [3]}, "heads[0]: should be an object with name, query, key and value "
         "(or w_query, w_key and w_value), not 3"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_place_and_what_would_be_right(changes, refusal):
    assert _refusal(_document(**changes)) == refusal


@pytest.mark.parametrize("document", ["[]", "3", '"x"', "null", "NaN"])
def test_what_is_no_object_is_refused(document):
    expected = "should be an object with byhand, words and heads, not "
    assert _refusal(document).startswith(expected)


@pytest.mark.parametrize("document", [b"", b" \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(document):
    assert _refusal(document).startswith("is empty; ")


def test_broken_json_is_refused_with_line_and_column():
    refusal = _refusal('{"byhand": 1,\n "words": ["naïve" "cat"]}')
    assert refusal == "line 2, column 20: isn't JSON from here on: expecting ',' delimiter"


@unhurried
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_one_line(data):
    _refusal(data)


@unhurried
@given(data=st.data())
def test_any_small_damage_is_refused_or_leaves_a_valid_sentence(data):
    text = bytearray(format_sentence(load_preset("a-tie")).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        text[start : start + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=4))
    with contextlib.suppress(SentenceError):
        assert problems(parse_sentence(bytes(text), NAME)) == ()


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=90),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)


def _places(tree):
    """Every list and object in plain data, with each of its keys or indices."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield tree, key
        if isinstance(value, dict | list):
            yield from _places(value)


@unhurried
@given(st.sampled_from(["a-tie", "two-heads"]), st.randoms(use_true_random=False), _json)
def test_anything_in_any_place_is_refused_in_one_line_or_leaves_a_valid_sentence(
    name, random, anything
):
    document = json.loads(format_sentence(load_preset(name)))
    place, key = random.choice(list(_places(document)))
    place[key] = anything
    try:
        sentence = parse_sentence(json.dumps(document).encode(), NAME)
    except SentenceError as error:
        line = str(error)
    else:
        line = ""
        assert parse_sentence(format_sentence(sentence).encode(), NAME) == sentence
    assert len(line) < 300
    assert line.isprintable()


# What the system has against reading


def test_a_missing_file_is_refused(path):
    with pytest.raises(SentenceError, match="there is no such file; `byhand new` writes one"):
        read_sentence(path)


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(SentenceError, match=r"is a folder|isn't a regular file"):
        read_sentence(tmp_path)


@pytest.mark.parametrize("name", ["a\0b", "\ud800", ""])
def test_what_is_no_file_name_is_refused_in_one_line(name):
    with pytest.raises(SentenceError) as caught:
        read_sentence(name)
    assert str(caught.value).isprintable()


def test_a_refusal_of_a_name_says_what_could_not_be_done(cat):
    for act, done in ((read_sentence, "read"), (lambda name: write_sentence(cat, name), "written")):
        with pytest.raises(SentenceError) as caught:
            act("a\0b")
        expected = f"a\\x00b: can't be {done}: that is no name for a file; give another"
        assert str(caught.value) == expected


def test_no_name_at_all_is_seen_to_be_none():
    with pytest.raises(SentenceError) as caught:
        read_sentence("")
    assert str(caught.value).startswith("'': ")


@posix
def test_a_pipe_is_refused_without_waiting_for_a_writer(path):
    os.mkfifo(path)
    with pytest.raises(SentenceError) as caught:
        read_sentence(path)
    assert str(caught.value) == f"{path}: isn't a regular file; give a .byhand.json file"


@posix
def test_a_file_that_may_not_be_read_is_refused(path, cat):
    write_sentence(cat, path)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root may read everything")
    with pytest.raises(SentenceError, match="may not be read"):
        read_sentence(path)


def test_a_refusal_has_file_place_and_advice(path):
    path.write_text('{"byhand": 2}', encoding="utf-8")
    with pytest.raises(SentenceError) as caught:
        read_sentence(path)
    assert (caught.value.file, caught.value.place) == (str(path), "byhand")
    assert caught.value.advice.startswith("is 2, of a newer byhand")
    assert str(caught.value) == f"{path}: byhand: {caught.value.advice}"


def test_a_refusal_survives_the_way_between_processes():
    error = pickle.loads(pickle.dumps(SentenceError("a", "b", "c")))
    assert (error.file, error.place, error.advice) == ("a", "b", "c")


def test_a_line_feed_in_a_file_name_stays_on_the_line():
    assert str(SentenceError("a\nb", "", "c")) == "a\\nb: c"


# Writing

_numbers = st.floats(-1e6, 1e6) | st.integers(-1_000_000, 1_000_000).map(float)
_characters = st.characters(
    codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"], exclude_characters="\ufffe\uffff"
)
_texts = st.text(_characters, max_size=12)


@st.composite
def _sentences(draw):
    """Any valid sentence."""
    n = draw(st.integers(1, 5))
    d_model, d_k = draw(st.integers(1, 3)), draw(st.integers(1, 3))

    def matrix(rows, width):
        return tuple(tuple(draw(_numbers) for _ in range(width)) for _ in range(rows))

    def maybe(made):
        return draw(st.none() | st.just(made))

    names = draw(st.lists(_texts.filter(bool), min_size=1, max_size=3, unique=True))
    embeddings = maybe(matrix(n, d_model))
    heads, width = [], 0
    for name in names:
        d_v = draw(st.integers(1, 3))
        width += d_v
        if embeddings is not None and draw(st.booleans()):
            query, key, value = matrix(d_model, d_k), matrix(d_model, d_k), matrix(d_model, d_v)
            heads.append(Head(name=name, w_query=query, w_key=key, w_value=value))
        else:
            query, key, value = matrix(n, d_k), matrix(n, d_k), matrix(n, d_v)
            heads.append(Head(name=name, query=query, key=key, value=value))
    story = st.none() | st.lists(_texts, min_size=n, max_size=n).map(tuple)
    row = st.lists(st.booleans(), min_size=n, max_size=n).map(tuple)
    return Sentence(
        byhand=1,
        title=draw(_texts),
        words=tuple(draw(st.lists(_texts.filter(bool), min_size=n, max_size=n))),
        asks=draw(story),
        shows=draw(story),
        gives=draw(story),
        embeddings=embeddings,
        positions=draw(st.sampled_from(["none", "sinusoidal"])),
        heads=tuple(heads),
        w_output=maybe(matrix(width, d_model)),
        mask=draw(st.none() | st.lists(row, min_size=n, max_size=n).map(tuple)),
        focus=draw(st.integers(0, n - 1)),
        scaled=draw(st.booleans()),
        causal=draw(st.booleans()),
        temperature=draw(st.floats(0.01, 100)),
    )


@unhurried
@given(_sentences())
def test_what_is_written_is_read_back_the_same(sentence):
    assert problems(sentence) == ()
    assert parse_sentence(format_sentence(sentence).encode(), NAME) == sentence


@unhurried
@given(_sentences())
def test_a_canonical_file_read_and_written_keeps_its_bytes(sentence):
    text = format_sentence(sentence)
    assert format_sentence(parse_sentence(text.encode(), NAME)) == text


@unhurried
@given(_sentences())
def test_what_is_written_is_plain_json_with_one_line_a_vector(sentence):
    data = json.loads(format_sentence(sentence))
    assert list(data)[:3] == ["byhand", "title", "words"]
    for row in data["heads"][0].get("query", data["heads"][0].get("w_query")):
        assert f"\n        {json.dumps(row)}".replace("e-0", "e-") in format_sentence(sentence)


def test_the_canonical_form_is_this_to_the_byte():
    sentence = Sentence(
        byhand=1,
        title='Say "猫"',
        words=("the", "😀"),
        heads=(
            Head(name="h", query=((0, -0.0),) * 2, key=((0.1, 1e-9),) * 2, value=((1e6,), (-2.5,))),
        ),
        mask=((True, False), (True, True)),
        temperature=0.5,
    )
    assert format_sentence(sentence) == (
        '{\n  "byhand": 1,\n  "title": "Say \\"猫\\"",\n  "words": ["the", "😀"],\n'
        '  "heads": [\n    {\n      "name": "h",\n'
        '      "query": [\n        [0, 0],\n        [0, 0]\n      ],\n'
        '      "key": [\n        [0.1, 1e-9],\n        [0.1, 1e-9]\n      ],\n'
        '      "value": [\n        [1000000],\n        [-2.5]\n      ]\n    }\n  ],\n'
        '  "mask": [\n    [true, false],\n    [true, true]\n  ],\n'
        '  "focus": 0,\n  "scaled": true,\n  "causal": false,\n  "temperature": 0.5\n}\n'
    )


def test_an_invalid_sentence_is_not_written(path, cat):
    with pytest.raises(SentenceError) as caught:
        write_sentence(replace(cat, focus=9), path)
    assert str(caught.value) == f"{path}: focus: should be a word from 0 to 3, not 9"
    assert not path.exists()


def test_numbers_of_numpy_are_written_as_numbers(path, cat):
    vectors = tuple(tuple(row) for row in np.eye(4))
    write_sentence(replace(cat, embeddings=vectors), path)
    assert read_sentence(path).embeddings == vectors


def test_saving_over_a_file_leaves_nothing_else_behind(tmp_path, path, cat):
    write_sentence(cat, path)
    write_sentence(new_sentence("a dog"), path)
    assert read_sentence(path).words == ("a", "dog")
    assert [file.name for file in tmp_path.iterdir()] == [NAME]


def test_a_name_as_long_as_a_name_can_be_is_written(tmp_path, cat):
    path = tmp_path / ("x" * (255 - len(NAME)) + NAME)
    write_sentence(cat, path)
    assert read_sentence(path) == cat


@posix
def test_a_symbolic_link_is_followed(tmp_path, path, cat):
    (tmp_path / "deep").mkdir()
    target = tmp_path / "deep" / "real.byhand.json"
    path.symlink_to("deep/real.byhand.json")
    write_sentence(cat, path)  # the link dangles
    write_sentence(new_sentence("a dog"), path)
    assert path.is_symlink()
    assert read_sentence(target).words == ("a", "dog")


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_mode_bits_are_kept(path, cat, mode):
    write_sentence(cat, path)
    path.chmod(mode)
    write_sentence(cat, path)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_gets_the_mode_that_the_umask_leaves(path, cat, umask, mode):
    before = os.umask(umask)
    try:
        write_sentence(cat, path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
def test_a_read_only_file_is_not_replaced(path, cat):
    write_sentence(cat, path)
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        pytest.skip("root may write everything")
    with pytest.raises(SentenceError, match="may not be written"):
        write_sentence(new_sentence("a dog"), path)
    assert read_sentence(path) == cat


def test_a_folder_that_is_not_there_is_refused(tmp_path, cat):
    with pytest.raises(SentenceError, match="there is no such folder"):
        write_sentence(cat, tmp_path / "none" / NAME)


def test_a_folder_is_not_written_over(tmp_path, cat):
    with pytest.raises(SentenceError, match="is a folder"):
        write_sentence(cat, tmp_path)


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_a_save_that_fails_at_any_step_leaves_the_old_file_and_no_other(
    tmp_path, path, cat, monkeypatch, step, error
):
    write_sentence(cat, path)
    before = path.read_bytes()

    def fail(*_):
        raise error

    monkeypatch.setattr(os, step, fail)
    with pytest.raises((SentenceError, KeyboardInterrupt)):
        write_sentence(new_sentence("a dog"), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [NAME]


@pytest.mark.case(19)
@posix
def test_dev_full_is_refused_and_stays_what_it_is(tmp_path, cat):
    """/dev/full: refused in one line, by its name and by a link to it."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    link = tmp_path / NAME
    link.symlink_to("/dev/full")
    for path in (Path("/dev/full"), link):
        with pytest.raises(SentenceError, match=r"can't be written \(it isn't a regular file"):
            write_sentence(cat, path)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.case(19)
@posix
def test_a_disk_that_fills_up_in_mid_save_leaves_the_old_file_whole(tmp_path, path, cat):
    """A disk without room (here a limit on the size of files): the old file whole, one line."""
    write_sentence(cat, path)
    script = """
import resource, signal, sys
from engine.files import SentenceError, write_sentence
from engine.sentence import new_sentence
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_sentence(new_sentence("word " * 64), sys.argv[1])
except SentenceError as error:
    print(error)
"""
    done = _python(script, path)
    assert done.stdout.decode() == f"{path}: can't be written (file too large); give another file\n"
    assert read_sentence(path) == cat
    assert [file.name for file in tmp_path.iterdir()] == [NAME]


@pytest.mark.case(19)
@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs and unshare are Linux's")
def test_a_full_60_kb_tmpfs_leaves_the_old_file_whole(tmp_path, cat):
    """A full 60 kB tmpfs: the old file whole, one line."""
    script = """
set -e
mount -t tmpfs -o size=60k none "$1"
cp "$2" "$1/cat.byhand.json"
dd if=/dev/zero of="$1/filler" bs=1k 2>/dev/null || true
"$3" -c '
import os, sys
from engine.files import SentenceError, read_sentence, write_sentence
from engine.sentence import new_sentence
path = sys.argv[1]
old = read_sentence(path)
try:
    write_sentence(new_sentence("word " * 64), path)
except SentenceError as error:
    print(error.advice)
print(read_sentence(path) == old, sorted(os.listdir(os.path.dirname(path))))
' "$1/cat.byhand.json"
"""
    source, folder = tmp_path / "source", tmp_path / "small"
    folder.mkdir()
    write_sentence(cat, source)
    namespace = ["unshare", "--mount", "--user", "--map-root-user"]
    try:
        subprocess.run([*namespace, "mount", "-t", "tmpfs", "none", folder], check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no file system may be mounted here")
    command = [*namespace, "sh", "-c", script, "sh", folder, source, sys.executable]
    done = subprocess.run(command, env=_environment(), capture_output=True, check=True)
    expected = "can't be written (no space left on device); give another file\n"
    assert done.stdout.decode() == expected + "True ['cat.byhand.json', 'filler']\n"


@pytest.mark.case(19)
@pytest.mark.slow
@posix
def test_kill_9_in_a_save_loop_fifty_times_leaves_a_whole_file(path, cat):
    """kill -9 in a save loop, fifty times: what is there is the one document or the other."""
    script = """
import sys
from engine.files import read_sentence, write_sentence
from engine.sentence import new_sentence
one, other = read_sentence(sys.argv[1]), new_sentence("word " * 64)
print("ready", flush=True)
while True:
    write_sentence(other, sys.argv[1])
    write_sentence(one, sys.argv[1])
"""
    wholes = {format_sentence(cat), format_sentence(new_sentence("word " * 64))}
    for attempt in range(50):
        write_sentence(cat, path)
        command = [sys.executable, "-c", script, path]
        with subprocess.Popen(command, env=_environment(), stdout=subprocess.PIPE) as saver:
            assert saver.stdout is not None
            assert saver.stdout.readline() == b"ready\n"
            time.sleep(0.003 + 0.0007 * attempt)
            saver.send_signal(signal.SIGKILL)
        assert path.read_text(encoding="utf-8") in wholes


@pytest.mark.case(21)
@pytest.mark.parametrize("text", ['{"byhand": 99}', "{", "", "[" * 10_000, '{"byhand": 1, "x": 1}'])
def test_a_file_that_is_refused_is_never_overwritten_by_reading(path, text):
    """One clear line each; never overwritten."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SentenceError):
        read_sentence(path)
    assert path.read_text(encoding="utf-8") == text


def _environment():
    """The environment, with this project to be imported from any folder."""
    return os.environ | {"PYTHONPATH": str(Path(engine.__file__).parents[1])}


def _python(script, *arguments):
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=_environment(), capture_output=True, check=True)
