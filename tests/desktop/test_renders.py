import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop import dialogs, edits, renders
from desktop.renders import Progress, Render, arguments_of, command
from desktop.work_dialog import left_in_words
from engine import read_sentence
from engine.presets import load_preset
from export.carried import read_document_or_carrier
from export.options import RenderOptions, choose_films

STUBS = Path(__file__).parents[1] / "export"


@pytest.fixture
def stub_scenes(monkeypatch, tmp_path):
    """`byhand render` with scenes that draw next to nothing, here and in its processes."""
    import scenes

    pids = tmp_path / "pids"
    monkeypatch.setenv("STUB_PIDS", str(pids))
    monkeypatch.setenv("PYTHONPATH", str(STUBS))
    monkeypatch.setattr(
        renders, "command", lambda: [sys.executable, str(STUBS / "attended_stub_byhand.py")]
    )
    entries = tuple(
        scenes.SceneEntry(name.lower(), name, "part1", f"stub_scenes:{name}")
        for name in ("Slide", "Bar", "Broken", "Endless", "Lingering")
    )
    monkeypatch.setattr("export.options.CATALOG", entries)
    monkeypatch.setattr("scenes.CATALOG", entries)
    monkeypatch.setattr("desktop.render_dialog.CATALOG", entries)
    return pids


def options(tmp_path, *names, **changes):
    given = {
        "sentence": load_preset(),
        "films": choose_films(names),
        "quality": "draft",
        "output": str(tmp_path / "films") + os.sep,
        "force": True,
    }
    return RenderOptions(**(given | changes))


def ended(qtbot, render, timeout=60_000):
    qtbot.waitUntil(lambda: not render.is_running, timeout=timeout)
    return render


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # A process that nobody has buried yet is gone too.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def pids_of(file):
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def test_a_render_is_the_command_with_the_same_options(tmp_path):
    asked = options(
        tmp_path, "softmax", "part2", theme="dark", digits=3, rows="keys", motion="reduced"
    )
    arguments = arguments_of(asked, tmp_path / "x.byhand.json")
    assert arguments[:3] == ["render", "softmax", "part2"]
    for pair in ("--theme dark", "--digits 3", "--rows keys", "--motion reduced", "--head 1"):
        assert pair in shlex.join(arguments)
    assert {"--json", "--force"} < set(arguments)


def test_the_command_really_takes_these_arguments(tmp_path):
    from export.render import render as click_command

    asked = options(tmp_path, "softmax")
    arguments = arguments_of(asked, tmp_path / "x.byhand.json")[1:]
    context = click_command.make_context("render", list(arguments))
    assert context.params["quality"] == "draft"
    assert context.params["scenes"] == ("softmax",)


def test_a_frozen_app_starts_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert command() == [sys.executable]
    monkeypatch.delattr(sys, "frozen")
    assert command() == [sys.executable, "-P", "-m", "desktop"]


def test_progress_is_the_share_of_all_frames():
    progress = Progress(2)
    assert progress.share is None
    progress.hear({"event": "started", "scene": "a"}, 100.0)
    progress.hear({"event": "planned", "scene": "a", "frames": 30}, 100.0)
    progress.hear({"event": "progress", "scene": "a", "frame": 15}, 105.0)
    assert progress.share is None  # the other isn't counted yet
    progress.hear({"event": "planned", "scene": "b", "frames": 70}, 105.0)
    progress.hear({"event": "rendered", "scene": "a"}, 110.0)
    assert progress.share == 0.3
    progress.hear({"event": "progress", "scene": "b", "frame": 20}, 110.0)
    assert progress.share == 0.5
    assert progress.seconds_left(110.0) == 10.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "Counting the frames…"), (2, "About 5 seconds left"), (33, "About 35 seconds left"),
     (61, "About 1 minute left"), (600, "About 10 minutes left")],
)  # fmt: skip
def test_the_time_left_is_said_as_one_would(seconds, words):
    assert left_in_words(seconds) == words


@pytest.mark.slow
def test_a_render_makes_its_files_and_says_so(qtbot, stub_scenes, tmp_path):
    render = ended(qtbot, Render(options(tmp_path, "slide")))
    assert render.outcome == "Rendered slide.mp4."
    assert render.succeeded
    assert render.files[0] == tmp_path / "films" / "slide.mp4"
    assert read_document_or_carrier(render.files[0]) == (load_preset(), True)
    assert render.progress.share == 1.0


@pytest.mark.slow
def test_what_is_rendered_is_the_document_as_it_was(qtbot, stub_scenes, window, tmp_path):
    dialog = window.exports.renders
    dialog.scene.setCurrentIndex(dialog.scene.findData("slide"))
    dialog.quality.setCurrentIndex(0)
    dialog.folder.setText(str(tmp_path / "films"))
    dialog.start()
    window.document.edit(edits.rename_word(window.document.sentence, 0, "changed"))
    ended(qtbot, dialog.current)
    sentence, _ = read_document_or_carrier(tmp_path / "films" / "slide.mp4")
    assert sentence == load_preset()
    assert window.notices.texts["render"] == "Rendered slide.mp4."
    assert "Rendered slide.mp4." in window.status.text


@pytest.mark.slow
def test_a_scene_that_fails_is_told_in_words(qtbot, stub_scenes, tmp_path):
    render = ended(qtbot, Render(options(tmp_path, "broken")))
    assert not render.succeeded
    assert "the plane is bent" in render.outcome
    assert "\n" not in render.outcome


@pytest.mark.slow
@pytest.mark.case(29)
def test_a_cancelled_render_ends_with_its_processes_and_leaves_no_file(
    qtbot, stub_scenes, tmp_path
):
    render = Render(options(tmp_path, "endless"))
    qtbot.waitUntil(lambda: pids_of(stub_scenes) != [], timeout=60_000)
    render.cancel()
    ended(qtbot, render)
    assert render.outcome == "The render was cancelled."
    qtbot.waitUntil(lambda: all(map(gone, pids_of(stub_scenes))), timeout=10_000)
    assert not list(tmp_path.glob("films/*"))
    assert not render._folder.exists()
    again = ended(qtbot, Render(options(tmp_path, "slide")))
    assert again.succeeded


@pytest.mark.slow
def test_closing_ends_a_render_at_once(qtbot, stub_scenes, tmp_path):
    render = Render(options(tmp_path, "endless"))
    qtbot.waitUntil(lambda: pids_of(stub_scenes) != [], timeout=60_000)
    render.close()
    assert not render.is_running
    qtbot.waitUntil(lambda: all(map(gone, pids_of(stub_scenes))), timeout=10_000)


@pytest.mark.slow
@pytest.mark.case(30)
def test_a_killed_app_takes_its_renders_with_it(stub_scenes, tmp_path, qtbot, private_home):
    program = f"""
import sys
sys.path.insert(0, {str(STUBS)!r})
import scenes, export.options
from PySide6.QtCore import QCoreApplication
entries = (scenes.SceneEntry("endless", "Endless", "part1", "stub_scenes:Endless"),)
scenes.CATALOG = export.options.CATALOG = entries
from desktop import renders
from engine.presets import load_preset
renders.command = lambda: [sys.executable, {str(STUBS / "attended_stub_byhand.py")!r}]
scenes.find_scene = export.options.find_scene = lambda name: entries[0]
app = QCoreApplication([])
render = renders.Render(export.options.RenderOptions(
    sentence=load_preset(), films=export.options.choose_films(["endless"]), quality="draft",
    output={str(tmp_path / "films")!r} + "/", force=True))
print(render._process.processId(), flush=True)
app.exec()
"""
    app = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        with app.stdout as said:
            command = int(said.readline())
        # One counts the frames, one draws.
        qtbot.waitUntil(lambda: len(pids_of(stub_scenes)) == 2, timeout=60_000)
    finally:
        app.send_signal(signal.SIGKILL)
        app.wait()
    children = [command, *pids_of(stub_scenes)]
    deadline = time.monotonic() + 10
    while not all(map(gone, children)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert all(map(gone, children))


@pytest.mark.slow
@pytest.mark.case(30)
def test_closing_while_a_render_runs_is_one_dialog_and_cancel_changes_nothing(
    qtbot, stub_scenes, window, tmp_path, monkeypatch
):
    asked = []

    def ask(parent, title, *, dirty, rendering):
        asked.append((dirty, rendering))
        return dialogs.Answer.CANCEL

    monkeypatch.setattr(dialogs, "ask_about_changes", ask)
    dialog = window.exports.renders
    dialog.scene.setCurrentIndex(dialog.scene.findData("endless"))
    dialog.quality.setCurrentIndex(0)
    dialog.folder.setText(str(tmp_path / "films"))
    dialog.start()
    window.document.edit(edits.rename_word(window.document.sentence, 0, "a"))
    assert not window.close()
    assert asked == [(True, True)]
    assert window.exports.is_rendering
    assert window.isVisible()
    assert window.document.is_dirty
    assert "Getting ready" in window.status.rendering.text()


def test_a_command_that_cannot_be_started_is_told(qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr(renders, "command", lambda: [str(tmp_path / "nowhere")])
    render = ended(qtbot, Render(options(tmp_path, "softmax")))
    assert render.outcome.startswith("The render can't be started: ")


def test_a_command_that_dies_is_told(qtbot, monkeypatch, tmp_path):
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    monkeypatch.setattr(renders, "command", lambda: [sys.executable, "-c", killed])
    render = ended(qtbot, Render(options(tmp_path, "softmax")))
    assert "was killed or crashed" in render.outcome


def test_what_somebody_prints_between_the_lines_is_passed_over(qtbot, monkeypatch, tmp_path):
    code = (
        "print('warning: [1]'); print('[1]'); print('{'); "
        """print('{"event": "done", "files": ["/x/a.mp4"]}')"""
    )
    monkeypatch.setattr(renders, "command", lambda: [sys.executable, "-c", code])
    render = ended(qtbot, Render(options(tmp_path, "softmax")))
    assert render.files == (Path("/x/a.mp4"),)
    assert render.succeeded


def test_without_the_video_extra_the_dialog_says_what_to_install(window, monkeypatch):
    monkeypatch.setattr(renders, "find_spec", lambda name: None)
    window.action_set.do("render")
    dialog = window.exports.renders
    assert "pip install 'byhand[video]'" in dialog.trouble.text()
    assert not dialog.begin.isEnabled()
    dialog.close()


def test_a_folder_that_cannot_be_written_to_is_told_in_the_dialog(window, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    window.action_set.do("render")
    dialog = window.exports.renders
    dialog.folder.setText(str(tmp_path / "file" / "sub"))
    dialog.begin.click()
    assert "Can't write to" in dialog.trouble.text()
    assert dialog.current is None
    dialog.close()


def test_what_would_be_overwritten_is_asked_first(window, tmp_path, monkeypatch):
    (tmp_path / "softmax.mp4").write_text("old")
    asked = []
    monkeypatch.setattr(dialogs, "ask_overwrite", lambda *given: asked.append(given))
    dialog = window.exports.renders
    dialog.scene.setCurrentIndex(dialog.scene.findData("softmax"))
    dialog.folder.setText(str(tmp_path))
    dialog.start()
    assert "softmax.mp4" in asked[0][1]
    assert dialog.current is None
    assert (tmp_path / "softmax.mp4").read_text() == "old"


@pytest.mark.case(15)
def test_the_wheel_changes_nothing_without_focus(window, qtbot):
    from PySide6.QtCore import QPoint, QPointF
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    window.action_set.do("render")
    dialog = window.exports.renders
    dialog.folder.setFocus()
    for box in (dialog.scene, dialog.quality, dialog.theme, dialog.captions, dialog.pace):
        before = box.currentIndex()
        down = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(box, down)
        assert box.currentIndex() == before
    dialog.close()


def test_a_document_that_is_rendered_is_written_as_it_stands(qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr(renders, "command", lambda: [sys.executable, "-c", "input()"])
    render = Render(options(tmp_path, "softmax"))
    assert read_sentence(render._folder / "as-it-was.byhand.json") == load_preset()
    render.close()
    assert not render._folder.exists()
