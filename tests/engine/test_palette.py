"""Colours that everyone can read and tell apart, computed."""

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.palette import ROLES, THEMES, Theme, blend, contrast, weight_colors

Floats = NDArray[np.float64]

# Machado, Oliveira & Fernandes 2009, table of severity 1.0, on linear RGB.
VISIONS: dict[str, Floats] = {
    "full": np.eye(3),
    "protanopia": np.array([
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "deuteranopia": np.array([
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "tritanopia": np.array([
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip

# sRGB to XYZ under D65 (IEC 61966-2-1).
XYZ = np.array([
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip

THEME_NAMES = list(THEMES)
PAIRS = list(itertools.combinations(ROLES, 2))


def linear(color: str) -> Floats:
    channels = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def ratio(one: str, other: str) -> float:
    """WCAG 2.2 contrast ratio, written out a second time."""
    lights = sorted(float(linear(color) @ [0.2126, 0.7152, 0.0722]) for color in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def lab(color: str, vision: str = "full") -> Floats:
    seen = np.clip(VISIONS[vision] @ linear(color), 0, 1)
    x, y, z = XYZ @ seen / (XYZ @ np.ones(3))
    f = [math.cbrt(t) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def ciede2000(one: Floats, other: Floats) -> float:
    """CIE ΔE2000 (Sharma, Wu & Dalal 2005, eq. 2 to 22, with k_L = k_C = k_H = 1)."""
    (l1, a1, b1), (l2, a2, b2) = one.tolist(), other.tolist()
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    grey = c1 * c2 == 0

    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    d_l, d_c = l2 - l1, c2 - c1
    d_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))

    l_mean, c_mean = (l1 + l2) / 2, (c1 + c2) / 2
    h_mean = h1 + h2 if grey else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * math.cos(math.radians(h_mean - 30))
        + 0.24 * math.cos(math.radians(2 * h_mean))
        + 0.32 * math.cos(math.radians(3 * h_mean + 6))
        - 0.20 * math.cos(math.radians(4 * h_mean - 63))
    )
    s_l = 1 + 0.015 * (l_mean - 50) ** 2 / math.sqrt(20 + (l_mean - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c_mean, 1 + 0.015 * c_mean * t
    r_c = 2 * math.sqrt(c_mean**7 / (c_mean**7 + 25**7))
    r_t = -r_c * math.sin(math.radians(60 * math.exp(-(((h_mean - 275) / 25) ** 2))))
    lightness, chroma, hue = d_l / s_l, d_c / s_c, d_h / s_h
    return math.sqrt(lightness**2 + chroma**2 + hue**2 + r_t * chroma * hue)


def distance(one: str, other: str, vision: str = "full") -> float:
    return ciede2000(lab(one, vision), lab(other, vision))


# The yardsticks themselves


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # rows of Sharma, Wu & Dalal 2005, table 1, its traps of hue among them
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
        ((50, 2.49, -0.001), (50, -2.49, 0.0010), 7.1792),
        ((50, -0.001, 2.49), (50, 0.0009, -2.49), 4.8045),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_colour_distance_agrees_with_its_published_table(
    one: tuple[float, ...], other: tuple[float, ...], expected: float
) -> None:
    assert ciede2000(np.array(one), np.array(other)) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("vision", VISIONS)
def test_white_stays_white_for_every_eye(vision: str) -> None:
    np.testing.assert_allclose(lab("#FFFFFF", vision), [100, 0, 0], atol=0.01)


def test_red_and_green_of_one_lightness_are_near_for_a_deuteranope() -> None:
    assert distance("#C00000", "#5C7A00", "deuteranopia") < distance("#C00000", "#5C7A00") / 3


@pytest.mark.parametrize(
    ("one", "other"), [("#000000", "#767676"), ("#767676", "#FFFFFF"), ("#03A0FF", "#10151B")]
)
def test_the_palettes_contrast_is_wcags(one: str, other: str) -> None:
    assert contrast(one, other) == contrast(other, one) == pytest.approx(ratio(one, other))


def test_black_on_white_is_21_to_1() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


# The rules


def theme_of(name: str) -> Theme:
    return THEMES[name]


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("role", ROLES)
def test_each_role_is_readable_on_the_ground(theme: str, role: str) -> None:
    assert ratio(theme_of(theme).role(role), theme_of(theme).ground) >= 4.5


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_each_two_roles_can_be_told_apart(one: str, other: str, theme: str, vision: str) -> None:
    assert distance(theme_of(theme).role(one), theme_of(theme).role(other), vision) >= 18


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("text", ["ink", "dim", "highlight"])
@pytest.mark.parametrize("below", ["ground", "panel"])
def test_text_is_readable_on_the_ground_and_on_a_panel(text: str, below: str, theme: str) -> None:
    assert ratio(getattr(theme_of(theme), text), getattr(theme_of(theme), below)) >= 4.5


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("below", ["ground", "panel"])
def test_dimmed_lines_can_still_be_seen(below: str, theme: str) -> None:
    assert ratio(theme_of(theme).faint, getattr(theme_of(theme), below)) >= 3


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_dimmed_text_is_paler_than_text_and_dimmed_lines_are_paler_yet(theme: str) -> None:
    t = theme_of(theme)
    ink, dim, faint, grid = (ratio(c, t.ground) for c in (t.ink, t.dim, t.faint, t.grid))
    assert ink > dim > faint > grid > 1


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_the_number_in_every_weight_cell_is_readable(theme: str) -> None:
    for percent in range(101):
        fill, ink = weight_colors(theme_of(theme), percent / 100)
        assert ratio(fill, ink) >= 4.5


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_the_strongest_weight_can_be_seen_on_the_ground(theme: str) -> None:
    assert ratio(weight_colors(theme_of(theme), 1)[0], theme_of(theme).ground) >= 4.5


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_larger_weight_is_never_nearer_to_the_ground(theme: str, vision: str) -> None:
    lightness = [
        lab(weight_colors(theme_of(theme), percent / 100)[0], vision)[0] for percent in range(101)
    ]
    steps = np.diff(lightness) * (1 if theme_of(theme).is_dark else -1)
    assert (steps > 0).all()


@pytest.mark.parametrize("weight", [-1e-17, 1 + 1e-15])
def test_a_weight_a_hair_outside_still_has_a_colour(weight: float) -> None:
    light = theme_of("light")
    assert weight_colors(light, weight)[0] in (light.ground, light.weight)


@pytest.mark.parametrize("attribute", ["letter", "line"])
def test_each_two_roles_differ_without_colour_too(attribute: str) -> None:
    assert len({getattr(role, attribute) for role in ROLES.values()}) == len(ROLES)


def test_the_roles_are_those_of_the_contract() -> None:
    assert {name: (r.letter, r.light, r.dark, r.line) for name, r in ROLES.items()} == {
        "query": ("q", "#016CFC", "#4377F5", "solid"),
        "key": ("k", "#937216", "#DD8612", "dashed"),
        "value": ("v", "#034826", "#5CD09E", "thick"),
        "output": ("o", "#681A6C", "#EBB6FC", "double"),
    }


def test_the_projector_is_black_on_white_with_heavier_strokes_and_larger_text() -> None:
    projector = THEMES["projector"]
    assert (projector.ink, projector.ground) == ("#000000", "#FFFFFF")
    assert (projector.stroke, projector.smallest_text) == (1.5, 1 / 24)


@pytest.mark.parametrize(("share", "mixed"), [(0, "#FFFFFF"), (1, "#102030"), (0.5, "#889098")])
def test_blending_goes_from_what_is_below_to_what_is_above(share: float, mixed: str) -> None:
    assert blend("#FFFFFF", "#102030", share) == mixed
