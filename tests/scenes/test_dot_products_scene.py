"""Scene 2 draws the engine's dot products."""

import pytest

from engine import attention_of
from engine.notation import write_entries
from engine.sentence import Head, Sentence
from export.hard_sentences import HARD_SENTENCES
from scenes.dot_products import DotProducts
from scenes.parts.number import Number, outline, read_back


@pytest.mark.parametrize("which", ["post", "random_sentence"])
def test_the_scores_under_the_words_are_the_engines(which, request, run_scene):
    sentence = request.getfixturevalue(which)
    scene = run_scene(DotProducts, sentence)
    expected = write_entries(attention_of(sentence).scores[sentence.focus])
    assert _scores_under_words(scene) == expected


@pytest.mark.parametrize("which", ["post", "random_sentence"])
def test_the_entries_multiplied_are_the_vectors_own(which, request, run_scene):
    sentence, seen = request.getfixturevalue(which), {}

    def look(scene, beat):
        if beat.title == "Multiply and add":
            rows = scene.board.lines[1].rows
            seen["texts"] = [[read_back(piece.points) for piece in row[::2]] for row in rows]
            seen["best"] = scene.best

    run_scene(DotProducts, sentence, at_beat_end=look)
    attention = attention_of(sentence)
    query, key = attention.query[sentence.focus], attention.key[seen["best"]]
    products = write_entries(query * key)
    expected = zip(write_entries(query), write_entries(key), products)
    assert seen["texts"] == [list(row) for row in expected]


@pytest.mark.case(10)
def test_scores_are_written_in_the_film_as_everywhere(run_scene):
    texts = ["0", "0.00", "1.00×10⁵", "0.00", "0.01", "0.13", "1.00×10⁴"]
    numbers = [-0.0, -0.001, 1e5, 1e-9, 0.005, 0.125, 9999.996]
    keys = tuple((number,) for number in numbers)
    head = Head(name="one", query=((1.0,),) * 7, key=keys, value=keys)
    scene = run_scene(DotProducts, Sentence(byhand=1, words=tuple("abcdefg"), heads=(head,)))
    assert _scores_under_words(scene) == ["0.00", *texts[1:]]  # of a list that isn't all whole


def test_foot_times_length_is_the_score(post, run_scene):
    seen = {}

    def look(scene, beat):
        if beat.title == "The same as geometry":
            seen["texts"] = [read_back(n.points) for n in scene.pair.equation.numbers]

    run_scene(DotProducts, post, at_beat_end=look)
    assert seen["texts"] == ["1", "2", "2"]


def test_the_turned_key_scores_nothing_at_a_right_angle_and_less_past_it(post, run_scene):
    scores = {}

    def look(scene, beat):
        if beat.title in ("Turn a key", "The right angle", "Past it"):
            scores[beat.title] = read_back(scene.pair.equation.numbers[2].points)

    run_scene(DotProducts, post, at_beat_end=look)
    assert scores == {"Turn a key": "2.83", "The right angle": "0.00", "Past it": "−2.00"}


def test_a_swapped_digit_in_the_picture_is_noticed(post, run_scene):
    scene = run_scene(DotProducts, post)
    four = next(n for n in _row(scene) if read_back(n.points) == "4")
    four.set_points(outline("7", four.weight) * four.em + four.get_center())
    assert _scores_under_words(scene) != write_entries(attention_of(post).scores[post.focus])


def test_of_sixty_four_words_twelve_are_shown_and_it_says_so(run_scene):
    scene = run_scene(DotProducts, HARD_SENTENCES["sixty-four words"])
    assert len(scene.row) == 12
    assert scene._title_note() == "12 of 64 words shown"


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(DotProducts, hard_sentence).beats


def _row(scene):
    family = [piece for mobject in scene.mobjects for piece in mobject.get_family()]
    numbers = [n for n in family if isinstance(n, Number)]
    row = {id(n): n for n in numbers if abs(n.middle - scene.score_line) < 0.01}
    return sorted(row.values(), key=lambda n: n.get_center()[0])


def _scores_under_words(scene):
    return [read_back(number.points) for number in _row(scene)]
