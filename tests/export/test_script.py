from __future__ import annotations

import json

import pytest

from export.jobs import Plan
from export.script import ScriptError, check_script, format_script, read_script
from scenes.beats import Beat
from scenes.settings import Line

PLAN = Plan(
    "softmax",
    90,
    10,
    (
        Beat("Ask", 'Says "why" \\ <b>', 0.0, 2.0, ()),
        Beat("Divide", "÷", 2.0, 6.0, ()),
        Beat("Ask", "Again?", 6.0, 9.0, ()),
    ),
)


@pytest.fixture
def written(tmp_path):
    """Writes a script: a text as it is, anything else as JSON; its path."""

    def write(data):
        path = tmp_path / "script.json"
        text = data if isinstance(data, (str, bytes)) else json.dumps(data)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def script(**beat):
    return {"byhand_script": 1, "scenes": [{"name": "softmax", "beats": [{"title": "Ask"} | beat]}]}


def test_what_was_written_is_read_back(written):
    assert read_script(written(format_script([PLAN]))) == {
        "softmax": (
            Line("Ask", 0, 'Says "why" \\ <b>', 2.0),
            Line("Divide", 0, "÷", 4.0),
            Line("Ask", 1, "Again?", 3.0),
        )
    }


def test_a_beat_stands_on_a_line_of_its_own():
    lines = format_script([PLAN]).splitlines()
    assert sum('"title"' in line for line in lines) == 3


def test_a_byte_order_mark_is_no_fault(written):
    assert read_script(written(b"\xef\xbb\xbf" + format_script([PLAN]).encode()))


def test_what_is_left_out_stays_as_it_is(written):
    assert read_script(written(script())) == {"softmax": (Line("Ask", 0, None, 0.0),)}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "line 1, column 2: isn't JSON"),
        ("[]", "expected `object`"),
        (b"\xff\xfe", "isn't UTF-8"),
        ("[" * 100_000, "nested too deeply"),
        ({"byhand_script": 2}, "byhand_script: is 2, and 1 is known"),
        ({"scenes": []}, "byhand_script"),
        (script(caption=5), r"scenes\[0\].beats\[0\].caption: expected"),
        (script(caption=" "), r"scenes\[0\].beats\[0\].caption: is empty"),
        (script(caption="a\x1b[0m"), r"caption: holds a control character"),
        (script(caption="x" * 1001), r"caption: is longer than 1,000"),
        (script(seconds=-1), r"beats\[0\].seconds: is -1"),
        (script(seconds=1e9), r"beats\[0\].seconds: is 1e\+09"),
        (script(second=1), "unknown field `second`"),
        (
            {"byhand_script": 1, "scenes": [{"name": "softmax"}, {"name": "softmax"}]},
            r"scenes\[1\]: 'softmax' is there twice",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line_with_its_place(written, data, said):
    with pytest.raises(ScriptError, match=rf"script\.json: .*{said}.*: try ") as refusal:
        read_script(written(data))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("path", ["/nowhere/x.json", "/", "a\0b", "/dev/null"])
def test_a_file_that_is_none_is_refused_in_one_line(path):
    with pytest.raises(ScriptError) as refusal:
        read_script(path)
    assert "\n" not in str(refusal.value)


def test_an_unknown_scene_is_refused_by_name():
    with pytest.raises(ScriptError, match=r"no scene is called 'sofmax' .did you mean 'softmax'"):
        check_script("x.json", {"sofmax": ()}, [PLAN], ["softmax"])


def test_an_unknown_beat_is_refused_by_name():
    script = {"softmax": (Line("Devide"),)}
    with pytest.raises(ScriptError, match=r"no beat called 'Devide' .did you mean 'Divide'"):
        check_script("x.json", script, [PLAN], [])


def test_one_beat_too_many_of_a_title_is_refused():
    script = {"softmax": (Line("Ask", 2),)}
    with pytest.raises(ScriptError, match="softmax has only 2 called 'Ask'"):
        check_script("x.json", script, [PLAN], [])


def test_a_scene_that_is_not_rendered_now_is_no_fault():
    check_script("x.json", {"tiles": (Line("Any"),)}, [PLAN], ["tiles"])
