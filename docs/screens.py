"""Pictures of the window in every state that must look right: python docs/screens.py FOLDER.

With --readme it makes the README's, into docs/.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_HOME = tempfile.TemporaryDirectory(prefix="byhand-screens-")
os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_STATE_HOME"] = _HOME.name
if "--sharp" in sys.argv:
    os.environ["QT_SCALE_FACTOR"] = "2"

from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from desktop import edits  # noqa: E402
from desktop.app import Session  # noqa: E402
from desktop.window import Window  # noqa: E402
from engine.presets import load_preset  # noqa: E402
from engine.sentence import Sentence, new_sentence  # noqa: E402

POST = load_preset()


@dataclass(frozen=True)
class Screen:
    """A sentence, how it is looked at, and what is done to the window before the picture."""

    sentence: Sentence = POST
    level: str = "all"
    theme: str = "light"
    text_size: float = 1.0
    size: tuple[int, int] = (1400, 900)
    act: Callable[[Window], None] = lambda window: None


def drag(window: Window) -> None:
    """The query of "sat", on its way."""
    document = window.document
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (1.2, 1.1)))


def show(panel: str) -> Callable[[Window], None]:
    """Bring a panel to the front."""
    return lambda window: window.docks.docks[panel].raise_()


def resized(query: int, value: int) -> Sentence:
    """The post's sentence with vectors of other lengths."""
    wider = edits.set_width(POST, 0, ("query", "key"), query).sentence
    return edits.set_width(wider, 0, ("value",), value).sentence


SCREENS = {
    "first-start": Screen(level="one"),
    "all-words": Screen(),
    "everything": Screen(level="everything"),
    "dark": Screen(level="everything", theme="dark"),
    "projector": Screen(theme="projector"),
    "mid-drag": Screen(act=drag),
    "one-word": Screen(new_sentence("alone")),
    "twelve-words": Screen(
        new_sentence("one two three four five six seven eight nine ten eleven twelve"),
        level="everything",
    ),
    "sixty-four-words": Screen(new_sentence([f"w{i}" for i in range(64)])),
    "long-and-right-to-left": Screen(
        new_sentence(["internationalization", "שלום", "القط", "😀", "W" * 60, "<b>&amp;"])
    ),
    "d-8": Screen(resized(8, 3)),
    "d-1": Screen(resized(1, 1)),
    "small": Screen(size=(1024, 700)),
    "text-250": Screen(level="one", text_size=2.5),
    "all-words-text-250": Screen(text_size=2.5),
    "two-heads": Screen(load_preset("two-heads"), level="everything", act=show("heads")),
    "tiles": Screen(level="everything", act=show("tiles")),
    "causal": Screen(edits.set_causal(POST, True).sentence),
}
README = ("first-start", "mid-drag")


def main() -> None:
    """Make every picture, or the README's."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    is_readme = "--readme" in sys.argv
    folder = Path(__file__).parent if is_readme else Path(names.pop(0))
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication([])
    app.setStyle("Fusion")
    session = Session()
    for name in names or (README if is_readme else SCREENS):
        screen = SCREENS[name]
        session.set_appearance(theme=screen.theme, text_size=screen.text_size)
        window = session.open_window(screen.sentence)
        window.state.set_level(screen.level)
        window.resize(*screen.size)
        QTest.qWait(50)
        window.fit_planes()
        QTest.qWait(400)
        screen.act(window)
        QTest.qWait(100)
        window.grab().save(str(folder / f"{'window-' * is_readme}{name}.png"))
        window.document.give_up()
        window.close()
    session.abandon()
    session.close()


if __name__ == "__main__":
    main()
