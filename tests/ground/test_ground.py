"""What everything else stands on: the set-up, the install, and which room may import what."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]
PACKAGES = ["engine", "scenes", "export", "desktop"]
NEEDED_TOOLS = ["cat", "dirname", "grep", "id", "paste", "sort", "tail", "tr", "uname"]


@pytest.fixture
def bare_machine(tmp_path):
    """Runs setup.sh on a machine that has nothing but `programs`, each a shell script."""

    def run(*, os_release="", **programs):
        folder = tmp_path / "bin"
        folder.mkdir()
        for tool in NEEDED_TOOLS:
            (folder / tool).symlink_to(shutil.which(tool))
        for name, script in programs.items():
            (folder / name).unlink(missing_ok=True)
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
        (tmp_path / "os-release").write_text(os_release)
        # A copy, so that a mistake in setup.sh can't touch this checkout's .venv.
        shutil.copy(ROOT / "setup.sh", tmp_path)
        environment = {"PATH": str(folder), "OS_RELEASE": str(tmp_path / "os-release")}
        return subprocess.run(
            ["/bin/sh", tmp_path / "setup.sh"], env=environment, capture_output=True, text=True
        )

    return run


def only_line(outcome):
    assert outcome.returncode == 1
    assert outcome.stdout == ""
    (line,) = outcome.stderr.splitlines()
    return line


def test_old_python_is_refused_in_one_line(bare_machine):
    line = only_line(bare_machine(python3="echo 3.10", os_release="ID=debian"))
    assert "3.11 or newer" in line
    assert "python3 is 3.10" in line


@pytest.mark.parametrize(
    ("os_release", "told"),
    [
        ("ID=fedora", "dnf install"),
        ('ID=rocky\nID_LIKE="rhel centos fedora"', "dnf install"),
        ("ID=arch", "pacman -S --needed"),
        ('ID=opensuse-leap\nID_LIKE="suse opensuse"', "zypper install"),
        ("ID=never-heard-of", "isn't known here"),
    ],
)
def test_another_linux_is_told_what_to_install(bare_machine, os_release, told):
    line = only_line(bare_machine(os_release=os_release))
    assert told in line
    assert "cairo" in line
    assert "pango" in line


def test_macos_is_told_what_brew_installs(bare_machine):
    line = only_line(bare_machine(uname="echo Darwin", brew=""))
    assert re.search(r"run: brew install cairo pango pkgconf python$", line)


def test_macos_without_brew_is_told_of_it(bare_machine):
    assert "install Homebrew" in only_line(bare_machine(uname="echo Darwin"))


def test_debian_without_root_or_sudo_is_told_the_command(bare_machine):
    line = only_line(bare_machine(os_release="ID=debian", id="echo 1000"))
    assert "apt-get install" in line
    assert "libpango1.0-dev" in line


def test_only_what_is_missing_is_asked_for(bare_machine):
    line = only_line(bare_machine(os_release="ID=fedora", Xvfb="", cc="cat"))
    assert "xorg-x11-server-Xvfb" not in line
    assert " gcc " not in line


def test_constraints_hold_names_versions_and_markers_only():
    line_of_it = re.compile(r'[a-z0-9-]+==[0-9a-z.]+( ; python_version (<|>=) "3\.\d+")?')
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert [x for x in lines if not x.startswith("#") and not line_of_it.fullmatch(x)] == []


def test_every_dependency_has_its_exact_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["video"] + extras["dev"] + extras["cluster"]
    names = {re.match(r"[\w-]+", each).group() for each in wanted}
    assert names <= set(re.findall(r"^([\w-]+)==", (ROOT / "constraints.txt").read_text(), re.M))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the wheel and the sdist of this tree."""
    folder = tmp_path_factory.mktemp("built")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", folder],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return folder


def files_of_the_packages():
    files = [p for each in PACKAGES for p in (ROOT / each).rglob("*") if p.is_file()]
    return {p.relative_to(ROOT).as_posix() for p in files if "__pycache__" not in p.parts}


def test_the_wheel_holds_every_file_of_the_four_packages(built):
    (wheel,) = built.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    assert files_of_the_packages() - held == set()
    assert any(re.fullmatch(r"engine/presets/.*\.byhand\.json", name) for name in held)
    assert {"export/share/byhand.svg", "desktop/signs/tick-dark.svg"} <= held
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in held)


def test_the_sdist_holds_every_file_too_and_nothing_that_was_made(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert files_of_the_packages() - held == set()
    assert {"LICENSE", "README.md", "pyproject.toml", "constraints.txt", "setup.sh"} <= held
    assert not [name for name in held if re.search(r"\.(mp4|srt|vtt|pyc)$", name)]


FROM_THE_WHEEL = """
import sys
place = sys.argv.pop(1)
import desktop.__main__, engine, export, scenes
for each in (desktop, engine, export, scenes):
    assert each.__file__.startswith(place), each.__file__
sys.exit(desktop.__main__.main())
"""


@pytest.mark.slow
def test_what_is_installed_from_the_wheel_works_far_from_the_sources(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    place = tmp_path / "installed"
    pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    subprocess.run(
        [sys.executable, *pip, "--no-index", "--target", place, wheel], check=True,
    )  # fmt: skip

    def byhand(*arguments):
        done = subprocess.run(
            [sys.executable, "-c", FROM_THE_WHEEL, place, *arguments],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(place), "PYTHONSAFEPATH": "1"},
            capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert "0.73" in byhand("worksheet")
    assert "causal-pair.svg" in byhand("figure", "causal-pair")
    byhand("new", "my.byhand.json", "--preset", "two-heads")
    byhand("check", "my.byhand.json")


def test_rooms_import_only_what_they_may(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0


@pytest.fixture
def house(tmp_path):
    """Lints a house of our contracts that holds one file with one import."""

    def lint(file, imported):
        shutil.copy(ROOT / "pyproject.toml", tmp_path)
        for folder in [*PACKAGES, os.path.dirname(file)]:
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / "__init__.py").touch()
        (tmp_path / file).write_text(f"import {imported}\n")
        program = "from importlinter.cli import lint_imports; exit(lint_imports(no_cache=True))"
        return subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True)

    return lint


@pytest.mark.parametrize(
    ("file", "imported"),
    [
        ("engine/files.py", "scenes"),
        ("scenes/stage.py", "export"),
        ("export/cli.py", "desktop"),
        ("engine/files.py", "manim"),
        ("scenes/stage.py", "PySide6.QtCore"),
        ("export/options.py", "pyqtgraph"),
        ("export/cli.py", "manim"),
        ("desktop/app.py", "manim"),
        ("export/lecture.py", "matplotlib.pyplot"),
        ("desktop/app.py", "matplotlib"),
        ("engine/tiled.py", "numba"),
    ],
)
def test_the_linter_sees_a_breach(house, file, imported):
    outcome = house(file, imported)
    assert outcome.returncode == 1
    assert b"1 broken" in outcome.stdout


@pytest.mark.parametrize(
    ("file", "imported"),
    [
        ("desktop/app.py", "PySide6.QtWidgets"),
        ("export/worker.py", "manim"),
        ("scenes/stage.py", "manim"),
        ("export/figures/theme.py", "matplotlib.pyplot"),
        ("export/figures/__init__.py", "matplotlib"),
    ],
)
def test_the_linter_lets_each_library_in_by_its_door(house, file, imported):
    assert house(file, imported).returncode == 0


@pytest.mark.parametrize(
    ("module", "kept_out"),
    [
        ("engine", ["manim", "matplotlib", "PySide6"]),
        ("scenes", ["manim", "matplotlib", "PySide6"]),
        ("desktop", ["manim", "matplotlib", "PySide6"]),
        ("desktop.__main__", ["manim", "matplotlib", "PySide6"]),
    ],
)
def test_a_door_opens_without_the_heavy_libraries(module, kept_out):
    program = f"import {module}, sys; print(*[m for m in {kept_out} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize("name", ["setup.sh", ".ci/run"])
def test_scripts_may_be_run(name):
    assert os.access(ROOT / name, os.X_OK)
