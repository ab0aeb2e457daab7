from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from export.options import (
    MOTIONS,
    PACES,
    QUALITIES,
    THEMES,
    Cut,
    Film,
    RenderOptions,
    choose_films,
)
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
    with pytest.raises(ValueError, match=r"'sofmax': did you mean softmax\? try three-roles, .*"):
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
        {"format": "avi"},
        {"output": "x.svg"},
        {"aspect": "4:3"},
        {"transparent": True},
        {"transparent": True, "format": "gif"},
        {"format": "gif", "frame_rate": 60},
        {"section": "1", "still": 2.0},
        {"section": "1", "format": "png"},
        {"still": -1.0},
        {"still": 1.0, "format": "webm"},
        {"still": 1.0, "output": "x.mp4"},
        {"handout": True},
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
    endings = ["mp4", "srt", "vtt", "chapters.txt", "poster.png", "transcript.html"]
    assert names == [f"out/talk.{ending}" for ending in endings]


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


@pytest.mark.parametrize(
    ("aspect", "sizes"),
    [
        ("16:9", [(854, 480), (1280, 720), (1920, 1080), (3840, 2160)]),
        ("9:16", [(480, 854), (720, 1280), (1080, 1920), (2160, 3840)]),
        ("1:1", [(480, 480), (720, 720), (1080, 1080), (2160, 2160)]),
    ],
)
def test_an_aspect_turns_or_squares_each_quality(post, aspect, sizes):
    made = [options(post, aspect=aspect, quality=quality).size[:2] for quality in QUALITIES]
    assert made == sizes


def test_a_refused_transparency_says_which_formats_have_it(post):
    with pytest.raises(ValueError, match=r"kept in mp4: try --format webm, mov or png$"):
        options(post, "softmax", transparent=True)


@pytest.mark.parametrize("format", ["webm", "mov", "png"])
def test_what_can_be_transparent_may(post, format):
    assert options(post, "softmax", transparent=True, format=format).transparent


def test_a_lecture_begins_with_its_opening_has_a_card_a_scene_and_ends_with_its_closing():
    (film,) = choose_films()
    names = [piece.entry.name for piece in film.pieces]
    assert (names[0], names[-1]) == ("opening", "closing")
    assert names[2:-1:2] == [scene.name for scene in CATALOG]
    numbers = [piece.card.number for piece in film.pieces if piece.card]
    assert numbers == list(range(1, len(CATALOG) + 1))


def test_what_stands_round_a_scene_belongs_to_its_chapter():
    (film,) = choose_films()
    chapters = list(dict.fromkeys(piece.chapter for piece in film.pieces))
    assert chapters == [scene.name for scene in CATALOG]


def test_the_first_part_opens_and_the_second_closes():
    first, second = (film.pieces for film in choose_films(["part1", "part2"]))
    assert [first[0].entry.name, second[-1].entry.name] == ["opening", "closing"]
    assert "closing" not in [piece.entry.name for piece in first]
    assert "opening" not in [piece.entry.name for piece in second]


def test_a_scene_by_itself_has_nothing_round_it():
    (film,) = choose_films(["softmax"])
    assert [piece.entry.name for piece in film.pieces] == ["softmax"]


def test_a_still_is_a_png_of_the_whole_film(post):
    asked = options(post, "lecture", still=3.0)
    assert asked.files == (Path("lecture.png"),)


def test_a_section_has_no_chapters_and_no_poster(post):
    names = [file.name for file in options(post, "lecture", section="1").files]
    assert names == ["lecture.mp4", "lecture.srt", "lecture.vtt"]


def test_a_handout_is_a_pdf_beside_the_film(post):
    assert Path("lecture.handout.pdf") in options(post, handout=True).files


@pytest.mark.parametrize("name", ["opening", "card-lecture-softmax", "softmax", "closing"])
def test_a_moment_may_lie_in_any_piece_of_the_lecture(post, name):
    cut = options(post, still=1.0, format="png", cut=Cut("lecture", name, 3))
    assert [piece.entry.name for piece in cut.pieces] == [name]
    assert cut.workers == 1
