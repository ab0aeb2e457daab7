"""Scene 1 draws the focus word's own query, key and value, and where the document has it, its x."""

import msgspec
import numpy as np
import pytest

from engine import attention_of
from engine.notation import write_list
from export.hard_sentences import HARD_SENTENCES
from scenes.parts.layout import Box
from scenes.parts.number import Number, read_back
from scenes.parts.paragraph import Paragraph
from scenes.parts.type import Text
from scenes.three_roles import ThreeRoles

SCENE = ThreeRoles
SENTENCES = pytest.mark.parametrize("which", ["post", "random_sentence"])
ROLES = ("query", "key", "value")


def own(sentence):
    """The focus word's query, key and value."""
    attention = attention_of(sentence)
    return [getattr(attention, role)[sentence.focus] for role in ROLES]


def spelled(vector):
    return write_list(vector).replace(" ", "")


@SENTENCES
def test_each_panel_holds_the_words_own_numbers(which, request, drawn):
    sentence = request.getfixturevalue(which)
    pages = drawn(sentence, "Query", "Key", "Value")
    for count, numbers in enumerate(pages, start=1):
        assert {spelled(vector) for vector in own(sentence)[:count]} <= set(numbers)


@SENTENCES
def test_each_arrow_is_the_vector_in_its_plane(which, request, run_scene):
    sentence = request.getfixturevalue(which)
    for panel, vector in zip(run_scene(ThreeRoles, sentence).panels, own(sentence)):
        assert np.allclose(panel.arrow.end, panel.plane.place(vector))
        assert np.allclose(panel.arrow.start, panel.plane.place(np.zeros(2)))


def test_the_posts_three_arrows_are_drawn_to_one_scale(post, run_scene):
    units = {round(panel.plane.unit, 9) for panel in run_scene(ThreeRoles, post).panels}
    assert len(units) == 1


def test_the_story_is_the_documents_and_the_caption_says_whose_it_is(post, run_scene):
    scene = run_scene(ThreeRoles, post)
    told = [" ".join(line.text for line in panel.story) for panel in scene.panels]
    stories = [getattr(post, tells)[post.focus] for tells in ("asks", "shows", "gives")]
    assert told == [f"“{story}”" for story in stories]
    captions = {beat.title: beat.caption for beat in scene.beats}
    assert "The question is our story, not the model's." in captions["Query"]


def test_without_a_story_there_is_only_the_arrow(random_sentence, run_scene):
    scene = run_scene(ThreeRoles, random_sentence)
    assert all(len(panel.story) == 0 for panel in scene.panels)
    captions = {beat.title: beat.caption for beat in scene.beats}
    assert "our story" not in captions["Query"]


def test_x_has_no_numbers_where_the_document_gives_none(post, drawn):
    numbers, _ = drawn(post, "The same vector", "Where they come from")
    assert numbers == []


def test_x_and_the_matrices_are_written_where_the_document_has_them(run_scene, drawn_numbers):
    sentence, pages = HARD_SENTENCES["two heads"], {}

    def look(scene, beat):
        pages[beat.title] = drawn_numbers(scene)

    run_scene(ThreeRoles, sentence, at_beat_end=look)
    x, last = spelled(sentence.embeddings[sentence.focus]), pages["Where they come from"]
    assert pages["The same vector"] == [x] * 3
    assert last.count(x) >= 3
    head = sentence.heads[0]
    rows = [spelled(row) for w in (head.w_query, head.w_key, head.w_value) for row in w]
    assert set(rows) <= set(last)


def test_the_value_comes_from_the_word_heard_most(post, run_scene):
    scene = run_scene(ThreeRoles, post)
    assert scene.heard == int(np.argmax(attention_of(post).weights[post.focus]))
    assert scene.beats[-1].caption.endswith("that of “cat”.")


def test_a_word_that_may_look_at_nothing_gets_no_value(run_scene):
    scene = run_scene(ThreeRoles, HARD_SENTENCES["may look at nothing"])
    assert "so none comes" in scene.beats[-1].caption
    letters = [m.text for m in scene.mobjects if isinstance(m, Text)]
    assert "v" not in letters


def test_more_than_two_entries_are_a_bar_each(run_scene):
    panels = run_scene(ThreeRoles, HARD_SENTENCES["d_k 64"]).panels
    for panel, vector in zip(panels, own(HARD_SENTENCES["d_k 64"])):
        heights = np.array(panel.shape.heights)
        assert np.allclose(heights / np.abs(heights).max(), vector / np.abs(vector).max())


@pytest.mark.parametrize("text", ["one two three", "W" * 200, "many words " * 18, "שלום"])
def test_a_story_stays_in_its_box(text):
    box = Box(0.0, 4.0, 0.0, 0.9)
    lines = Paragraph(text, box, 0.34, 0.25, "#000000")
    assert lines.width <= box.width + 1e-6
    assert lines.get_bottom()[1] > box.bottom - 0.06
    assert lines.get_top()[1] < box.top + 0.06


def test_a_changed_number_is_drawn(post, run_scene):
    head = msgspec.structs.replace(post.heads[0], query=((0, 1), (1, 1), (3, -1), (1, 0)))
    scene = run_scene(ThreeRoles, msgspec.structs.replace(post, heads=(head,)))
    numbers = [m for m in scene.panels[0].numbers.get_family() if isinstance(m, Number)]
    assert [read_back(n.points) for n in numbers if len(n.points)] == ["[3,−1]"]


@pytest.mark.slow
def test_it_is_told_with_reduced_motion(post, run_scene):
    full, reduced = (run_scene(ThreeRoles, post, motion=motion) for motion in ("full", "reduced"))
    assert [b.title for b in full.beats] == [b.title for b in reduced.beats]


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(ThreeRoles, hard_sentence).beats
