"""What the scenes say, as a file to edit or translate, and to be read back.

    {
      "byhand_script": 1,
      "scenes": [
        {"name": "softmax", "beats": [
          {"title": "Divide", "caption": "Divide each by 23.03: …", "seconds": 5.2}]}]
    }

A beat is known by its scene and its title, which stay as they are; of several with one title the
order counts. A caption may be anything; `seconds` is how long the beat lasts at least. Beats and
scenes left out stay as they are.
"""

from __future__ import annotations

import difflib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from export.jobs import Plan
from export.placing import quoted
from scenes.settings import Line

__all__ = ["ScriptError", "check_script", "format_script", "read_script"]

VERSION = 1
MOST_BYTES = 4_000_000
LONGEST_CAPTION = 1_000
LONGEST_BEAT = 600.0


class ScriptError(ValueError):
    """A script can't be used: the file, the place in it, and what would be right, in one line."""


class _Beat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    caption: str | None = None
    seconds: float = 0.0


class _Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    beats: tuple[_Beat, ...] = ()


class _Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    byhand_script: int
    scenes: tuple[_Scene, ...] = ()


def format_script(plans: Iterable[Plan]) -> str:
    """The script of scenes as they are told now: a beat a line, ready to be edited."""
    scenes = []
    for plan in plans:
        beats = (
            _line({"title": b.title, "caption": b.caption, "seconds": round(b.end - b.start, 2)})
            for b in plan.beats
        )
        body = ",\n".join(f"      {beat}" for beat in beats)
        name = json.dumps(plan.scene, ensure_ascii=False)
        scenes.append(f'    {{"name": {name}, "beats": [\n{body}\n    ]}}')
    body = ",\n".join(scenes)
    return f'{{\n  "byhand_script": {VERSION},\n  "scenes": [\n{body}\n  ]\n}}\n'


def read_script(path: str) -> dict[str, tuple[Line, ...]]:
    """What a script says, by scene; ScriptError where it can't be read or makes no sense."""
    script = _decoded(path)
    if script.byhand_script != VERSION:
        raise _error(path, "byhand_script", f"is {script.byhand_script}, and 1 is known here")
    said: dict[str, tuple[Line, ...]] = {}
    for number, scene in enumerate(script.scenes):
        if scene.name in said:
            raise _error(path, f"scenes[{number}]", f"{quoted(scene.name)} is there twice")
        counted: Counter[str] = Counter()
        lines = []
        for index, beat in enumerate(scene.beats):
            _check(path, f"scenes[{number}].beats[{index}]", beat)
            lines.append(Line(beat.title, counted[beat.title], beat.caption, beat.seconds))
            counted[beat.title] += 1
        said[scene.name] = tuple(lines)
    return said


def check_script(
    path: str, script: Mapping[str, Sequence[Line]], plans: Iterable[Plan], known: Iterable[str]
) -> None:
    """ScriptError where the script names a scene or a beat that isn't there.

    plans are of the scenes to be rendered; of another scene in `known` nothing is checked.
    """
    titles = {plan.scene: Counter(beat.title for beat in plan.beats) for plan in plans}
    names = [*dict.fromkeys([*titles, *known])]
    for scene, lines in script.items():
        if scene not in names:
            raise _error(path, "", f"no scene is called {quoted(scene)}{_near(scene, names)}")
        for line in lines:
            if scene in titles and titles[scene][line.title] <= line.occurrence:
                there = "no beat" if not line.occurrence else f"only {line.occurrence}"
                raise _error(
                    path,
                    "",
                    f"{scene} has {there} called {quoted(line.title)}"
                    f"{_near(line.title, titles[scene])}",
                )


def _decoded(path: str) -> _Script:
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise _error(path, "", f"can't be read ({reason})") from error
    if len(data) > MOST_BYTES:
        raise _error(path, "", f"is longer than {MOST_BYTES:,} bytes")
    try:
        # Python's own reader says the line of broken JSON.
        json.loads(data.decode("utf-8-sig"))
        return msgspec.json.decode(data.decode("utf-8-sig"), type=_Script)
    except UnicodeDecodeError as error:
        raise _error(path, "", f"isn't UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _error(path, place, f"isn't JSON ({error.msg.lower()})") from error
    except RecursionError as error:
        raise _error(path, "", "is nested too deeply") from error
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        raise _error(path, place.strip("`.") or "top level", what[:1].lower() + what[1:]) from error


def _check(path: str, place: str, beat: _Beat) -> None:
    if not 0 <= beat.seconds <= LONGEST_BEAT:
        raise _error(path, f"{place}.seconds", f"is {beat.seconds:g}, not 0 to {LONGEST_BEAT:g}")
    caption = beat.caption
    if caption is None:
        return
    if not caption.strip():
        raise _error(path, f"{place}.caption", "is empty; leave it out to keep the caption")
    if len(caption) > LONGEST_CAPTION:
        raise _error(path, f"{place}.caption", f"is longer than {LONGEST_CAPTION:,} characters")
    if any((ord(c) < 32 and c not in "\n\t") or 0xD800 <= ord(c) < 0xE000 for c in caption):
        raise _error(path, f"{place}.caption", "holds a control character")


def _near(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f" (did you mean {quoted(close[0])}?)" if close else ""


def _error(path: str, place: str, what: str) -> ScriptError:
    where = f"{os.fspath(path)}: {place}: " if place else f"{os.fspath(path)}: "
    where = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in where)
    return ScriptError(f"{where}{what}: try byhand render --list --script NEW.json for a fresh one")


def _line(beat: Mapping[str, object]) -> str:
    return json.dumps(beat, ensure_ascii=False)
