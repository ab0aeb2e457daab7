import os
import subprocess
import sys

import pytest

from desktop.preflight import PACKAGES, complaint

SCREEN = {"DISPLAY": ":0"}


def loads(path):
    pass


def misses(library):
    def load(path):
        raise OSError(f"{library}: cannot open shared object file: No such file or directory")

    return load


def test_nothing_is_wrong_where_there_is_a_screen():
    assert complaint(SCREEN, "linux", loads) is None


def test_no_screen_is_said_before_qt_could_abort():
    why = complaint({}, "linux", loads)
    assert "neither DISPLAY nor WAYLAND_DISPLAY is set" in why
    assert "byhand render" in why


@pytest.mark.parametrize("platform", ["offscreen", "minimal", "offscreen:size=1x1"])
def test_a_platform_without_a_screen_needs_none(platform):
    assert complaint({"QT_QPA_PLATFORM": platform}, "linux", loads) is None


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_the_system_has_what_is_needed(platform):
    assert complaint({}, platform, misses("libanything.so.1")) is None


@pytest.mark.parametrize(("library", "package"), PACKAGES.items())
def test_a_missing_library_is_named_with_its_debian_package(library, package):
    why = complaint(SCREEN, "linux", misses(library))
    assert library in why
    assert f"apt install {package}. " in why


@pytest.mark.parametrize(
    ("library", "package"),
    [("libxcb-render-util.so.0", "libxcb-render-util0"), ("libX11_x2.so.6", "libx11-x2-6")],
)
def test_the_package_of_another_library_follows_debians_rule(library, package):
    assert f"apt install {package}. " in complaint(SCREEN, "linux", misses(library))


def test_another_failure_is_told_as_it_is():
    def load(path):
        raise OSError("libQt6Gui.so.6: wrong ELF class")

    assert "wrong ELF class" in complaint(SCREEN, "linux", load)


def test_wayland_alone_asks_for_waylands_plugin():
    asked = []
    complaint({"WAYLAND_DISPLAY": "wayland-0"}, "linux", asked.append)
    assert asked[-1].endswith("libqwayland.so") or "wayland" not in str(asked)
    assert not any(path.endswith("libqxcb.so") for path in asked)


def test_xcb_is_asked_for_by_the_file_that_qt_will_load():
    asked = []
    complaint(SCREEN, "linux", asked.append)
    assert os.path.basename(asked[-1]) == "libqxcb.so"
    assert os.path.exists(asked[-1])


def test_missing_pyside_is_one_sentence(monkeypatch):
    monkeypatch.setattr("desktop.preflight.find_spec", lambda name: None)
    assert "needs PySide6, which isn't installed here" in complaint(SCREEN, "linux", loads)


@pytest.mark.skipif(sys.platform != "linux", reason="about X11")
def test_without_a_screen_byhand_ends_with_one_line_and_2(tmp_path):
    gone = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in gone}
    done = subprocess.run(
        [sys.executable, "-m", "desktop"], env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("byhand: there is no screen")
    assert done.stderr.count("\n") == 1
