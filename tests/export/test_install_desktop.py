"""An entry in the menu, an icon and a type, for this user alone."""

import configparser
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from export.install_desktop import desktop_files

LINUX = sys.platform.startswith("linux")


@pytest.fixture
def install(tmp_path):
    def run(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-m", "export.cli", "install-desktop", *arguments],
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), **environment},
            capture_output=True,
            text=True,
        )

    run.data = tmp_path / "data"
    return run


def entry_of(command):
    (text,) = (
        text for path, text in desktop_files(Path("/data"), command).items()
        if path.suffix == ".desktop"
    )  # fmt: skip
    entry = configparser.RawConfigParser()
    entry.optionxform = str
    entry.read_string(text)
    return entry["Desktop Entry"]


def files_in(folder):
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.skipif(not LINUX, reason="a Linux desktop's")
def test_entry_type_and_icon_are_put_in_the_users_data_folder(install):
    done = install()
    assert done.returncode == 0, done.stderr
    for name in (
        "applications/byhand.desktop",
        "mime/packages/byhand.xml",
        "icons/hicolor/scalable/apps/byhand.svg",
    ):
        assert str(install.data / name) in done.stdout
        assert (install.data / name).is_file()


@pytest.mark.skipif(not LINUX, reason="a Linux desktop's")
def test_installing_again_changes_nothing_and_removing_leaves_none_of_ours(install):
    install()
    before = files_in(install.data)
    assert install().returncode == 0
    assert files_in(install.data) == before
    assert install("--remove").returncode == 0
    assert not [name for name in files_in(install.data) if "byhand" in name]


@pytest.mark.skipif(not LINUX, reason="a Linux desktop's")
def test_a_relative_data_folder_is_ignored_as_the_specification_says(install, tmp_path):
    done = install(XDG_DATA_HOME="data", HOME=str(tmp_path / "home"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "home/.local/share/applications/byhand.desktop").is_file()


@pytest.mark.skipif(not LINUX, reason="a Linux desktop's")
def test_the_entry_starts_a_program_that_is_there(install):
    install()
    entry = configparser.RawConfigParser()
    entry.read(install.data / "applications" / "byhand.desktop", encoding="utf-8")
    assert os.access(entry["Desktop Entry"]["tryexec"], os.X_OK)


def test_the_entry_opens_documents_of_the_type_that_is_declared():
    ((_, text),) = (
        each for each in desktop_files(Path("/data"), ("byhand",)).items()
        if each[0].suffix == ".xml"
    )  # fmt: skip
    (kind,) = ElementTree.fromstring(text)
    (glob,) = kind.findall("{*}glob")
    assert glob.get("pattern") == "*.byhand.json"
    assert entry_of(("byhand",))["MimeType"] == f"{kind.get('type')};"


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (("/usr/bin/byhand",), "/usr/bin/byhand %F"),
        (("/my programs/byhand",), '"/my programs/byhand" %F'),
        (("/100%/byhand",), '"/100%%/byhand" %F'),
        (("/a$b`c/byhand",), r'"/a\\$b\\`c/byhand" %F'),
        (("/python", "-m", "desktop"), "/python -m desktop %F"),
    ],
)
def test_the_command_is_quoted_as_desktop_entries_are(command, written):
    assert entry_of(command)["Exec"] == written


@pytest.mark.skipif(not shutil.which("update-mime-database"), reason="needs shared-mime-info")
def test_the_desktop_then_knows_the_type_of_a_document(install):
    install()
    globs = (install.data / "mime" / "globs2").read_text()
    assert "80:application/vnd.byhand+json:*.byhand.json" in globs


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="needs desktop-file-utils")
def test_the_entry_is_what_the_specification_says(install):
    install()
    entry = install.data / "applications" / "byhand.desktop"
    done = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_elsewhere_it_says_in_one_line_what_to_do(monkeypatch, capsys):
    from export.cli import main

    monkeypatch.setattr(sys, "platform", "darwin")
    assert main(["install-desktop"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "make a shortcut" in told
