import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QTabBar, QWidget

from desktop import dialogs, edits
from desktop.canvas.arrows import Arrow, spoken
from desktop.panel_dock import has_focus
from desktop.spotlight import Thing
from desktop.views.painted import REST
from desktop.window import DEFAULT_SIZE, place_on_screen

SCREEN = QRect(0, 0, 1600, 1000)

ONE = {"where", "copied", "mask", "causal", "working"}
ALL = ONE | {"bars", "words"}
EVERYTHING = ALL | {"twins", "growth", "tiles", "heads"}


def shown(window):
    return {name for name in window.docks.docks if window.docks.is_shown(name)}


def box(window, name):
    dock = window.docks.docks[name]
    return QRect(dock.mapTo(window, QPoint(0, 0)), dock.size())


# Level and panels


@pytest.mark.parametrize(
    ("level", "names"), [("one", ONE), ("all", ALL), ("everything", EVERYTHING)]
)
def test_the_level_says_which_panels_are_shown(window, level, names):
    window.state.set_level(level)
    assert shown(window) == names


def test_it_first_starts_with_one_word_at_its_default_size(window):
    assert window.state.level == "one"
    assert window.size() == DEFAULT_SIZE.boundedTo(window.screen().availableSize())


def test_the_level_switch_follows_and_leads(window, qtbot):
    buttons = window.top.levels.buttons
    qtbot.mouseClick(buttons["all"], Qt.MouseButton.LeftButton)
    assert window.state.level == "all"
    window.state.set_level("everything")
    assert buttons["everything"].isChecked()


def test_a_panel_closed_by_hand_stays_closed_at_every_level(window, qtbot):
    window.state.set_level("all")
    qtbot.mouseClick(window.docks.docks["bars"].title_bar.shut, Qt.MouseButton.LeftButton)
    assert shown(window) == ALL - {"bars"}
    window.state.set_level("everything")
    assert shown(window) == EVERYTHING - {"bars"}


def test_a_panel_opened_by_hand_stays_open_at_every_level(window):
    window.action_set.do("panel-growth")
    for level in ("all", "one"):
        window.state.set_level(level)
        assert "growth" in shown(window)


def test_reset_puts_everything_back(window):
    places = {name: box(window, name) for name in ONE}
    window.action_set.do("panel-growth")
    window.action_set.do("panel-where")
    window.docks.docks["copied"].setFloating(True)
    window.action_set.do("reset")
    QApplication.processEvents()
    assert shown(window) == ONE
    assert {name: box(window, name) for name in ONE} == places


def test_left_is_where_middle_is_how_much_right_is_why(window):
    window.resize(1400, 900)
    window.state.set_level("all")
    QApplication.processEvents()
    where, mask, working, words = (box(window, n) for n in ("where", "mask", "working", "words"))
    assert where.right() < mask.left()
    assert mask.right() < working.left()
    assert box(window, "copied").top() > where.bottom()
    assert words.top() > working.bottom()
    assert words.width() > 1300


def test_in_a_narrow_window_the_steps_fold_under_the_grids(window):
    window.resize(1024, 700)
    QApplication.processEvents()
    assert window.size() == QSize(1024, 700)
    working, mask, causal = (box(window, n) for n in ("working", "mask", "causal"))
    assert working.top() > mask.bottom()
    assert (working.left(), mask.top()) == (mask.left(), causal.top())
    window.resize(1400, 900)
    QApplication.processEvents()
    assert box(window, "working").left() > box(window, "mask").right()


def test_what_was_arranged_by_hand_is_not_folded(window):
    window.docks.docks["working"].setFloating(True)
    window.resize(1024, 700)
    QApplication.processEvents()
    assert window.docks.docks["working"].isFloating()


def test_f10_fills_the_window_and_gives_it_back(window):
    before = {name: box(window, name) for name in ONE}
    window.docks.docks["mask"].setFocus()
    window.docks.toggle_fill("mask")
    QApplication.processEvents()
    assert shown(window) == {"mask"}
    assert box(window, "mask").width() == window.width()
    QTest.keyClick(window, Qt.Key.Key_F10)
    QApplication.processEvents()
    assert {name: box(window, name) for name in ONE} == before


def test_a_double_click_on_a_title_fills_the_window_and_gives_it_back(window):
    title = window.docks.docks["copied"].title_bar
    for names in ({"copied"}, ONE):
        QTest.mouseDClick(title, Qt.MouseButton.LeftButton, pos=QPoint(40, 5))
        QApplication.processEvents()
        assert shown(window) == names
        assert not window.docks.docks["copied"].isFloating()


def test_another_level_ends_the_filling(window):
    window.docks.toggle_fill("mask")
    window.state.set_level("all")
    assert shown(window) == ALL


def test_f6_goes_round_all_panels_and_back(full_window):
    window = full_window
    window.activateWindow()
    docks = list(window.docks.around)
    docks[0].focus()
    seen = []
    for _ in range(len(docks) + 2):
        seen += [dock.place.name for dock in docks if has_focus(dock)]
        QTest.keyClick(window, Qt.Key.Key_F6)
    assert seen == [dock.place.name for dock in docks]
    assert has_focus(docks[0])
    QTest.keyClick(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert has_focus(window.top.chips)


def test_a_lit_part_of_the_formula_tints_its_panels_title(window):
    docks = window.docks.docks
    for step, name in {"query": "where", "mix": "copied", "mask": "causal"}.items():
        window.state.hover(Thing(step))
        assert docks[name].title_bar.tinted
        window.state.hover(None)
        assert not docks[name].title_bar.tinted


def test_the_working_is_called_after_the_focus_word(window):
    window.action_set.do("next-word")
    assert window.docks.docks["working"].windowTitle() == "down, by hand"


# The title bar and the status bar


def test_the_title_names_the_document_and_marks_changes(window, monkeypatch):
    assert window.windowTitle() == "The cat sat down[*] — byhand"
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "A [*] b")
    window.words.set_title()
    assert window.windowTitle() == "A [*][*] b[*] — byhand"
    assert window.isWindowModified()
    window.document.undo()
    assert not window.isWindowModified()


def test_what_is_announced_stands_in_the_status_bar(window):
    window.state.announce("q(sat) = (2, 0)")
    assert window.status.text == "q(sat) = (2, 0)"


class Reader:
    """A screen reader that notes what it is told to say."""

    def __init__(self):
        self.heard = []

    def isActive(self):  # noqa: N802
        return True

    def updateAccessibility(self, event):  # noqa: N802
        self.heard.append(event.message())


@pytest.mark.parametrize("was_hovered", [True, False])
@pytest.mark.parametrize("end", ["release", "escape"])
def test_a_drag_is_shown_at_each_step_and_heard_once_at_rest(
    full_window, monkeypatch, end, was_hovered
):
    window, reader = full_window, Reader()
    window.resize(1400, 900)
    window.fit_planes()
    QTest.qWait(250)
    monkeypatch.setattr("desktop.window.QAccessible", reader)
    plane, handle = window.docks.docks["where"].panel, window.windowHandle()
    tip = QPointF(*plane.drawn[Arrow("query", 2)][1]).toPoint()
    at = plane.surface.mapTo(window, tip)
    QTest.mouseMove(handle, at)
    QTest.qWait(2 * REST)
    reader.heard.clear()
    if not was_hovered:
        plane._leave()
    shown = set()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=at)
    for step in range(1, 16):
        QTest.mouseMove(handle, at + QPoint(-4 * step, -3 * step))
        shown.add(window.status.text)
    assert len(shown) > 10
    assert reader.heard == []
    if end == "release":
        end_of_drag = at + QPoint(-60, -45)
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=end_of_drag)
    else:
        QTest.keyClick(plane.surface, Qt.Key.Key_Escape)
    QTest.qWait(2 * REST)
    assert reader.heard == [spoken(window.document.calculation, Arrow("query", 2))]
    if end == "escape":
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=at)
    window.abandon()


def test_a_long_announcement_does_not_widen_the_window(window):
    window.resize(900, 700)
    window.state.announce("word " * 200)
    QApplication.processEvents()
    assert window.width() == 900
    assert window.status.line.toolTip().startswith("<p>word word")


def nameless(top):
    """The widgets of a window that take the keyboard and that a screen reader has no name for."""
    found = []
    for widget in (top, *top.findChildren(QWidget)):
        is_quiet = widget.focusPolicy() == Qt.FocusPolicy.NoFocus
        is_empty = (isinstance(widget, QLabel) and not widget.text()) or (
            isinstance(widget, QTabBar) and not widget.count()
        )
        if is_quiet or is_empty or is_in_menu(widget):
            continue
        reader = QAccessible.queryAccessibleInterface(widget)
        if not reader.text(QAccessible.Text.Name).strip():
            found.append((type(widget).__name__, type(widget.parent()).__name__))
    return found


def is_in_menu(widget):
    """pyqtgraph makes menus that are never shown."""
    while widget is not None and not isinstance(widget, QMenu):
        widget = widget.parentWidget()
    return widget is not None


def test_all_that_takes_the_keyboard_in_any_panel_has_a_name(full_window):
    window = full_window
    window.state.set_level("everything")
    window.resize(1400, 900)
    for name, dock in window.docks.docks.items():
        window.docks.set_shown(name, True)
        QApplication.processEvents()
        assert dock.panel is not None
    assert nameless(window) == []


@pytest.mark.parametrize("action", ["preferences", "render", "keys", "about", "palette", "tour"])
def test_all_that_takes_the_keyboard_in_a_dialog_has_a_name(full_window, action):
    before = set(full_window.findChildren(QWidget))
    full_window.action_set.do(action)
    QApplication.processEvents()
    new = [w for w in full_window.findChildren(QWidget) if w not in before and w.isVisible()]
    assert new
    assert [lacks for widget in new for lacks in nameless(widget)] == []
    for widget in new:
        if widget.isWindow():
            widget.close()


@pytest.mark.parametrize("ask", ["text", "changes", "overwrite"])
def test_all_that_takes_the_keyboard_in_a_question_has_a_name(window, ask):
    found = []

    def look():
        dialog = QApplication.activeModalWidget()
        found.append(nameless(dialog))
        dialog.reject()

    QTimer.singleShot(0, look)
    if ask == "text":
        dialogs.ask_text(window, "Add word", "The word after sat:")
    elif ask == "changes":
        dialogs.ask_about_changes(window, "a", dirty=True, rendering=True)
    else:
        dialogs.ask_overwrite(window, "Overwrite?", "Overwrite")
    assert found == [[]]


def test_every_dock_and_switch_has_a_name_for_screen_readers(full_window):
    for dock in full_window.docks.around:
        assert QAccessible.queryAccessibleInterface(dock.made()).text(QAccessible.Text.Name)
    assert full_window.top.levels.accessibleName()


# Words


def test_the_words_menu_edits_the_focus_word(window, monkeypatch):
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "quietly")
    window.action_set.do("add-word")
    assert window.document.sentence.words == ("the", "cat", "sat", "quietly", "down")
    assert window.document.sentence.focus == 3
    assert "no language model" in window.notices.texts["new"]
    window.action_set.do("move-right")
    assert window.document.sentence.words[-1] == "quietly"
    window.action_set.do("remove-word")
    assert window.document.sentence.words == ("the", "cat", "sat", "down")


@pytest.mark.case(5)
def test_of_two_equal_words_only_the_second_is_renamed(window, monkeypatch):
    window.document.replace_all(
        edits.rename_word(window.document.sentence, 2, "the").sentence, None
    )
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "a")
    window.document.set_focus(2)
    window.words.rename()
    assert window.document.sentence.words == ("the", "cat", "a", "down")


@pytest.mark.case(1)
@pytest.mark.parametrize("text", ["W" * 81, "a\nb", "\0", "\udcff"])
def test_a_word_that_may_not_be_is_refused_and_nothing_changes(window, monkeypatch, text):
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: text)
    before = window.document.sentence
    window.words.rename()
    assert window.document.sentence is before
    assert "words" in window.status.text


# Looks


def test_text_grows_and_shrinks_by_keys(window):
    before = QApplication.font().pointSizeF()
    QTest.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.font().pointSizeF() == before * 1.25
    for _ in range(9):
        QTest.keyClick(window, Qt.Key.Key_Equal, Qt.KeyboardModifier.ControlModifier)
    assert window.state.look.text_size == 2.5
    QTest.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.font().pointSizeF() == before


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_a_theme_is_every_windows_and_the_next_starts(window, theme):
    other = window.session.open_window()
    window.action_set.do(f"theme-{theme}")
    assert {window.state.look.theme.name, other.state.look.theme.name} == {theme}
    assert QApplication.palette().base().color() == other.state.look.color("ground")
    assert window.session.settings.now.theme == theme


def test_following_the_system_follows_it(window, monkeypatch):
    class Hints:
        def colorScheme(self):  # noqa: N802
            return Qt.ColorScheme.Dark

    monkeypatch.setattr("desktop.app.QGuiApplication.styleHints", Hints)
    window.session._restyle()
    assert window.state.look.theme.name == "dark"
    monkeypatch.undo()


def test_preferences_hold_at_once(window, qtbot):
    window.session.open_preferences(window)
    (dialog,) = (w for w in window.findChildren(QWidget) if w.windowTitle() == "Preferences")
    dialog.theme.setFocus()
    dialog.theme.setCurrentIndex(dialog.theme.findData("dark"))
    dialog.theme.activated.emit(dialog.theme.currentIndex())
    assert window.state.look.theme.name == "dark"
    dialog.digits.setCurrentIndex(4)
    dialog.digits.activated.emit(4)
    assert window.document.calculation.digits == 4
    qtbot.mouseClick(
        dialog.motion, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.motion.height() // 2)
    )
    assert window.state.reduced_motion
    dialog.close()


# Where the window is


@pytest.mark.case(23)
@pytest.mark.parametrize(
    "place",
    [
        None, (9999, 9999, 800, 600), (-5000, 0, 800, 600), (0, -4000, 800, 600),
        (10**12, 10**12, 10**12, 10**12), (0, 0, 0, 0), (0, 0, -5, 10), (100, 990, 800, 600),
        (100, 100, 800, 3), (100, 100, 10**12, 600),
    ],
)  # fmt: skip
def test_a_window_that_would_not_be_seen_is_in_the_middle(place):
    rect = place_on_screen(place, [SCREEN])
    assert SCREEN.contains(rect)
    assert abs((rect.center() - SCREEN.center()).manhattanLength()) <= 1


def test_a_window_is_where_it_was(qapp):
    assert place_on_screen((300, 200, 900, 600), [SCREEN]) == QRect(300, 200, 900, 600)
    second = QRect(1600, 0, 1600, 1000)
    assert place_on_screen((1700, 50, 900, 600), [SCREEN, second]) == QRect(1700, 50, 900, 600)


@pytest.mark.case(23)
@pytest.mark.parametrize("docks", ["", "AAAA", "garbage!", "/////w==", "AAAA/wAAAAD9AAAAAQ=="])
def test_garbage_for_the_docks_gives_the_default_places(start, bare_panels, docks, private_home):
    from desktop.settings import SettingsFile

    SettingsFile().change(docks=docks, place=(9999, 9999, 800, 600))
    (window,) = start().windows.values()
    assert shown(window) == ONE
    assert window.screen().availableGeometry().contains(window.geometry().center())
    assert box(window, "where").right() < box(window, "mask").left()


def test_the_next_start_is_as_the_last_window_was(start, bare_panels):
    first = start()
    (window,) = first.windows.values()
    window.resize(780, 640)
    window.action_set.do("panel-growth")
    window.state.set_level("all")
    window.state.set_snap(0.5)
    window.document.set_digits(3)
    window.action_set.do("layer-hull")
    window.close()
    (window,) = start().windows.values()
    assert window.size() == QSize(780, 640)
    assert shown(window) == ALL | {"growth"}
    assert (window.state.snap, window.document.calculation.digits) == (0.5, 3)
    assert "hull" not in window.state.layers


# First start


def test_the_first_start_hints_until_a_key_is_pressed_and_never_again(start, bare_panels, qtbot):
    first = start(greeted=False)
    (window,) = first.windows.values()
    assert window.status.text.startswith("Drag the blue arrow of sat")
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Shift)
    assert window.status.text == ""
    first.abandon()
    assert first.settings.now.greeted


def test_the_hint_goes_with_the_first_drag(start, bare_panels):
    (window,) = start(greeted=False).windows.values()
    document = window.document
    document.preview(edits.move_vector(document.kept, 0, "query", 2, (3, 0)))
    assert window.status.text == ""


def test_the_tour_goes_through_its_steps_and_leaves_nothing(window, qtbot):
    from desktop.tour import STEPS, Tour

    window.action_set.do("tour")
    (tour,) = window.findChildren(Tour)
    for name, head, _ in STEPS:
        assert tour.head.text() == head
        assert window.rect().contains(tour.geometry())
        if name in window.docks.docks:
            assert window.docks.docks[name].title_bar.tinted
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    assert not tour.isVisible()
    assert not any(dock.title_bar.tinted for dock in window.docks.docks.values())


def test_the_tour_brings_a_panel_behind_a_tab_to_the_front(window, qtbot):
    from desktop.tour import STEPS, Tour

    window.session.set_appearance(text_size=2.5)
    window.resize(1024, 700)
    window.show()
    QApplication.processEvents()
    window.action_set.do("tour")
    (tour,) = window.findChildren(Tour)
    for name, _, _ in STEPS:
        if name in window.docks.docks:
            bar = window.docks.docks[name].title_bar
            assert not bar.visibleRegion().isEmpty()
            assert window.rect().contains(bar.mapTo(window, bar.rect().center()))
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)


def test_help_lists_every_key(window):
    from desktop.actions import ACTIONS
    from desktop.help_dialogs import KeysDialog

    window.action_set.do("keys")
    (dialog,) = window.findChildren(KeysDialog)
    sections = [dialog.list.topLevelItem(i) for i in range(dialog.list.topLevelItemCount())]
    rows = sum(section.childCount() for section in sections)
    assert rows >= sum(bool(action.keys) for action in ACTIONS)
    dialog.close()


def test_about_says_that_no_model_is_run(window):
    window.action_set.do("about")
    (about,) = (w for w in window.findChildren(QWidget) if w.windowTitle() == "About byhand")
    assert "no language model" in about.informativeText()
    about.close()


def test_no_empty_tab_bar_is_left_upon_the_menus(full_window):
    def in_sight():
        QApplication.processEvents()
        bars = full_window.findChildren(QTabBar)
        mine = [bar for bar in bars if bar.parent() is full_window and bar.isVisible()]
        return [bar.count() for bar in mine if bar.geometry().intersects(full_window.rect())]

    for level, width in (("one", 1400), ("everything", 1400), ("all", 1024), ("everything", 1400)):
        full_window.state.set_level(level)
        full_window.resize(width, 900)
        assert all(count > 1 for count in in_sight())
    full_window.reset_panels()
    assert in_sight() == [4]


def test_where_text_is_large_the_panels_of_a_column_share_its_place(window):
    where, copied = (window.docks.docks[name] for name in ("where", "copied"))
    assert copied not in window.tabifiedDockWidgets(where)
    window.session.set_appearance(text_size=2.5)
    assert copied in window.tabifiedDockWidgets(where)
    window.session.set_appearance(text_size=1.0)
    assert copied not in window.tabifiedDockWidgets(where)


def test_a_window_that_closes_ends_what_its_panels_do_in_the_background(full_window, qtbot):
    full_window.state.set_level("everything")
    growth, working = (full_window.docks.docks[name].made() for name in ("growth", "working"))
    full_window.docks.docks["growth"].focus()
    growth.start.click()
    working.check_button.click()
    timing, checking = growth.timing, working._checking
    assert timing.isRunning()
    assert checking is not None
    full_window.close()
    assert timing.isFinished()
    assert checking.isFinished()


def test_a_drag_of_a_title_ends_where_the_panels_are_put_elsewhere(window):
    dock = window.docks.docks["mask"]
    at = dock.title_bar.mapTo(window, QPoint(40, 8))
    handle = window.windowHandle()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=at)
    for step in (30, 60, 90):
        QTest.mouseMove(handle, at + QPoint(step, step))
    assert dock.isFloating()
    window.state.set_level("all")
    where = dock.pos()
    QTest.mouseMove(handle, at + QPoint(200, 200))
    assert dock.pos() == where
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=at)
