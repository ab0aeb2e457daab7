import json
import sys

import pytest
from PySide6.QtCore import Qt

from desktop import dialogs, renders
from desktop.bundles import Bundling, arguments_of_bundle
from desktop.settings import SettingsFile
from engine.presets import load_preset
from export.bundle_options import BundleOptions, choose_clips, default_clips

TELLS = """
import json, sys
def tell(event, **told):
    print(json.dumps({"event": event, **told}), flush=True)
tell("planned", scene="figures", frames=2)
tell("planned", scene="value-mixing-light.mp4", frames=6)
tell("started", scene="figures")
tell("progress", scene="figures", frame=2)
tell("started", scene="value-mixing-light.mp4")
tell("progress", scene="value-mixing-light.mp4", frame=2)
if not sys.stdin.readline():
    sys.exit(130)
"""


def options(tmp_path, *clips, **changes):
    given = {
        "sentence": load_preset(), "folder": tmp_path / "post", "clips": choose_clips(clips),
        "force": True,
    }  # fmt: skip
    return BundleOptions(**(given | changes))


def params_of(asked, file):
    from export.bundle import bundle

    return bundle.make_context("bundle", arguments_of_bundle(asked, file)[1:]).params


def test_a_bundle_is_the_command_with_the_same_options(tmp_path):
    asked = options(tmp_path, theme="dark", digits=3, rows="keys", quality="draft", embed=False)
    params = params_of(asked, tmp_path / "x.byhand.json")
    assert params["folder"] == str(tmp_path / "post")
    assert (params["theme"], params["digits"], params["rows"]) == ("dark", 3, "keys")
    assert (params["quality"], params["no_source"], params["json"]) == ("draft", True, True)


@pytest.mark.parametrize(
    "clips",
    [(), ("none",), ("softmax",), ("softmax", "scaling"), ("softmax:4-6", "scaling:2")],
)
def test_the_command_is_told_of_the_same_clips(tmp_path, clips):
    asked = options(tmp_path, *clips)
    params = params_of(asked, tmp_path / "x.byhand.json")
    assert choose_clips(params["clips"]) == asked.clips


@pytest.fixture
def dialog(window, tmp_path):
    window.action_set.do("bundle")
    shown = window.exports.bundles
    shown.folder.setText(str(tmp_path / "post"))
    yield shown
    shown.close()


def test_it_begins_with_both_themes_and_two_short_clips(dialog, post, tmp_path):
    asked = dialog.options()
    assert (asked.theme, asked.clips, asked.quality) == ("both", default_clips(), "720p")
    assert (asked.sentence, asked.folder) == (post, tmp_path / "post")


def choose_clip(row, scene, beats=""):
    row.scene.setCurrentIndex(row.scene.findData(scene))
    row.beats.setText(beats)


@pytest.fixture
def chosen(dialog):
    """The rows of clips, chosen by hand."""
    dialog.clips.setCurrentIndex(dialog.clips.findData("chosen"))
    return dialog.chosen


def test_clips_can_be_left_out(dialog):
    dialog.clips.setCurrentIndex(dialog.clips.findData("none"))
    assert dialog.options().clips == ()
    assert not dialog.quality.isEnabled()
    assert not dialog.chosen.isVisible()


def test_a_clip_can_be_a_whole_scene(dialog, chosen):
    choose_clip(chosen.rows[0], "softmax")
    (clip,) = dialog.options().clips
    assert (clip.scene.name, clip.beats) == ("softmax", None)
    assert chosen.isVisible()
    assert dialog.quality.isEnabled()


def test_clips_can_be_beats_of_several_scenes(dialog, chosen, qtbot):
    choose_clip(chosen.rows[0], "softmax", " 4 - 6 ")
    qtbot.mouseClick(chosen.add_button, Qt.MouseButton.LeftButton)
    choose_clip(chosen.rows[1], "scaling", "2")
    clips = [(clip.scene.name, clip.beats) for clip in dialog.options().clips]
    assert clips == [("softmax", (4, 6)), ("scaling", (2, 2))]


def test_a_clip_that_is_removed_isn_t_made(dialog, chosen, qtbot):
    choose_clip(chosen.rows[0], "softmax")
    chosen.add()
    choose_clip(chosen.rows[1], "scaling")
    qtbot.mouseClick(chosen.rows[0].remove, Qt.MouseButton.LeftButton)
    assert [clip.scene.name for clip in dialog.options().clips] == ["scaling"]


def test_the_last_clip_can_t_be_removed(chosen):
    assert not chosen.rows[0].remove.isEnabled()
    chosen.add()
    assert all(row.remove.isEnabled() for row in chosen.rows)


def test_a_clip_that_is_added_is_of_a_scene_that_has_none(chosen):
    for _ in range(3):
        chosen.add()
    assert len(set(chosen.asked)) == len(chosen.asked) == 4


def test_the_dialog_grows_with_its_rows(dialog, chosen, qtbot):
    before = dialog.height()
    for _ in range(4):
        chosen.add()
    qtbot.waitUntil(lambda: dialog.height() > before)
    qtbot.waitUntil(lambda: chosen.add_button.visibleRegion().boundingRect().height() > 10)


def test_each_row_of_clips_has_names_of_its_own(chosen):
    chosen.add()
    names = [row.scene.accessibleName() for row in chosen.rows]
    assert names == ["Scene of clip 1", "Scene of clip 2"]


@pytest.mark.parametrize("beats", ["x", "6-4", "0", "1,2"])
def test_beats_that_are_none_are_refused_in_words(dialog, chosen, beats):
    choose_clip(chosen.rows[0], "softmax", beats)
    dialog.begin.click()
    assert f"softmax:{beats}" in dialog.trouble.text()
    assert dialog.current is None


def test_chosen_clips_are_remembered(dialog, chosen, monkeypatch, qtbot, window, tmp_path):
    choose_clip(chosen.rows[0], "softmax", "4-6")
    chosen.add()
    choose_clip(chosen.rows[1], "scaling")
    begin(monkeypatch, dialog, "import sys; sys.exit(1)")
    qtbot.waitUntil(lambda: not dialog.is_working)
    assert SettingsFile().now.bundle.clips == "softmax:4-6 scaling"
    again = type(dialog)(window.document, window.state, SettingsFile(), window)
    again.folder.setText(str(tmp_path / "post"))
    assert again.options().clips == dialog.options().clips


def test_without_the_video_extra_all_but_the_clips_can_be_made(window, monkeypatch):
    monkeypatch.setattr(renders, "find_spec", lambda name: None)
    window.action_set.do("bundle")
    dialog = window.exports.bundles
    assert "pip install 'byhand[video]'" in dialog.trouble.text()
    assert dialog.begin.isEnabled()
    assert dialog.options().clips == ()
    dialog.close()


def test_no_folder_is_refused(dialog):
    dialog.folder.setText("  ")
    dialog.begin.click()
    assert "needs a folder" in dialog.trouble.text()
    assert dialog.current is None


def test_what_would_be_overwritten_is_asked_first(dialog, tmp_path, monkeypatch):
    (tmp_path / "post").mkdir()
    (tmp_path / "post" / "index.html").write_text("old")
    asked = []
    monkeypatch.setattr(dialogs, "ask_overwrite", lambda *given: asked.append(given))
    dialog.start()
    assert "index.html" in asked[0][1]
    assert dialog.current is None


def begin(monkeypatch, dialog, code):
    monkeypatch.setattr(renders, "command", lambda: [sys.executable, "-c", code])
    dialog.start()


def test_progress_is_shown_in_the_dialog_and_in_the_window(dialog, window, monkeypatch, qtbot):
    begin(monkeypatch, dialog, TELLS)
    qtbot.waitUntil(lambda: "Value" in dialog.what.text())
    assert dialog.what.text() == "Filming Value mixing (mp4): film 1 of 8"
    assert dialog.is_working
    assert window.status.rendering.text() == dialog.what.text()
    assert not window.exports.is_rendering  # that is about videos
    dialog.close()
    qtbot.mouseClick(window.status.rendering, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    qtbot.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.is_working)
    assert dialog.what.text() == "The bundle was cancelled."
    assert window.status.rendering.text() == ""


def test_closing_while_a_bundle_is_made_is_asked(dialog, window, monkeypatch, qtbot):
    asked = []

    def ask(parent, title, *, dirty, rendering):
        asked.append((dirty, rendering))
        return dialogs.Answer.CANCEL

    monkeypatch.setattr(dialogs, "ask_about_changes", ask)
    begin(monkeypatch, dialog, TELLS)
    assert not window.close()
    assert asked == [(False, True)]
    assert dialog.is_working


def test_a_bundle_that_is_made_says_where_and_remembers_how(
    dialog, window, monkeypatch, qtbot, tmp_path
):
    done = {"event": "done", "files": [str(tmp_path / "post" / "index.html")]}
    dialog.clips.setCurrentIndex(dialog.clips.findData("none"))
    begin(monkeypatch, dialog, f"print({json.dumps(done)!r})")
    qtbot.waitUntil(lambda: not dialog.is_working)
    assert dialog.what.text() == f"The bundle is in {tmp_path / 'post'}."
    assert dialog.folder_button.isVisible()
    assert SettingsFile().now.bundle.clips == "none"
    assert SettingsFile().now.bundle.folder == str(tmp_path / "post")


def test_a_closed_dialog_has_its_outcome_told_in_the_window(dialog, window, monkeypatch, qtbot):
    begin(monkeypatch, dialog, "import sys; sys.exit('byhand: the plane is bent')")
    dialog.close()
    qtbot.waitUntil(lambda: "bundle" in window.notices.texts)
    assert window.notices.texts["bundle"] == "The bundle failed: the plane is bent"


def test_a_killed_bundle_is_told(qtbot, monkeypatch, tmp_path):
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    monkeypatch.setattr(renders, "command", lambda: [sys.executable, "-c", killed])
    work = Bundling(options(tmp_path))
    qtbot.waitUntil(lambda: not work.is_running)
    assert "The bundle ended unexpectedly" in work.outcome


ONE_FIGURE = """
import sys
import export.figures
export.figures.FIGURES = export.figures.FIGURES[2:3]
from desktop.__main__ import main
sys.exit(main())
"""


@pytest.mark.slow
def test_the_real_command_makes_one_and_its_progress_is_heard(qtbot, tmp_path, monkeypatch):
    """With one figure only, and no clips: what takes long is tried with the command itself."""
    monkeypatch.setattr(renders, "command", lambda: [sys.executable, "-P", "-c", ONE_FIGURE])
    shares = []
    work = Bundling(options(tmp_path, "none", theme="light"))
    work.progressed.connect(lambda: shares.append(work.progress.share))
    qtbot.waitUntil(lambda: not work.is_running, timeout=120_000)
    assert work.succeeded, work.outcome
    assert work.files[0] == tmp_path / "post" / "index.html"
    assert work.files[0].exists()
    assert shares[-1] == 1.0
