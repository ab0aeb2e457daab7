"""Scene 3 draws the engine's scores, scaled and not, and clouds of dot products as measured."""

import msgspec
import numpy as np
import pytest

from engine import attention_of
from engine.notation import write_entries
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.number import read_back
from scenes.scaling import Scaling
from scenes.scaling_words import STOPS, ScalingWords, draw_pairs

SCENE = Scaling
SENTENCES = pytest.mark.parametrize("which", ["post", "random_sentence"])


def missing_from(numbers, expected):
    """What of `expected` isn't among `numbers`, each drawn number used once."""
    left = list(numbers)
    return [text for text in expected if text not in left or left.remove(text)]


@SENTENCES
def test_the_scores_stand_under_the_words_and_then_the_scaled_ones(which, request, run_scene):
    sentence = request.getfixturevalue(which)
    scene, attention = run_scene(Scaling, sentence), attention_of(sentence)
    rows = [[read_back(number.points) for number in row] for row in (scene.before, scene.after)]
    rows_of_the_engine = attention.scores[sentence.focus], attention.scaled[sentence.focus]
    assert rows == [write_entries(numbers) for numbers in rows_of_the_engine]


def test_the_posts_division_is_the_posts(post, drawn):
    (numbers,) = drawn(post, "Our scores")
    assert not missing_from(numbers, ["[0,4,2,0]", "÷1.414", "[0.00,2.83,1.41,0.00]"])


@SENTENCES
def test_bars_end_as_high_as_the_scaled_scores(which, request, run_scene):
    sentence, seen = request.getfixturevalue(which), {}

    class Watched(Scaling):
        def score_bars(self):
            seen["bars"] = super().score_bars()
            return seen["bars"]

    run_scene(Watched, sentence)
    heights = np.array(seen["bars"][0].heights)
    scaled = attention_of(sentence).scaled[sentence.focus]
    assert np.allclose(heights / np.abs(heights).max(), scaled / np.abs(scaled).max())


@pytest.mark.parametrize("d_k", [1, 3, 64])
def test_the_entries_of_a_key_are_counted(d_k, run_scene):
    seen = {}

    def look(scene, beat):
        if beat.title == "How many entries":
            seen["count"] = read_back(scene.board.lines[0][1].points)

    run_scene(Scaling, HARD_SENTENCES[f"d_k {d_k}"], at_beat_end=look)
    assert seen["count"] == str(d_k)


def test_a_pairs_terms_are_the_products_of_its_entries_and_add_up_to_its_sum(post, drawn):
    pairs = draw_pairs()
    terms = [round(float(term), 2) for term in pairs.query * pairs.key]
    assert terms == pytest.approx(list(pairs.query * pairs.key), abs=1e-12)
    (numbers,) = drawn(post, "One more term")
    assert not missing_from(numbers, write_entries([*terms, sum(terms)]))


def test_beside_each_cloud_stands_its_measured_deviation_and_the_root(post, drawn):
    (numbers,) = drawn(post, "The cloud widens")
    deviations = write_entries(draw_pairs().products.std(axis=1))
    assert not missing_from(numbers, [*deviations, *write_entries(np.sqrt(STOPS))])


def test_divided_by_their_roots_all_deviations_are_about_one(post, drawn):
    deviations = draw_pairs().scaled.std(axis=1)
    assert np.allclose(deviations, 1, atol=0.1)
    assert not missing_from(*drawn(post, "Divide"), write_entries(deviations))


def test_a_cloud_has_a_dot_at_every_dot_product(post, run_scene):
    seen = {}

    def look(scene, beat):
        if beat.title == "The cloud widens":
            seen["places"] = [cloud.dots.points[::4, 0].copy() for cloud in scene.clouds]
            seen["axis"] = scene.wide

    run_scene(Scaling, post, at_beat_end=look)
    for places, products in zip(seen["places"], draw_pairs().products):
        assert np.allclose(places, [seen["axis"].at(product) for product in products])


def test_longer_pairs_are_the_shorter_ones_with_more_entries():
    few, more = draw_pairs().products[:2]
    assert np.corrcoef(few, more)[0, 1] > 0.4


def test_an_unscaled_sentence_keeps_its_scores_and_is_told_so(post, run_scene):
    scene = run_scene(Scaling, msgspec.structs.replace(post, scaled=False))
    captions = {beat.title: beat.caption for beat in scene.beats}
    assert captions["Our scores"] == "This sentence isn't scaled: its scores are left as they are."
    assert "would keep" in captions["The same size"]
    assert scene.say.divisor == ""


@pytest.mark.parametrize(
    ("scaled", "temperature", "divisor", "said"),
    [
        (True, 1.0, "1.414", "√2 = 1.414"),
        (True, 2.0, "2.828", "√2 × 2 = 2.828; 2 is the temperature"),
        (False, 2.0, "2", "temperature alone divides: by 2"),
    ],
)
def test_what_divides_the_scores_is_said(post, scaled, temperature, divisor, said):
    sentence = msgspec.structs.replace(post, scaled=scaled, temperature=temperature)
    say = ScalingWords(attention_of(sentence), sentence.focus, scaled, temperature, 2)
    assert say.divisor == divisor
    assert said in say.ours()


def test_where_keys_have_no_room_under_their_words_one_stands_for_all(run_scene):
    scene = run_scene(Scaling, HARD_SENTENCES["twelve words"])
    own = attention_of(scene.sentence).key[scene.focus]
    drawn = [[read_back(number.points) for number in column.numbers] for column in scene.columns]
    assert drawn == [write_entries(own)]


@pytest.mark.slow
def test_it_is_told_with_reduced_motion(post, run_scene):
    full, reduced = (run_scene(Scaling, post, motion=motion) for motion in ("full", "reduced"))
    assert [b.title for b in full.beats] == [b.title for b in reduced.beats]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(Scaling, hard_sentence).beats
