"""Figures in the other themes and sizes, and what only a viewer of the file would see."""

from __future__ import annotations

import io
import itertools
import re
import zlib
from xml.etree import ElementTree

import msgspec
import pytest

from engine.palette import THEMES
from engine.presets import load_preset
from export.figures import FIGURES, find_figure, load_figure
from export.hard_sentences import HARD_SENTENCES

SENTENCES = {"the post": load_preset(), **HARD_SENTENCES}
NAMES = [entry.name for entry in FIGURES]
# Every figure meets every fourth sentence, and every sentence nearly three figures.
SAMPLE = [
    (name, title)
    for (i, name), (j, title) in itertools.product(enumerate(NAMES), enumerate(SENTENCES))
    if (i + j) % 4 == 0
]


def written_boxes(name, sentence, style):
    """The text and the box, in pixels, of everything that is written; and the picture's size."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    from export.figures.theme import new_figure

    with style.applied():
        figure = new_figure(style)
        renderer = FigureCanvasAgg(figure).get_renderer()
        load_figure(find_figure(name))(figure, sentence, 0, style)
        figure.draw_without_rendering()
        boxes = []
        for text in figure.findobj(Text):
            axes = text.axes
            is_off = axes is not None and not axes.axison and type(text).__name__ != "Annotation"
            if text.get_visible() and text.get_text().strip() and text.figure and not is_off:
                box = Text.get_window_extent(text, renderer)
                if box.width > 0:
                    boxes.append((text.get_text(), box))
        return boxes, figure.bbox


def faults_of(name, sentence, style):
    """Texts that leave the picture, and pairs that meet, by more than a hair at this size."""
    boxes, whole = written_boxes(name, sentence, style)
    slack = 1.5 * style.scale
    outside = [
        text
        for text, box in boxes
        if box.x0 < -1 or box.y0 < -1 or box.x1 > whole.width + 1 or box.y1 > whole.height + 1
    ]
    meeting = [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(boxes, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > slack and min(a.y1, b.y1) - max(a.y0, b.y0) > slack
    ]
    return outside, meeting


@pytest.mark.parametrize(("name", "title"), SAMPLE)
def test_no_two_texts_meet_before_a_projector(name, title):
    from export.figures.theme import FigureStyle

    assert faults_of(name, SENTENCES[title], FigureStyle("projector")) == ([], [])


@pytest.mark.parametrize("scale", [0.5, 2.0])
@pytest.mark.parametrize(("name", "title"), SAMPLE[::4])
def test_no_two_texts_meet_at_any_size_or_way_round(name, title, scale):
    from export.figures.theme import FigureStyle

    style = FigureStyle("dark", rows="keys", digits=4, font_scale=scale)
    assert faults_of(name, SENTENCES[title], style) == ([], [])


@pytest.mark.parametrize("times", [2e-8, 1e-4, 3e3, 2e5])
@pytest.mark.parametrize("name", ["query-plane", "value-plane", "winning-word"])
def test_numbers_along_a_plane_stay_in_the_picture_however_large_or_small(name, times):
    from export.figures.theme import FigureStyle

    sentence = HARD_SENTENCES["negative"]
    given = {
        role: tuple(tuple(number * times for number in row) for row in getattr(head, role))
        for head in sentence.heads
        for role in ("query", "key", "value")
    }
    head = msgspec.structs.replace(sentence.heads[0], **given)
    sized = msgspec.structs.replace(sentence, heads=(head,))
    assert faults_of(name, sized, FigureStyle()) == ([], [])


@pytest.mark.parametrize("name", NAMES)
def test_no_two_texts_meet_with_many_decimals(name):
    from export.figures.theme import FigureStyle

    for title in ("d_k 3", "twelve words"):
        assert faults_of(name, SENTENCES[title], FigureStyle(digits=6)) == ([], [])


@pytest.mark.parametrize("title", ["one word", "twelve words", "sixty-four words"])
def test_long_names_of_many_heads_stay_over_their_grids(title):
    from export.figures.theme import FigureStyle

    sentence = HARD_SENTENCES[title]
    heads = tuple(
        msgspec.structs.replace(sentence.heads[0], name=f"{i} " + "long name " * 6)
        for i in range(6)
    )
    many = msgspec.structs.replace(sentence, heads=heads)
    assert faults_of("heads", many, FigureStyle()) == ([], [])


def times(*took, start=256):
    """Measured times: what the grid and the tiles took, at doubling sizes."""
    from engine.growth import Measurement
    from export.measured import Measured

    rows = enumerate(took)
    return Measured(tuple(Measurement(start << i, *one) for i, one in rows), 64, False)


@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize(
    "measured",
    [
        times((0.025, 0.016)),
        times((1e-6, 1e-6), (1e6, 1e6)),
        times(*((1e-3 * 4**i, 1e-3 * 4**i) for i in range(6))),
        times(*((1e-3 * 4**i if i < 6 else None, 7e-4 * 3.7**i) for i in range(10))),
        times(*((1e-3 * 4**i, 2e-3 * 3.7**i if i < 4 else None) for i in range(6))),
        times((0.1, None), (0.4, None), start=1 << 20),
    ],
    ids=["one size", "far apart", "as quick", "grid given up", "tiles given up", "no tiles"],
)
def test_no_two_texts_meet_where_times_are_drawn(measured, theme):
    from export.figures.theme import FigureStyle

    style = FigureStyle(theme, measured=measured)
    assert faults_of("growth", SENTENCES["the post"], style) == ([], [])


def svg_of(name, sentence, theme, **kind):
    from export.figures.save import FileStyle, figure_file
    from export.figures.theme import FigureStyle

    return figure_file(find_figure(name), sentence, 0, FigureStyle(theme), FileStyle(**kind))


@pytest.mark.parametrize("name", NAMES)
def test_dark_is_light_in_other_colours_so_that_it_stands_where_light_does(name):
    def drawn(theme):
        svg = svg_of(name, SENTENCES["the post"], theme, text="keep").decode()
        return re.sub(r"(?s)<style>.*?</style>|#[0-9a-f]{6}|byhand-[a-z0-9-]+", "", svg)

    assert drawn("light") == drawn("dark")


@pytest.mark.parametrize("theme", ["light", "dark", "both"])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_clear_is_not_painted_black(name, theme):
    """A plane's ground is clear, and to Matplotlib's colours that is black with nothing of it."""
    root = ElementTree.fromstring(svg_of(name, SENTENCES["the post"], theme, text="keep"))
    _, _, width, height = map(float, root.get("viewBox").split())
    for path in root.iter("{http://www.w3.org/2000/svg}path"):
        if path.get("fill") == "#000000":
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", path.get("d"))]
            wide, high = (max(part) - min(part) for part in (numbers[::2], numbers[1::2]))
            assert wide * high < 0.02 * width * height


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_is_the_themes_own_or_mixed_of_two(name):
    svg = svg_of(name, SENTENCES["the post"], "light", text="keep").decode()
    theme = THEMES["light"]
    known = {theme.ground, theme.ink, theme.dim, theme.faint, theme.grid, theme.highlight,
             theme.weight, theme.panel, "#000000", "#FFFFFF",
             *(theme.role(role) for role in ("query", "key", "value", "output"))}  # fmt: skip
    used = {color.upper() for color in re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', svg)}
    assert len(used - known) <= 4  # the shades of one hull, one total


def begun_at(data):
    """Where each run of letters of a PDF's only text begins, in points from the text's start."""
    # The page's own stream is the first; fonts come after it.
    stream = re.search(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)[1]
    size, x, starts = 0.0, 0.0, []
    pattern = rb"([\d.]+) Tf|([-\d.]+) [-\d.]+ Td\s+\[\s*([-\d.]+)?"
    for match in re.finditer(pattern, zlib.decompress(stream)):
        if match[1]:
            size = float(match[1])
        else:
            x += float(match[2])
            starts.append(x - float(match[3] or 0) / 1000 * size)
    return starts


@pytest.mark.case(6)
@pytest.mark.parametrize("text", ["k \u2068القط\u2069: 1", "k \u2068שלום\u2069: 2", "“sat”, −0.5"])
def test_in_a_pdf_every_run_of_letters_stands_where_shaping_has_put_it(text):
    """Case 6, for a PDF: each word whole and in its place, beside words of other scripts too."""
    from matplotlib import _text_helpers, font_manager, rc_context
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    from export.figures.fonts import placed_as_shaped
    from export.figures.lettering import font_files, write
    from export.figures.theme import FigureStyle, new_figure

    style, data = FigureStyle(), io.BytesIO()
    with style.applied(), placed_as_shaped(), rc_context({"pdf.compression": 6}):
        figure = new_figure(style)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        write(axes, 0.1, 0.5, text, style, size=20)
        FigureCanvasPdf(figure).print_pdf(data)
    font = font_manager.get_font([str(file) for file in font_files(text)])
    font.set_size(20, 72)
    places = [item.x for item in _text_helpers.layout(text, font)]
    starts = begun_at(data.getvalue())
    assert len(starts) > 1
    for start in starts:
        assert min(abs(start - place) for place in places) < 0.05


def texts_of(name, sentence):
    svg = svg_of(name, sentence, "light", text="keep")
    return [text.text for text in ElementTree.fromstring(svg).iter(
        "{http://www.w3.org/2000/svg}text")]  # fmt: skip


def test_a_tiny_length_beside_a_bar_is_not_said_to_be_0():
    texts = texts_of("contributions", HARD_SENTENCES["tiny"])
    assert "<0.01" in texts
    assert "× <0.01" in texts
    assert "0.00" not in texts


def test_a_length_of_exactly_0_is_said_to_be_0():
    texts = texts_of("contributions", HARD_SENTENCES["zero"])
    assert "× 0" in texts
    assert "<0.01" not in texts


@pytest.mark.parametrize("scaled", [True, False])
def test_scaling_says_that_it_leaves_a_temperature_out(scaled):
    post = msgspec.structs.replace(SENTENCES["the post"], scaled=scaled)
    hot = msgspec.structs.replace(post, temperature=3.0)
    said = "temperature is left out"
    assert not any(said in text for text in texts_of("scaling", post))
    assert any(said in text for text in texts_of("scaling", hot))
