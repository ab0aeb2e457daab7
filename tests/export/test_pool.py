from __future__ import annotations

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from engine.files import format_sentence, parse_sentence
from export.jobs import Done, Progress, SceneError, Started
from export.pool import CalledOffError, Children, plan_clips, render_clip


def pictures(path):
    with av.open(str(path)) as film:
        return [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]


def test_a_clip_has_the_size_rate_and_length_it_says(stub_job):
    clip = render_clip(stub_job("Slide"))
    with av.open(str(clip.path)) as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height, stream.average_rate) == (160, 90, 10)
        assert len(list(film.decode(video=0))) == clip.frames == 26
    assert clip.seconds == 2.6


def test_a_clip_knows_its_beats_in_its_own_time(stub_job):
    beats = render_clip(stub_job("Slide")).beats
    assert [(beat.title, round(beat.start, 6)) for beat in beats] == [("Before", 0), ("After", 1.2)]
    assert round(beats[-1].end, 6) == 2.6


def test_the_last_frame_is_the_end_of_the_story(stub_job):
    last = pictures(render_clip(stub_job("Slide")).path)[-1]
    left, right = last[45, 50], last[45, 110]
    assert left.min() > 200
    assert right.max() < 50


def test_colours_come_back_as_they_were_drawn(stub_job):
    picture = pictures(render_clip(stub_job("Colours")).path)[0].astype(int)
    drawn = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (128, 128, 128)]
    assert np.abs(picture[45, [20, 60, 100, 140]] - drawn).max() <= 4


def test_a_clip_says_that_its_colours_are_bt709(stub_job):
    with av.open(str(render_clip(stub_job("Colours")).path)) as film:
        codec = film.streams.video[0].codec_context
        tags = (codec.color_primaries, codec.color_trc, codec.colorspace, codec.color_range)
        assert tags == (1, 1, 1, 1)


def test_a_plan_counts_the_frames_that_filming_takes(stub_job):
    jobs = [stub_job("Slide"), stub_job("Bar")]
    assert [(p.frames, p.beats) for p in plan_clips(jobs)] == [
        (clip.frames, clip.beats) for clip in map(render_clip, jobs)
    ]


def test_a_plan_that_fails_does_not_hold_up_the_next(stub_job):
    broken, whole = plan_clips([stub_job("Broken"), stub_job("Slide")])
    assert isinstance(broken, SceneError)
    assert whole.frames == 26


def test_a_still_is_the_last_frame_and_carries_its_document(stub_job, post):
    still = render_clip(stub_job("Slide", output="still"))
    with Image.open(still.path) as picture:
        assert picture.size == (160, 90)
        assert picture.getpixel((110, 45)) == (0, 0, 0)
        assert parse_sentence(picture.text["byhand"].encode(), "still") == post


def test_a_still_without_source_carries_nothing(stub_job):
    still = render_clip(stub_job("Slide", output="still", embed=False))
    with Image.open(still.path) as picture:
        assert not picture.text


def test_a_clip_says_that_it_began_how_far_it_is_and_that_it_is_done(stub_job):
    heard = []
    render_clip(stub_job("Slide"), heard.append)
    assert isinstance(heard[0], Started)
    assert isinstance(heard[-1], Done)
    assert heard[-2] == Progress("slide", 26, 26)


def test_what_a_scene_prints_is_not_taken_for_a_message(stub_job):
    assert render_clip(stub_job("Chatty")).frames == 26


def test_a_broken_scene_is_told_in_one_line_with_its_traceback(stub_job):
    with pytest.raises(SceneError) as failure:
        render_clip(stub_job("Broken"))
    assert str(failure.value) == "broken: RuntimeError: the plane is bent"
    assert "in construct" in failure.value.traceback


def test_a_scene_that_plays_nothing_is_told_so(stub_job):
    with pytest.raises(SceneError, match="plays nothing"):
        render_clip(stub_job("Silent"))


def test_a_process_that_vanishes_is_told_with_its_exit_and_last_words(stub_job):
    with pytest.raises(SceneError, match="ended with exit code 7") as failure:
        render_clip(stub_job("Crash"))
    assert "going down" in failure.value.traceback


def test_a_failure_pickles():
    failure = pickle.loads(pickle.dumps(SceneError("softmax", "why", "where")))
    assert (failure.scene, failure.message, failure.traceback) == ("softmax", "why", "where")


def test_a_scene_that_fails_leaves_no_folder(stub_job):
    job = stub_job("Crash")
    with pytest.raises(SceneError):
        render_clip(job)
    assert not list(Path(job.workspace).iterdir())


def test_calling_off_ends_what_runs_and_refuses_what_comes(stub_job, tmp_path, monkeypatch):
    monkeypatch.setenv("STUB_PIDS", str(tmp_path / "pids"))
    begun = threading.Event()
    with ThreadPoolExecutor(1) as executor, Children() as children:
        futures = [
            executor.submit(render_clip, stub_job("Endless"), lambda _: begun.set(), children)
            for _ in range(2)
        ]
        begun.wait(60)
        children.cancel()
        errors = [future.exception(10) for future in futures]
    assert [type(error) for error in errors] == [CalledOffError, CalledOffError]


@pytest.mark.slow
def test_the_same_job_gives_the_same_bytes(stub_job):
    one, other = (render_clip(stub_job("Slide")).path.read_bytes() for _ in range(2))
    assert one == other


@pytest.mark.slow
@pytest.mark.parametrize(
    "config", ["[CLI]\nbackground_color = RED\nframe_rate = 3\n", "\0garbage]["]
)
@pytest.mark.case(27)
def test_manim_cfg_in_the_current_folder_and_in_home_has_no_effect(
    stub_job, tmp_path, monkeypatch, config
):
    """Case 27: manim.cfg with background_color=RED, or garbage, in the current folder and in
    HOME: no effect."""
    clean = render_clip(stub_job("Bar")).path.read_bytes()
    for place in (tmp_path, tmp_path / ".config" / "manim"):
        place.mkdir(parents=True, exist_ok=True)
        (place / "manim.cfg").write_text(config)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    assert render_clip(stub_job("Bar")).path.read_bytes() == clean


@pytest.mark.slow
@pytest.mark.parametrize("name", ["it's here", "a{b}", "{}", "ünï-日本語", "blank "])
def test_a_workspace_of_any_name_will_do(stub_job, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    assert render_clip(stub_job("Bar", workspace=str(folder))).frames == 10


@pytest.mark.slow
def test_a_folder_called_export_is_not_mistaken_for_ours(stub_job, tmp_path, monkeypatch):
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(tmp_path)
    assert render_clip(stub_job("Bar")).frames == 10


@pytest.mark.slow
@pytest.mark.case(28)
def test_a_number_changed_and_rendered_again_is_the_new_number(stub_job, document_file):
    """Case 28: render, change one number, render again: the new video shows the new number."""

    def width_of_bar(number):
        job = stub_job("Bar", document=document_file(number).read_text())
        return (pictures(render_clip(job).path)[-1][45, :, 0] < 128).sum()

    assert [width_of_bar(number) for number in (4, 8)] == pytest.approx([45, 90], abs=2)


@pytest.mark.slow
@pytest.mark.case(29)
def test_called_off_at_half_changed_and_rendered_again_has_only_new_frames(stub_job, document_file):
    """Case 29: render cancelled at half, document changed, rendered again: only new frames."""
    old = stub_job("Lingering", document=document_file(4).read_text())
    children = Children()

    def stop_at_half(message):
        if isinstance(message, Progress) and message.frame >= 5:
            children.cancel()

    with pytest.raises(CalledOffError):
        render_clip(old, stop_at_half, children)
    new = stub_job("Bar", document=document_file(8).read_text())
    widths = {(frame[45, :, 0] < 128).sum() for frame in pictures(render_clip(new).path)}
    assert widths == {90} or widths == {91}


def test_a_document_reaches_the_scene_whole(stub_job, post):
    assert parse_sentence(stub_job("Bar").document.encode(), "job") == post
    assert format_sentence(post) == stub_job("Bar").document
