from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engine.files import write_sentence
from engine.presets import load_preset
from engine.sentence import new_sentence
from export import doctor
from export.cli import main
from scenes import CATALOG, SceneEntry
from scenes.parts.typeset import typeset, undrawable

NOBODYS = "\U0010fff0"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.fixture
def _quick(monkeypatch):
    """Without the picture, which takes seconds."""
    monkeypatch.setattr(doctor, "_scene", lambda: [doctor.Finding("scenes", True, "not drawn")])


@pytest.fixture
def strange_file(tmp_path):
    """A document with a character that no font has."""
    path = tmp_path / "strange.byhand.json"
    write_sentence(new_sentence(["plain", f"odd{NOBODYS}"]), path)
    return str(path)


def found(name, sentence=None):
    return next(one for one in doctor.findings(sentence) if one.name == name)


def pretend_versions(monkeypatch, **versions):
    """Packages seem to have these versions, or to be away where None."""
    real = doctor.metadata.version

    def version(name):
        given = versions.get(name.replace("-", "_"), real(name))
        if given is None:
            raise doctor.metadata.PackageNotFoundError(name)
        return given

    monkeypatch.setattr(doctor.metadata, "version", version)


@pytest.mark.slow
def test_where_all_is_installed_a_scene_is_drawn_and_the_exit_code_is_0(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"ok       scenes: {CATALOG[0].name} was drawn" in out
    assert "MISSING" not in out


@pytest.mark.usefixtures("_quick")
def test_every_line_says_how_it_stands(capsys):
    main(["doctor"])
    *lines, conclusion = capsys.readouterr().out.splitlines()
    assert all(re.match(r"(ok|missing|MISSING) +[^:]+: .", line) for line in lines)
    assert conclusion.startswith("All ")


@pytest.mark.usefixtures("_quick")
def test_whatever_is_missing_comes_with_advice(monkeypatch):
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    monkeypatch.setattr(doctor, "_loads", lambda library: False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    missing = [one for one in doctor.findings(load_preset()) if not one.ok]
    assert {"fonts", "Qt", "window libraries", "screen"} <= {one.name for one in missing}
    assert all(one.advice for one in missing)


@pytest.mark.usefixtures("_quick")
def test_json_is_a_list_of_findings(capsys):
    assert main(["doctor", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert all(list(one) == ["name", "ok", "detail", "advice"] for one in data)
    assert {type(one["ok"]) for one in data} == {bool}
    assert {"name": "scenes", "ok": True, "detail": "not drawn", "advice": ""} in data


def test_the_requirements_are_those_of_the_project():
    project = tomllib.loads(PROJECT.read_text())["project"]
    here = "python_version<'3.12'" if sys.version_info < (3, 12) else "python_version>='3.12'"
    given = [one.replace(" ", "").split(";") for one in project["dependencies"]]
    assert sorted(doctor.REQUIREMENTS) == sorted(
        requirement for requirement, *marker in given if marker in ([], [here])
    )
    video = [one.replace("[typst]", "") for one in project["optional-dependencies"]["video"]]
    assert sorted(doctor.VIDEO_REQUIREMENTS) == sorted([*video, "typst"])


@pytest.mark.usefixtures("_quick")
def test_a_runtime_package_that_is_away_is_named_and_fails(monkeypatch, capsys):
    pretend_versions(monkeypatch, rich=None)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "MISSING  rich: isn't installed → pip install 'rich>=13'\n" in out
    assert out.endswith("byhand can't do without these: rich.\n")


@pytest.mark.usefixtures("_quick")
def test_the_video_extra_is_no_must(monkeypatch, capsys):
    pretend_versions(monkeypatch, manim=None)
    assert main(["doctor"]) == 0
    line = "missing  manim: isn't installed → pip install 'byhand[video]'\n"
    assert line in capsys.readouterr().out


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize(
    ("name", "version", "ok"),
    [
        ("numpy", "2.0.9", False),
        ("numpy", "2.1.0rc1", True),
        ("numpy", "10.0", True),
        ("pillow", "12.3.0", True),
        ("pillow", "13.0.0", False),
        ("pyside6-essentials", "6.7.3", False),
    ],
)
def test_a_version_is_held_against_its_limits(monkeypatch, name, version, ok):
    pretend_versions(monkeypatch, **{name.replace("-", "_"): version})
    assert found(name).ok is ok


@pytest.mark.usefixtures("_quick")
def test_the_words_and_characters_that_no_font_has_are_named(strange_file, capsys):
    assert main(["doctor", "--sentence", strange_file]) == 1
    out = capsys.readouterr().out
    assert f"“odd{NOBODYS}” can't be drawn: no font has {NOBODYS} (U+10FFF0) as outlines" in out
    assert "“plain”" not in out


@pytest.mark.usefixtures("_quick")
def test_a_sentence_that_can_be_drawn_is_fine():
    assert found("the sentence's fonts", load_preset()).ok


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("name", ["nowhere.byhand.json", "broken.byhand.json"])
def test_a_sentence_that_cannot_be_read_is_asked_wrongly(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("broken.byhand.json").write_text("{")
    assert main(["doctor", "--sentence", name]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(f"byhand: {name}: ")


def test_a_box_counts_as_missing_and_a_letter_does_not():
    assert undrawable(f"a{NOBODYS}b{NOBODYS}") == (NOBODYS,)
    assert typeset(f"a{NOBODYS}b{NOBODYS}").missing == 2
    assert undrawable("naïve ffi <b>&amp; #x_$]@ref //") == ()


@pytest.mark.usefixtures("_quick")
def test_a_script_without_a_font_comes_with_a_package(monkeypatch):
    monkeypatch.setattr(doctor, "SCRIPTS", (("Odd", NOBODYS, "fonts-odd"),))
    assert found("Odd").advice.endswith("on Debian apt-get install fonts-odd")


@pytest.mark.usefixtures("_quick")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lacks Qt's libraries")
def test_a_library_that_is_away_comes_with_its_package(monkeypatch):
    monkeypatch.setitem(doctor.LIBRARIES, "libnowhere.so.0", "libnowhere0")
    assert found("window libraries") == doctor.Finding(
        "window libraries",
        False,
        "libnowhere.so.0 can't be loaded",
        "on Debian apt-get install libnowhere0",
    )


@pytest.mark.usefixtures("_quick")
def test_a_full_disk_is_told(monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: type("", (), {"free": 10**6}))
    assert found("temporary folder").detail.startswith("0.0 GB free")
    assert not found("temporary folder").ok


@pytest.mark.usefixtures("_quick")
def test_a_folder_that_cannot_be_written_is_told(monkeypatch):
    def refuse(dir):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    assert found("current folder").detail == "can't be written (permission denied)"


@pytest.mark.usefixtures("_quick")
def test_a_check_that_breaks_does_not_stop_the_others(monkeypatch):
    def broken():
        raise RuntimeError("out\nof order")

    monkeypatch.setattr(doctor, "_threads", broken)
    *_, threads, _temporary, last = doctor.findings()
    assert (threads.name, threads.ok, threads.detail) == (
        "threads",
        False,
        "RuntimeError: out of order",
    )
    assert last.name == "current folder"


@pytest.mark.slow
def test_a_scene_that_cannot_be_drawn_says_why(monkeypatch):
    entry = SceneEntry("broken", "Broken", "part1", "stub_scenes:Broken")
    monkeypatch.setattr("scenes.CATALOG", (entry,))
    scenes = found("scenes")
    assert not scenes.ok
    assert "the plane is bent" in scenes.detail


@pytest.mark.slow
def test_neither_qt_nor_manim_is_loaded_into_the_process():
    code = (
        "import sys; from export.cli import main; main(['doctor']); "
        "print([name for name in ('manim', 'PySide6', 'matplotlib') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"
