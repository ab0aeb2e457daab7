"""What the grid costs, and the times that were measured."""

import io
import json

import pytest
from matplotlib.text import Text

from export.alt_text import alt_text
from export.cli import main
from export.figures import find_figure, load_figure
from export.figures.growth import draw_times, held_in_tiles
from export.figures.theme import FigureStyle, new_figure
from export.hard_sentences import HARD_SENTENCES
from export.measured import read_measured


def texts_of(sentence, measured=None):
    style = FigureStyle(measured=measured)
    with style.applied():
        figure = new_figure(style)
        load_figure(find_figure("growth"))(figure, sentence, 0, style)
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("name", ["any script", "huge", "may look at nothing"])
def test_a_hard_sentence_is_drawn_without_a_nan(name):
    assert not any("nan" in text for text in texts_of(HARD_SENTENCES[name]) if "Dona" not in text)


def test_the_sentence_s_own_cells_and_bytes_are_told(post):
    assert "this sentence: 4 words, 16 cells, 64 B" in texts_of(post)


def test_with_tiles_what_is_held_grows_as_the_words_do():
    assert held_in_tiles(1 << 17, 64) < 2.1 * held_in_tiles(1 << 16, 64)


def test_times_are_asked_for_where_there_are_none():
    with pytest.raises(ValueError, match="measure_growth"):
        draw_times([], None)


def row(n, grid, tiles, **changes):
    times = {"grid_seconds": grid, "tiles_seconds": tiles}
    return {"n": n, "width": 64, "causal": False, **times, **changes}


ROWS = [row(256, 0.0123, 0.0061), row(512, 0.0492, 0.0122), row(1024, None, 0.0244)]


@pytest.fixture
def times_file(tmp_path):
    def write(rows):
        file = tmp_path / "times.json"
        file.write_text(json.dumps(rows))
        return str(file)

    return write


def test_measured_times_are_drawn_with_what_they_are_of(post, times_file):
    texts = texts_of(post, read_measured(times_file(ROWS)))
    assert "full grid: 49.2 ms at 512" in texts
    assert "with tiles: 24.4 ms at 1,024" in texts
    assert "time, as measured" in texts
    assert "n^2.00 for the full grid and n^1.00 with tiles" in " ".join(texts)


def test_nothing_is_measured_unless_it_was(post):
    assert not any("measured" in text for text in texts_of(post))


def test_measured_times_stand_under_what_is_counted_which_stays_as_it_is(post, times_file):
    counted, both = texts_of(post), texts_of(post, read_measured(times_file(ROWS)))
    assert set(counted) <= set(both)


def test_the_causal_mask_of_a_measurement_is_said(post, times_file):
    rows = [one | {"causal": True} for one in ROWS]
    measured = read_measured(times_file(rows))
    assert "causal mask" in " ".join(texts_of(post, measured))
    assert "64 numbers a vector and the causal mask" in alt_text(
        post, 0, "growth", measured=measured
    )


def test_alt_text_says_the_last_time_of_each_way(post, times_file):
    text = alt_text(post, 0, "growth", measured=read_measured(times_file(ROWS)))
    assert "the full grid took 49.2 ms at 512 tokens and tiles took 24.4 ms at 1,024" in text


def test_what_growth_prints_the_figure_reads(tmp_path, capsys, monkeypatch):
    assert main(["growth", "--up-to", "512", "--width", "3", "--json", "--quiet"]) == 0
    printed = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(printed.encode())))
    file = tmp_path / "growth.svg"
    assert main(["figure", "growth", "--measured", "-", "-o", str(file)]) == 0
    assert "3 numbers a vector: the full grid took" in file.read_text("utf-8")


def test_times_in_any_order_are_drawn_from_the_fewest_tokens_on(times_file):
    measured = read_measured(times_file(ROWS[::-1]))
    assert [one.n for one in measured.times] == [256, 512, 1024]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "holds no times"),
        ([row(256, None, None)], "holds no times"),
        ({}, "holds no times"),
        ([{"n": 256}], "missing required field `width`"),
        ([row(256, "2", 1)], r"\$\[0\].grid_seconds"),
        ([row(256, -1, 1)], r"\$\[0\].grid_seconds"),
        ([*ROWS, row(256, 1, 1)], "more than one measurement"),
        ([*ROWS, row(2048, 1, 1, width=8)], "more than one measurement"),
    ],
)
def test_what_holds_no_times_is_refused_with_what_makes_some(rows, said, times_file):
    with pytest.raises(ValueError, match=said) as caught:
        read_measured(times_file(rows))
    assert "byhand growth --json" in str(caught.value)
    assert "times.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\0", " " * 1_000_001])
def test_damaged_times_are_one_line(text, tmp_path):
    file = tmp_path / "times.json"
    file.write_text(text)
    with pytest.raises(ValueError, match="holds no times"):
        read_measured(str(file))


def test_times_for_another_figure_are_refused(times_file, capsys):
    assert main(["figure", "weights", "--measured", times_file(ROWS)]) == 2
    assert "the figure of growth" in capsys.readouterr().err


def test_times_that_are_not_there_are_one_line(capsys):
    assert main(["figure", "growth", "--measured", "none.json"]) == 2
    said = capsys.readouterr().err
    assert "none.json" in said
    assert said.count("\n") == 1
