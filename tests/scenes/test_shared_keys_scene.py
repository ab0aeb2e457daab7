"""Scene 14 counts a cache's bytes and shares keys and values as the engine does."""

import msgspec
import numpy as np
import pytest

from engine import attention_of
from engine.growth import growth
from engine.heads import HeadWeights, attend_heads
from engine.notation import write_entries, write_list, write_share
from engine.presets import load_preset
from engine.sentence import Head, Sentence, vectors_of
from scenes.parts.growth_chart import in_binary
from scenes.parts.number import Number, read_back
from scenes.shared_keys import SharedKeys
from scenes.shared_keys_words import HEADS, LAYERS, LONG, WIDTH, answers_of, asked_of, can_share

KV_HEADS = (8, 2, 1)


def rows(rng, count, width):
    return tuple(tuple(map(float, row)) for row in rng.normal(0, 1.5, (count, width)).round(1))


def sentence_of(words, heads=2, d_k=2, d_v=2, **rest):
    """Random heads that give their vectors."""
    rng, n = np.random.default_rng(2017), len(words)
    given = tuple(
        Head(name=f"head {h}", query=rows(rng, n, d_k), key=rows(rng, n, d_k),
             value=rows(rng, n, d_v))
        for h in range(1, heads + 1)
    )  # fmt: skip
    return Sentence(byhand=1, words=tuple(words), heads=given, **rest)


RANDOM = sentence_of(("a", "random", "little", "line"), focus=1)
BOTH = pytest.mark.parametrize("sentence", [load_preset("two-heads"), RANDOM])


def figures(piece):
    """The numbers in a piece of the picture, read back from their outlines."""
    return [read_back(p.points) for p in piece.get_family() if isinstance(p, Number)]


SCENE = SharedKeys


def note(scene):
    """Rows, groups of links and tiles counted; the bytes and the weights written."""
    rows = scene.rows if isinstance(scene.rows, list) else []
    links = {round(float(line.points[-1][1]), 3) for line in scene.links}
    bytes_ = [figures(f)[0] for f in scene.bars.figures]
    weights = [[figures(n)[0] for n in row.numbers] for row in scene.measured]
    return len(rows), len(links), len(scene.tiles), bytes_, weights


@pytest.mark.slow
def test_the_beats_are_told_in_order(told, post):
    assert [beat.title for beat in told(post).scene.beats] == [
        "A column a word", "Every head its own", "In bytes", "Groups share", "All share",
        "A long text", "Another model", "Other answers", "What is stored",
    ]  # fmt: skip


@pytest.mark.slow
def test_every_words_query_key_and_value_are_the_sentences(told, post):
    scene = told(post).scene
    for drawn, vectors in zip((scene.queries, scene.keys, scene.values), vectors_of(post)):
        assert [figures(column.numbers) for column in drawn] == [write_entries(v) for v in vectors]


@pytest.mark.slow
def test_what_is_kept_falls_from_eight_to_two_to_one_while_queries_stay(told, post):
    pages = told(post).pages
    titles = ("Every head its own", "Groups share", "All share")
    assert [pages[title][:3] for title in titles] == [(k, k, HEADS) for k in KV_HEADS]


@pytest.mark.slow
@pytest.mark.parametrize("which", ["post", "random_sentence"])
def test_bytes_are_the_engines(which, request, told):
    sentence = request.getfixturevalue(which)
    pages, n = told(sentence).pages, len(sentence.words)
    costs = [growth(n, WIDTH, heads=HEADS, kv_heads=k) for k in KV_HEADS]
    assert pages["All share"][3] == [in_binary(c.cache_bytes)[0] for c in costs]
    long = [growth(LONG, WIDTH, heads=HEADS, kv_heads=k, layers=LAYERS) for k in KV_HEADS]
    assert pages["A long text"][3] == [in_binary(c.cache_bytes)[0] for c in long]


def test_the_known_bytes_of_a_long_text():
    costs = (growth(LONG, WIDTH, heads=HEADS, kv_heads=k, layers=LAYERS) for k in KV_HEADS)
    assert [" ".join(in_binary(c.cache_bytes)) for c in costs] == ["192 MiB", "48 MiB", "24 MiB"]


@pytest.mark.slow
def test_the_bars_are_as_long_as_what_is_kept(told, post):
    widths = [bar.width for bar in told(post).scene.bars.bars]
    assert np.array(widths) / widths[0] == pytest.approx([1, 1 / 4, 1 / 8])


@BOTH
def test_heads_of_their_own_weigh_as_the_sentence_does(sentence):
    answers = answers_of(sentence)
    for head, weights in enumerate(answers.own_weights):
        assert weights == pytest.approx(attention_of(sentence, head).weights)


def test_warmth_scale_and_mask_are_the_sentences():
    changes = {"scaled": False, "temperature": 3.0, "causal": True}
    sentence = msgspec.structs.replace(RANDOM, **changes)
    expected = attention_of(sentence, 1).weights
    assert answers_of(sentence).own_weights[1] == pytest.approx(expected)


def test_what_is_shared_is_the_mean_of_the_projections():
    sentence = load_preset("two-heads")
    first, second = sentence.heads
    query = np.hstack([first.w_query, second.w_query])
    key, value = (
        np.mean([getattr(head, name) for head in sentence.heads], axis=0)
        for name in ("w_key", "w_value")
    )
    weights = HeadWeights(query, key, value, sentence.w_output, heads=2, kv_heads=1)
    expected = attend_heads(sentence.embeddings, weights)
    answers = answers_of(sentence)
    assert answers.shared == pytest.approx(expected.output)
    assert answers.shared_weights[1] == pytest.approx(expected.head(1).weights)


@pytest.mark.slow
@BOTH
def test_weights_move_from_their_own_to_the_shared_ones(sentence, told):
    i = sentence.focus
    drawn = told(sentence).pages["Another model"][4]
    expected = answers_of(sentence).shared_weights[:2, i]
    assert drawn == [[write_share(float(w)) for w in row] for row in expected]


@pytest.mark.slow
@BOTH
def test_both_outputs_are_drawn(sentence, told):
    scene, answers, i = told(sentence).scene, answers_of(sentence), sentence.focus
    for drawn, output in ((scene.before, answers.own), (scene.after, answers.shared)):
        written = write_list(output[i]).replace(" ", "").removesuffix("]")
        assert written.startswith(figures(drawn[1])[0].removesuffix("]"))


@pytest.mark.slow
def test_the_other_answer_is_said(told):
    captions = {b.title: b.caption for b in told(load_preset("two-heads")).scene.beats}
    answers = answers_of(load_preset("two-heads"))
    own, shared = (write_list(o[2]) for o in (answers.own, answers.shared))
    assert captions["Other answers"].startswith(f"“sat” gets {shared}, not {own}.")


@pytest.mark.slow
def test_a_single_head_borrows_the_presets_and_the_title_line_says_so(told, post):
    assert asked_of(post) == load_preset("two-heads")
    assert told(post).scene._title_note() == "answers: preset two-heads"


def test_heads_of_unlike_widths_cannot_share():
    wide = sentence_of(("a", "b"), d_k=3).heads[0]
    unlike = msgspec.structs.replace(sentence_of(("a", "b")), heads=(RANDOM.heads[0], wide))
    narrow = sentence_of(("a", "b")).heads[0]
    assert not can_share(msgspec.structs.replace(unlike, heads=(narrow, wide)))


HARD = {
    "sixteen wide heads": sentence_of(
        [f"word{i}" for i in range(64)], heads=16, d_k=64, d_v=64, focus=40
    ),
    "one number": sentence_of(("alone",), d_k=1, d_v=1),
    "may look at nothing": sentence_of(
        ("the", "cat", "sat"), focus=1, mask=((True,) * 3, (False,) * 3, (True,) * 3)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("which", sorted(HARD))
def test_any_heads_are_told_without_a_warning(which, run_scene):
    assert run_scene(SharedKeys, HARD[which]).beats


@pytest.mark.slow
def test_any_sentence_is_told_without_a_warning(hard_sentence, run_scene):
    assert run_scene(SharedKeys, hard_sentence).beats


@pytest.mark.slow
def test_any_setting_is_told_without_a_warning(post, run_scene):
    assert run_scene(SharedKeys, post, rows="keys", motion="reduced", digits=5).beats
