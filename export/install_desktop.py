"""`byhand install-desktop`: an entry in the menu, an icon, and documents that open with a click.

For the desktops that follow freedesktop.org (GNOME, KDE, Xfce, …), and for this user alone: nothing
outside the data folder of his home is touched.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import click

from export.placing import place_text
from export.sentence_options import BadRequest

__all__ = ["desktop_files", "install_desktop"]


@click.command("install-desktop")
@click.option("--remove", is_flag=True, help="Take the entry, the icon and the type away again.")
def install_desktop(remove: bool) -> int:
    """Add byhand to this user's menu, and have *.byhand.json open in it."""
    if not sys.platform.startswith("linux"):
        raise BadRequest(
            "install-desktop is for Linux desktops: here, make a shortcut to the byhand command"
        )
    data = data_folder()
    written = desktop_files(data, _command())
    if remove:
        for path in written:
            path.unlink(missing_ok=True)
    else:
        for path, text in written.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            place_text(text, path)
    _tell_the_desktop(data)
    for path in written:
        click.echo(f"{'removed' if remove else 'wrote'} {path}")
    return 0


def data_folder() -> Path:
    """Where this user's desktop looks for entries: $XDG_DATA_HOME, else ~/.local/share."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"


def desktop_files(data: Path, command: tuple[str, ...]) -> dict[Path, str]:
    """Every file of the installation below the folder `data`, and what is in it.

    command: the program that opens the app, and its arguments.
    """
    share = files("export") / "share"
    icon = (share / "byhand.svg").read_text("utf-8")
    entry = (share / "byhand.desktop").read_text("utf-8")
    return {
        data / "applications" / "byhand.desktop": entry.format(
            program=_plain(command[0]), command=" ".join(map(_quoted, command))
        ),
        data / "mime" / "packages" / "byhand.xml": (share / "byhand.xml").read_text("utf-8"),
        data / "icons" / "hicolor" / "scalable" / "apps" / "byhand.svg": icon,
    }


def _command() -> tuple[str, ...]:
    """How this very byhand is started, wherever the desktop starts it."""
    beside = Path(sys.executable).with_name("byhand")
    return (str(beside),) if beside.exists() else (sys.executable, "-m", "desktop")


def _plain(text: str) -> str:
    """A value of a desktop entry, whose backslashes are escapes."""
    return text.replace("\\", "\\\\")


def _quoted(argument: str) -> str:
    """An argument of the Exec key: quoted as its specification says, then escaped as a value."""
    if re.fullmatch(r"[\w@+=:,./-]+", argument):
        return argument
    return _plain('"' + re.sub(r'(["`$\\])', r"\\\1", argument).replace("%", "%%") + '"')


def _tell_the_desktop(data: Path) -> None:
    """Have the desktop's indexes read again; one that isn't there has none to be read."""
    for program, folder in (
        ("update-mime-database", data / "mime"),
        ("update-desktop-database", data / "applications"),
    ):
        if (found := shutil.which(program)) and folder.is_dir():
            subprocess.run([found, str(folder)], check=False, capture_output=True)
