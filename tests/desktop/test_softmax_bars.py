import math

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop import edits
from desktop.calculation import Calculation
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.theme import Look
from desktop.views.bar_columns import columns_of, rows_of
from desktop.views.bars import spans
from desktop.views.lettering import apart
from desktop.views.softmax_bars import SoftmaxBars
from engine.notation import write_list
from engine.palette import THEMES
from engine.presets import load_preset
from engine.sentence import new_sentence


@pytest.fixture
def show(qtbot, state):
    def show(document, size=(480, 260)):
        bars = SoftmaxBars(document, state)
        qtbot.addWidget(bars)
        bars.resize(*size)
        bars.show()
        qtbot.waitExposed(bars)
        bars.activateWindow()
        bars.setFocus()
        QApplication.processEvents()
        return bars

    return show


def texts(columns):
    return {column.name: [bar.text for bar in column.bars] for column in columns}


def columns(sentence, before=None, room=99):
    now = Calculation(sentence, 0)
    return columns_of(now, before, rows_of(now, room))


def spot(bars, row, column):
    block = bars._blocks[0]
    box = block.boxes[block.columns.index(column)]
    return bars._row_box(box, row).center().toPoint()


def test_the_columns_are_the_posts_numbers(post):
    shown = texts(columns(post))
    assert shown["score"] == ["0", "4", "2", "0"]
    assert shown["scaled"] == ["0.00", "2.83", "1.41", "0.00"]
    assert shown["exp"] == ["1.00", "16.92", "4.11", "1.00"]
    assert shown["weight"] == ["0.04", "0.73", "0.18", "0.04"]
    footers = {column.name: column.footer[0] for column in columns(post)}
    assert footers["exp"] == "total 23.03"
    assert footers["weight"] == "printed sum 0.99"
    assert footers["adds"] == "o = [3.03, 0.40]"


def test_contributions_are_weights_times_values(post):
    added = Calculation(post, 0).contributions[post.focus]
    *_, adds = columns(post)
    assert [bar.text for bar in adds.bars] == [write_list(row) for row in added.tolist()]
    lengths = np.hypot(*added.T)
    drawn = [bar.end - bar.start for bar in adds.bars]
    assert np.allclose(drawn, lengths / lengths.max())


def test_a_small_weight_on_a_huge_value_has_the_longest_bar_of_all():
    sentence = load_preset("a-huge-value")
    *_, weight, adds = columns(sentence)
    heaviest = max(range(len(weight.bars)), key=lambda i: weight.bars[i].end)
    longest = max(range(len(adds.bars)), key=lambda i: adds.bars[i].end)
    assert heaviest != longest


def test_weights_are_drawn_as_shares_of_the_whole_room(post):
    weight = columns(post)[3]
    drawn = [bar.end - bar.start for bar in weight.bars]
    assert np.allclose(drawn, Calculation(post, 0).attention.weights[post.focus])


def test_masked_words_are_hatched_and_their_scores_minus_infinity(post):
    score, scaled, exp, weight, adds = columns(replace(post, causal=True))
    assert [bar.is_masked for bar in weight.bars] == [False, False, False, True]
    assert scaled.bars[3].text == "−∞"
    assert exp.bars[3].text == "0"
    assert weight.bars[3].text == adds.bars[3].text == ""
    assert not score.bars[3].is_masked


@pytest.mark.case(9)
def test_a_word_that_may_look_at_nothing_has_a_sum_of_zero(post):
    mask = ((True,) * 4, (True,) * 4, (False,) * 4, (True,) * 4)
    shown = columns(replace(post, mask=mask))
    assert shown[3].footer[0] == "sum 0"
    assert shown[2].footer[0] == "total 0"
    assert shown[4].footer[0] == "o = [0, 0]"


@pytest.mark.case(8)
def test_scores_too_large_for_paper_show_what_is_taken_from_them(post):
    head = replace(post.heads[0], query=((0, 1), (1, 1), (1e6, 0), (1, 0)))
    sentence = replace(post, heads=(head,))
    exp = columns(sentence)[2]
    assert exp.header[0] == "e^(s − 1.41×10⁶)"
    assert [bar.text for bar in exp.bars] == ["0", "1", "0", "0"]


def test_a_drag_leaves_the_bars_before_as_ghosts_and_writes_the_change(post):
    before = Calculation(post, 0)
    after = edits.move_vector(post, 0, "query", 2, (2.4, -0.6)).sentence
    weight = columns(after, before)[3]
    was = before.attention.weights[2]
    now = Calculation(after, 0).attention.weights[2]
    assert np.allclose([bar.ghost[1] for bar in weight.bars], was)
    assert weight.bars[1].change == f"+{now[1] - was[1]:.2f}"
    assert columns(post, before)[3].bars[1].change == ""


def test_of_many_words_the_strongest_have_rows_and_the_rest_share_one():
    sentence = new_sentence([f"w{i}" for i in range(40)])
    now = Calculation(sentence, 0)
    rows = rows_of(now, 8)
    assert len(rows.words) == 7
    weights = now.attention.weights[sentence.focus]
    assert min(weights[list(rows.words)]) >= max(weights[list(rows.others)])
    weight = columns(sentence, room=8)[3]
    assert math.isclose(weight.bars[-1].end, weights[list(rows.others)].sum())


def test_numbers_that_cannot_be_drawn_to_scale_are_still_shares():
    for numbers in ([1e308, -1e308], [0.0, 0.0], [1e-300, 5e-301], [-math.inf, 3.0], [-2.0, -1.0]):
        bars, ghosts, zero = spans(numbers, numbers)
        for start, end in [*bars, *ghosts, (zero, zero)]:
            assert 0 <= start <= end <= 1
    assert spans([1e308, -1e308], None)[0] == [(0.5, 1.0), (0.0, 0.5)]


def test_a_bar_under_the_pointer_lights_its_pair_and_step(show, document, state):
    bars = show(document)
    for column, step in enumerate(("score", "scale", "softmax", "softmax", "mix")):
        QTest.mouseMove(bars, spot(bars, 1, column) + QPoint(1, 0))
        QTest.mouseMove(bars, spot(bars, 1, column))
        assert state.lit == Thing(step, 2, 1)
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=spot(bars, 1, 0))
    assert state.pinned == Thing("score", 2, 1)


def test_what_is_lit_elsewhere_is_tinted_here(show, document, state):
    bars = show(document)
    bars.clearFocus()
    state.hover(Thing("", 2, 1))
    at = bars._row_box(bars._blocks[0].names, 1).topLeft().toPoint() + QPoint(0, 4)
    assert bars.grab().toImage().pixelColor(at) == state.look.pale("highlight", 0.12)
    state.hover(Thing("", 0, 1))
    assert bars.grab().toImage().pixelColor(at) == state.look.color("ground")


def test_keys_walk_rows_and_columns_and_tell_the_row(show, document, state):
    bars = show(document)
    QTest.keyClick(bars, Qt.Key.Key_Down)
    assert state.lit == Thing("softmax", 2, 1)
    QTest.keyClick(bars, Qt.Key.Key_End)
    assert state.lit == Thing("mix", 2, 1)
    QTest.keyClick(bars, Qt.Key.Key_Home)
    assert state.lit == Thing("score", 2, 1)
    assert bars.accessibleDescription() == (
        f"{apart('sat')} listens to {apart('cat')}: score 4, scaled 2.83, e^s 16.92, "
        "weight 0.73, adds [2.94, 0.00]"
    )


@pytest.mark.parametrize("height", [20, 120, 260])
def test_keys_reach_the_row_of_the_rest_however_low_the_panel(show, state, height):
    bars = show(Document(new_sentence([f"w{i}" for i in range(40)])), (480, height))
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(bars, key)
    for _ in range(len(bars.rows.words)):
        QTest.keyClick(bars, Qt.Key.Key_Down)
    assert "together" in bars.accessibleDescription()
    assert state.lit is None


@pytest.mark.case(13)
def test_a_word_removed_under_the_keyboard_is_let_go(show, document):
    bars = show(document)
    for _ in range(3):
        QTest.keyClick(bars, Qt.Key.Key_Down)
    document.edit(edits.remove_word(document.sentence, 3))
    bars.grab()
    assert bars.reached().heard == 2


@pytest.mark.parametrize("theme", list(THEMES))
def test_it_draws_whatever_the_sentence_and_the_size(show, state, document, theme):
    bars = show(document)
    head = document.sentence.heads[0]
    huge = replace(head, query=((1e6, 1e6),) * 4, key=((-1e6, 1e6),) * 4, value=((1e6, -1e6),) * 4)
    zero = replace(head, query=((0, 0),) * 4, key=((0, 0),) * 4, value=((0, 0),) * 4)
    sentences = (
        document.sentence,
        replace(document.sentence, heads=(huge,)),
        replace(document.sentence, heads=(zero,), causal=True),
        new_sentence("alone"),
        new_sentence(["W" * 60, "שלום", "😀", "x"] * 16),
        load_preset("two-heads"),
    )
    for sentence in sentences:
        document.replace_all(sentence, None)
        for text_size in (1.0, 2.5):
            state.set_look(Look(THEMES[theme], text_size))
            for size in ((160, 100), (430, 200), (330, 400), (1000, 600)):
                bars.resize(*size)
                assert not bars.grab().isNull()
                rows = [bars._row_box(block.names, 0) for block in bars._blocks]
                assert all(row.height() > 0 for row in rows)


@pytest.mark.parametrize("size", [(480, 260), (300, 400)])
def test_a_click_on_a_bar_s_name_makes_it_the_focus_word(show, document, state, size):
    bars = show(document, size)
    for word, block in ((1, bars._blocks[0]), (3, bars._blocks[-1])):
        at = bars._row_box(block.names, word).center().toPoint()
        QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=at)
        assert document.sentence.focus == word
        assert state.pinned is None
        assert bars.accessibleDescription().startswith(f"{apart(document.sentence.words[word])} ")
    assert document.undo_stack.count() == 0


def test_the_name_of_all_other_words_chooses_none(show):
    document = Document(new_sentence(["word"] * 64))
    bars = show(document)
    at = bars._row_box(bars._blocks[0].names, len(bars._names) - 1).center().toPoint()
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=at)
    assert document.sentence.focus == 0


def test_hidden_it_works_nothing_out(show, document, monkeypatch):
    bars = show(document)
    bars.hide()
    worked = []
    monkeypatch.setattr(bars, "arrange", lambda: worked.append(1))
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 1)))
    QApplication.processEvents()
    assert not worked
