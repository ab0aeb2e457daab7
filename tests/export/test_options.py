from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from export.options import MOTIONS, PACES, THEMES, Film, RenderOptions, choose_films
from scenes import CATALOG


def options(post, *names, **asked):
    return RenderOptions(sentence=post, films=choose_films(names), **asked)


def test_no_name_is_the_lecture():
    (film,) = choose_films()
    assert (film.name, film.scenes) == ("lecture", CATALOG)


def test_a_part_is_one_film_of_its_scenes():
    (film,) = choose_films(["part1"])
    assert film.joined
    assert {scene.part for scene in film.scenes} == {"part1"}


@pytest.mark.parametrize("name", ["dot-products", "dot_products", "DotProducts"])
def test_a_scene_goes_by_three_names(name):
    assert [film.name for film in choose_films([name])] == ["dot-products"]


def test_the_order_asked_for_is_kept():
    films = choose_films(["softmax", "dot-products"])
    assert [film.name for film in films] == ["softmax", "dot-products"]


def test_a_scene_named_twice_is_rendered_once():
    assert len(choose_films(["softmax", "Softmax"])) == 1


def test_a_scene_in_two_films_is_rendered_once(post):
    assert len(options(post, "lecture", "softmax").scenes) == len(CATALOG)


def test_an_unknown_scene_is_told_the_names_and_the_nearest():
    with pytest.raises(ValueError, match=r"'sofmax': did you mean softmax\? try dot-products, .*"):
        choose_films(["sofmax"])


def test_a_name_with_a_line_break_stays_on_one_line():
    with pytest.raises(ValueError, match=r"'a\\nb'") as refusal:
        choose_films(["a\nb"])
    assert "\n" not in str(refusal.value)


def test_options_do_not_change(post):
    with pytest.raises(FrozenInstanceError):
        options(post).quality = "draft"


@pytest.mark.parametrize(
    ("quality", "size"),
    [
        ("draft", (854, 480, 15)),
        ("720p", (1280, 720, 30)),
        ("1080p", (1920, 1080, 30)),
        ("4k", (3840, 2160, 30)),
    ],
)
def test_qualities_are_as_the_contract_says(post, quality, size):
    assert options(post, quality=quality).size == size


def test_fps_goes_before_the_quality(post):
    assert options(post, quality="draft", frame_rate=24).size == (854, 480, 24)


@pytest.mark.parametrize(
    "asked",
    [
        {"frame_rate": 0},
        {"frame_rate": 121},
        {"digits": -1},
        {"digits": 7},
        {"font_scale": 0.1},
        {"font_scale": float("nan")},
        {"jobs": 0},
        {"quality": "8k"},
        {"captions": "loud"},
        {"pace": "presto"},
        {"motion": "none"},
        {"theme": "both"},
        {"rows": "columns"},
        {"format": "webm"},
        {"output": "x.webm"},
        {"output": "x.png", "format": "mp4"},
        {"output": "x.mp4", "format": "png"},
        {"output": "x.json"},
    ],
)
def test_what_cannot_be_is_refused_in_one_line_that_ends_with_what_to_try(post, asked):
    with pytest.raises(ValueError, match=r"(try|end it in|give) [^\n]+$") as refusal:
        options(post, "softmax", **asked)
    assert "\n" not in str(refusal.value)


def test_several_files_do_not_fit_into_one(post):
    with pytest.raises(ValueError, match="one file, and there will be 2: give -o a folder"):
        options(post, "softmax", "dot-products", output="x.mp4")


def test_an_ending_chooses_the_format(post):
    assert options(post, "softmax", output="x.png").format == "png"


def test_an_ending_nobody_knows_is_a_folder(post):
    assert options(post, "softmax", output="v1.2").files[0] == Path("v1.2/softmax.mp4")


def test_without_output_files_go_here(post):
    assert options(post, "softmax", captions="none").files == (Path("softmax.mp4"),)


def test_side_files_share_the_films_stem(post):
    names = [str(file) for file in options(post, output="out/talk.mp4").files]
    assert names == ["out/talk.mp4", "out/talk.srt", "out/talk.vtt", "out/talk.chapters.txt"]


@pytest.mark.parametrize(
    ("captions", "drawn", "endings"),
    [
        ("all", True, [".mp4", ".srt", ".vtt"]),
        ("burn", True, [".mp4"]),
        ("srt", False, [".mp4", ".srt"]),
        ("vtt", False, [".mp4", ".vtt"]),
        ("none", False, [".mp4"]),
    ],
)
def test_captions_are_drawn_or_beside_or_both(post, captions, drawn, endings):
    asked = options(post, "softmax", captions=captions)
    assert (asked.burns_captions, [file.suffix for file in asked.files]) == (drawn, endings)


def test_stills_are_a_file_a_scene(post):
    asked = options(post, "part1", format="png")
    assert asked.films == tuple(Film.of(scene) for scene in CATALOG if scene.part == "part1")
    assert {file.suffix for file in asked.files} == {".png"}


def test_choices_are_those_the_scenes_and_themes_know():
    from engine.palette import THEMES as KNOWN_THEMES
    from scenes import settings

    assert tuple(KNOWN_THEMES) == THEMES
    assert tuple(settings.PACES) == PACES
    assert settings.MOTIONS == MOTIONS
