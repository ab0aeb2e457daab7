from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtTest import QTest

from desktop import edits
from desktop.document import Document
from desktop.spotlight import Thing
from desktop.theme import Look
from desktop.views.panel import CALM
from desktop.views.working_layout import NARROWEST, RAISED, lay_out
from desktop.views.working_view import WorkingView
from engine.palette import THEMES
from engine.sentence import Head, Sentence, new_sentence


@pytest.fixture
def view(qtbot, document, state):
    view = WorkingView(document, state)
    qtbot.addWidget(view)
    view.resize(430, 660)
    with qtbot.waitExposed(view):
        view.show()
    yield view
    view.close()


def drawn(view):
    """Everything on the paper as text, a row a line."""
    return [" ".join(piece.text for piece in row.pieces) for row in view.paper._rows]


def row_of(view, step, word):
    return next(r for r in view.paper._rows if r.step == step and r.word == word)


def middle_of(row):
    return QPoint(60, round(row.top + row.height / 2))


def test_the_posts_numbers_are_on_the_paper(view):
    text = "\n".join(drawn(view))
    assert "scores = [0, 4, 2, 0]" in text
    assert "÷ 1.414 = [0.00, 2.83, 1.41, 0.00]" in text
    assert "= [0.04, 0.73, 0.18, 0.04]" in text
    assert "[3.03, 0.40]" in text
    assert "[3.00, 0.40]" in text


@pytest.mark.case(10)
@pytest.mark.parametrize(
    ("number", "text"),
    [(-0.0, "0"), (-0.001, "0.00"), (1e5, "1.00×10⁵"), (1e-9, "0.00"), (0.005, "0.01"),
     (0.125, "0.13"), (9999.996, "1.00×10⁴")],
)  # fmt: skip
def test_a_score_is_written_on_the_paper_as_everywhere(view, document, number, text):
    head = Head(name="one", query=((number,),), key=((1.0,),), value=((1.0,),))
    document.replace_all(Sentence(byhand=1, words=("cat",), heads=(head,)), None)
    QTest.qWait(2 * CALM)
    assert f"scores = [{text}]" in "\n".join(drawn(view))


def test_a_drag_changes_the_paper_and_giving_it_up_changes_it_back_at_once(view, document):
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 0)))
    QTest.qWait(2 * CALM)
    assert "scores = [0, 6, 3, 0]" in drawn(view)
    document.give_up()
    assert "scores = [0, 4, 2, 0]" in drawn(view)


def test_a_line_under_the_pointer_lights_its_pair_of_words(view, state):
    QTest.mouseMove(view.paper.viewport(), middle_of(row_of(view, "score", 1)))
    assert state.lit == Thing("score", 2, 1)
    QTest.mouseMove(view.paper.viewport(), QPoint(200, 655))
    assert state.lit is None


def test_arrow_keys_walk_the_lines_and_say_them(view, state, qtbot):
    view.paper.setFocus()
    QTest.keyClick(view.paper, Qt.Key.Key_Down)
    with qtbot.waitSignal(state.announced) as said:
        QTest.keyClick(view.paper, Qt.Key.Key_Down)
    assert said.args == ["sat · the = 2 · 0 + 0 · 1 = 0"]
    assert state.lit == Thing("score", 2, 0)


def test_a_click_on_a_steps_title_folds_it_to_its_result(view):
    title = next(row for row in view.paper._rows if row.kind == "title")
    QTest.mouseClick(view.paper.viewport(), Qt.MouseButton.LeftButton, pos=middle_of(title))
    assert not any(r.step == "score" and r.kind == "line" for r in view.paper._rows)
    assert "[0, 4, 2, 0]" in drawn(view)[0]


def test_copy_takes_the_whole_working_though_a_step_is_folded(view):
    view.paper.setFocus()
    QTest.keyClick(view.paper, Qt.Key.Key_Down)
    QTest.keyClick(view.paper, Qt.Key.Key_Return)
    QTest.keyClick(view.paper, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "scores = [0, 4, 2, 0]" in QGuiApplication.clipboard().text()


def test_the_check_says_checked_and_forgets_it_at_the_next_change(view, document, qtbot):
    view.check_button.click()
    qtbot.waitUntil(lambda: view.verdict.text().startswith("✓ checked"))
    document.edit(edits.set_causal(document.sentence, True))
    assert view.verdict.text() == ""


def test_the_check_finds_a_wrong_engine(view, monkeypatch, qtbot):
    from engine import attention_of as right

    def wrong(sentence, head):
        attention = right(sentence, head)
        attention.weights[0, 0] += 1e-6
        return attention

    monkeypatch.setattr("export.check.attention_of", wrong)
    view.check_button.click()
    qtbot.waitUntil(lambda: "differs" in view.verdict.text())
    assert "heads[0].weights[0][0]" in view.verdict.text()


def test_a_change_while_checking_is_not_called_checked(view, document, qtbot):
    view.check_button.click()
    document.edit(edits.set_causal(document.sentence, True))
    qtbot.waitUntil(view.check_button.isEnabled)
    assert "checked with" not in view.verdict.text()


@pytest.mark.case(9)
def test_a_word_that_may_look_at_nothing_is_said_and_has_no_nan(view, document):
    mask = [[True] * 4, [True] * 4, [False] * 4, [True] * 4]
    document.edit(edits.set_mask(document.sentence, mask))
    text = "\n".join(drawn(view))
    assert "sat may look at nothing." in text
    assert "nan" not in text


HARD = {
    "long": ["internationalization", "W" * 60, "Donaudampfschifffahrtsgesellschaft"],
    "scripts": ["שלום", "القط", "😀", "a\u0301", "<b>&amp;"],
    "twelve": [f"word{i}" for i in range(12)],
    "sixty-four": [f"w{i}" for i in range(64)],
    "one": ["alone"],
}


@pytest.mark.parametrize("words", HARD.values(), ids=HARD)
@pytest.mark.parametrize("width", [220, 430])
@pytest.mark.parametrize("size", [1.0, 2.5])
def test_no_piece_runs_over_the_edge_or_into_the_next(qapp, words, width, size):
    calculation = Document(new_sentence(words)).calculation
    look = Look(THEMES["light"], size)
    widths = {
        "plain": QFontMetricsF(look.font()).horizontalAdvance,
        "bold": QFontMetricsF(look.font(bold=True)).horizontalAdvance,
        "raised": QFontMetricsF(look.font(RAISED)).horizontalAdvance,
    }
    rows = lay_out(calculation.steps(), look, width, frozenset(), 2)
    wide = max(width, NARROWEST * QFontMetricsF(look.font()).height())
    for row in rows:
        ends = [(piece.x, piece.x + widths[piece.style](piece.text)) for piece in row.pieces]
        assert all(end <= wide + 1 for _, end in ends[1:]), row.full
        assert all(end <= start + 1 for (_, end), (start, _) in pairwise(ends)), row.full
    assert all(b.top >= a.top + a.height - 0.01 for a, b in pairwise(rows))


def test_the_last_line_can_be_scrolled_to(view, document):
    document.edit(edits.set_width(document.sentence, 0, ("query", "key"), 40))
    paper = view.paper
    paper.verticalScrollBar().setValue(paper.verticalScrollBar().maximum())
    last = paper._rows[-1]
    bottom = last.top + last.height - paper.verticalScrollBar().value()
    assert 0 < bottom <= paper.viewport().height()


def test_many_steps_of_a_drag_lay_the_paper_out_a_few_times(view, document, monkeypatch):
    laid_out = []
    monkeypatch.setattr(view.paper, "_lay_out", lambda: laid_out.append(1))
    for i in range(50):
        document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, i / 10)))
    QTest.qWait(2 * CALM)
    assert len(laid_out) == 1
    document.give_up()
    assert len(laid_out) >= 2
