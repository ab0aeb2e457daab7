"""The hand calculation as data: what one would write on paper, with the numbers behind it."""

import math
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine import Attention, Step, attend, causal_mask, work_through
from engine.working import round_every_step

QUERY = [[0, 1], [1, 1], [2, 0], [1, 0]]
KEY = [[0, 1], [2, 0], [1, 1], [0, 2]]
VALUE = [[1, 0], [4, 0], [0, 2], [1, 1]]
WORDS = ["the", "cat", "sat", "down"]
SAT = 2


def post(**options: Any) -> Attention:
    return attend(QUERY, KEY, VALUE, **options)


def step(name: str, attention: Attention, words: list[str] = WORDS, focus: int = SAT) -> Step:
    return next(s for s in work_through(attention, words, focus) if s.name == name)


def row(*scores: float, **options: Any) -> Attention:
    """Words whose keys are the scores themselves, seen by queries of 1."""
    key = np.array(scores, float)[:, None]
    return attend(np.ones_like(key), key, np.ones_like(key), scale=1.0, **options)


def notes_of(name: str, attention: Attention) -> tuple[str, ...]:
    return step(name, attention, ["w"] * attention.weights.shape[0], 0).notes


# Steps


def test_the_steps_follow_the_formula() -> None:
    names = [s.name for s in work_through(post(), WORDS, SAT)]
    assert names == ["score", "scale", "softmax", "mix"]


@pytest.mark.parametrize("options", [{}, {"scale": 1.0}, {"mask": np.zeros((4, 4), bool)}])
def test_each_step_has_a_title_and_a_number_a_word(options: Any) -> None:
    titles = {
        "score": "Score every word",
        "scale": "Scale",
        "mask": "Mask",
        "softmax": "Softmax",
        "mix": "Weighted average of the values",
    }
    steps = work_through(post(**options), WORDS, SAT)
    assert [found.title for found in steps] == [titles[found.name] for found in steps]
    assert [len(found.result) for found in steps] == [4] * (len(steps) - 1) + [2]


def test_scale_mask_and_softmax_are_never_one_step() -> None:
    names = [s.name for s in work_through(post(mask=causal_mask(4)), WORDS, SAT)]
    assert names == ["score", "scale", "mask", "softmax", "mix"]


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("score", "scores"), ("scale", "scaled"), ("mask", "masked"), ("softmax", "weights"),
        ("mix", "output"),
    ],
)  # fmt: skip
def test_each_result_is_the_engines_to_the_last_bit(name: str, array: str) -> None:
    attention = post(mask=causal_mask(4))
    assert step(name, attention).result == tuple(getattr(attention, array)[SAT].tolist())


def test_each_word_has_its_line_in_score_and_softmax() -> None:
    for name in ("score", "softmax"):
        about = [line.word for line in step(name, post()).lines if line.word is not None]
        assert about == [0, 1, 2, 3]


def test_a_lines_text_is_its_label_and_its_terms() -> None:
    line = step("score", post()).lines[1]
    assert line.text == "sat · cat = 2 · 2 + 0 · 0 = 4"
    assert line.text == f"{line.label} = {' '.join(term.text for term in line.terms)}"


def test_the_numbers_behind_the_terms_are_the_vectors() -> None:
    terms = step("score", post()).lines[1].terms
    assert [t.number for t in terms if t.role == "query"] == QUERY[SAT]
    assert [t.number for t in terms if t.role == "key"] == KEY[1]


def test_a_sign_has_no_number_behind_it() -> None:
    signs = [t for s in work_through(post(), WORDS, SAT) for line in s.lines for t in line.terms]
    assert all(t.number is None for t in signs if t.text in "+·÷=")


def test_every_role_is_one_of_the_palettes_or_weight() -> None:
    attention = post(mask=causal_mask(4))
    roles = {
        t.role for s in work_through(attention, WORDS, SAT) for li in s.lines for t in li.terms
    }
    assert roles == {"query", "key", "value", "output", "weight", ""}


def test_a_negative_factor_stands_in_brackets() -> None:
    attention = attend([[-1.0, 2.0]], [[3.0, -0.5]], [[1.0]])
    line = step("score", attention, ["w"], 0).lines[0]
    assert line.text == "w · w = (−1) · 3.00 + 2 · (−0.50) = −4"


def test_repeated_words_each_have_their_own_line() -> None:
    labels = [line.label for line in step("score", post(), ["the", "cat"] * 2).lines[:4]]
    assert labels == ["the · the", "the · cat"] * 2


def test_digits_are_as_asked() -> None:
    steps = work_through(post(), WORDS, SAT, digits=3)
    assert steps[1].lines[0].text == "[0, 4, 2, 0] ÷ 1.4142 = [0.000, 2.828, 1.414, 0.000]"


BROKEN = np.random.default_rng(0).uniform(-2, 2, (3, 4, 3))
PAGES = {
    "plain": attend(*BROKEN),
    "masked": attend(*BROKEN, mask=causal_mask(4)),
    "shifted": attend(*(60 * BROKEN)),
    "shifted below 0": attend(*(60 * np.abs(BROKEN) * [[[-1]], [[1]], [[1]]])),
    "tempered": attend(*BROKEN, scale=0.3),
}


def test_the_pages_are_shifted_where_they_say_so() -> None:
    assert PAGES["shifted below 0"].shift[SAT] < 0 < PAGES["shifted"].shift[SAT]


def test_a_divisor_of_ten_thousand_or_more_is_written_as_such() -> None:
    found = step("scale", attend([[1.0]], [[3e5]], [[1.0]], scale=1e-5), ["w"], 0)
    assert [line.text for line in found.lines] == ["[3.00×10⁵] ÷ 1.0×10⁵ = [3.00]"]
    assert len(found.notes) == 1


@pytest.mark.parametrize("digits", [1, 3])
def test_what_notes_say_has_as_many_decimals_as_asked(digits: int) -> None:
    notes = [note for found in work_through(PAGES["plain"], WORDS, SAT, digits)
             for note in found.notes]  # fmt: skip
    reached = " ".join(re.findall(r"you get \[(.*?)\]", " ".join(notes)))
    decimals = re.findall(r"\.(\d+)", reached)
    assert {len(d) for d in decimals} == {digits}


def test_thirds_of_three_decimals_are_said_to_add_to_0_999() -> None:
    notes = work_through(row(0, 0, 0), ["w"] * 3, 0, 3)[2].notes
    assert "The rounded weights add to 0.999. The unrounded ones add to exactly 1." in notes


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("digits", [1, 3])
def test_every_number_of_a_page_has_as_many_decimals_as_asked(page: str, digits: int) -> None:
    for found in work_through(PAGES[page], WORDS, SAT, digits):
        for line in found.lines:
            # The divisor has as many as it takes.
            text = re.sub("÷ [0-9.]+", "", line.text) if found.name == "scale" else line.text
            decimals = re.findall(r"\d\.(\d+)", text)
            assert {len(d) for d in decimals} <= {digits}, line.text


@pytest.mark.parametrize("page", PAGES)
def test_every_term_that_is_one_number_has_that_number_behind_it(page: str) -> None:
    for found in work_through(PAGES[page], WORDS, SAT, 3):
        for line in found.lines:
            for term in line.terms:
                if re.fullmatch(r"\(?−?\d+(\.\d+)?\)?", term.text):
                    assert term.number is not None, line.text
                    printed = float(term.text.strip("()").replace("−", "-"))
                    assert printed == pytest.approx(term.number, abs=0.00051), line.text


@pytest.mark.parametrize("page", PAGES)
def test_every_word_has_its_query_key_and_value_on_the_page(page: str) -> None:
    steps = {found.name: found for found in work_through(PAGES[page], WORDS, SAT, 3)}
    for j, line in enumerate(steps["score"].lines[:-1]):
        behind = {
            role: [t.number for t in line.terms if t.role == role] for role in ("query", "key")
        }
        assert behind["query"] == PAGES[page].query[SAT].tolist()
        assert behind["key"] == PAGES[page].key[j].tolist()
    (mix,) = steps["mix"].lines
    assert [t.role for t in mix.terms] == [*["weight", "", "value", ""] * 4, "output"]
    assert [t.number for t in mix.terms if t.role == "weight"] == list(steps["softmax"].result)
    assert steps["softmax"].lines[-1].terms[-1].role == "weight"


def test_one_word_listens_to_itself_alone() -> None:
    steps = work_through(attend([[1, 2]], [[3, 4]], [[5, 6]]), ["hm"], 0)
    assert steps[-1].lines[0].text == "output = 1 · [5, 6] = [5, 6]"


# Scale


def test_the_divisor_is_named_as_the_root_of_d_k() -> None:
    assert step("scale", post()).notes == (
        "1.414 is √d_k, where d_k = 2 is the number of entries in a key.",
    )


def test_unscaled_scores_are_left_as_they_are() -> None:
    scale = step("scale", post(scale=1.0))
    assert scale.lines[0].text == "scaled = [0, 4, 2, 0]"
    assert scale.notes == ("The scores are left as they are.",)


def test_a_temperature_is_part_of_the_divisor() -> None:
    scale = step("scale", post(scale=1 / math.sqrt(2) / 2))
    assert scale.lines[0].text == "[0, 4, 2, 0] ÷ 2.828 = [0.00, 1.41, 0.71, 0.00]"
    assert scale.notes == (
        "Every score is divided by 2.828: √d_k where scaled, times the temperature.",
    )


@pytest.mark.parametrize(
    ("scale", "divisor"),
    [(1 / 49, "49"), (0.5, "2"), (0.01, "100"), (100, "0.01"), (70, "0.01429")],
)
def test_the_divisor_is_written_as_one_would(scale: float, divisor: str) -> None:
    assert f" ÷ {divisor} = " in step("scale", post(scale=scale)).lines[0].text


@pytest.mark.parametrize("scale", [0.0, -1.0])
def test_a_scale_that_is_no_division_is_refused_by_name(scale: float) -> None:
    with pytest.raises(ValueError, match=f"scale must be above 0, not {scale}"):
        work_through(post(scale=scale), WORDS, SAT)


# Mask


def test_the_mask_names_the_word_that_is_hidden() -> None:
    mask = step("mask", post(mask=causal_mask(4)))
    assert mask.lines[0].text == "masked = [0.00, 2.83, 1.41, −∞]"
    assert mask.notes == ("sat may not look at down: the score becomes −∞.",)


def test_the_mask_names_each_word_that_is_hidden() -> None:
    mask = step("mask", post(mask=causal_mask(4)), focus=1)
    assert mask.notes == ("cat may not look at sat, down: their scores become −∞.",)


def test_the_mask_says_where_it_changes_nothing() -> None:
    mask = step("mask", post(mask=causal_mask(4)), focus=3)
    assert mask.notes == ("down may look at every word: nothing changes.",)


@pytest.mark.case(9)
def test_the_working_says_where_a_word_may_look_at_nothing() -> None:
    steps = work_through(post(mask=np.zeros((4, 4), bool)), WORDS, SAT)
    notes = [note for s in steps for note in s.notes]
    assert "sat may look at nothing." in notes
    assert "Every score is −∞, so there is nothing to share out: all weights are 0." in notes
    assert "With no weight on any word, nothing is collected: the output is 0." in notes


@pytest.mark.case(9)
def test_a_word_that_may_look_at_nothing_has_weights_and_output_0_in_the_working() -> None:
    steps = work_through(post(mask=np.zeros((4, 4), bool)), WORDS, SAT)
    assert steps[3].lines[-1].text == "weights = [0, 0, 0, 0]"
    assert steps[4].lines[-1].text.endswith(" = [0, 0]")
    assert not any("nan" in line.text for s in steps for line in s.lines)


# Softmax


@pytest.mark.case(8)
def test_the_working_shows_the_shifted_form_where_exp_overflows() -> None:
    lines = [line.text for line in step("softmax", row(1000, 999), ["a", "b"], 0).lines]
    assert lines == [
        "shifted = [1000, 999] − 1000 = [0, −1]",
        "a: e^0 = 1.00",
        "b: e^(−1) = 0.37",
        "total = 1.00 + 0.37 = 1.37",
        "weights = [1.00, 0.37] ÷ 1.37 = [0.73, 0.27]",
    ]


@pytest.mark.case(8)
def test_the_working_says_why_it_shifts() -> None:
    assert notes_of("softmax", row(1000, 999))[0] == (
        "On paper e^(1000) has no place: 1000, the largest score, is taken from every score first, "
        "which changes no share."
    )


@pytest.mark.case(8)
def test_a_shifted_score_that_the_printed_numbers_do_not_give_is_explained() -> None:
    notes = notes_of("softmax", row(1000.005, 999.994))
    assert notes[1].endswith("With the rounded ones shown you get [0.00, −0.02].")


def test_where_nothing_may_be_seen_weights_have_the_decimals_of_whole_numbers() -> None:
    found = step("softmax", post(mask=np.zeros((4, 4), bool)))
    assert [line.text for line in found.lines] == ["weights = [0, 0, 0, 0]"]
    assert found.result == (0, 0, 0, 0)


def test_a_shift_below_0_is_written_in_brackets() -> None:
    lines = [line.text for line in step("softmax", row(-1e3, -1e3), ["a", "b"], 0).lines]
    assert lines[0] == "shifted = [−1000, −1000] − (−1000) = [0, 0]"


@pytest.mark.case(8)
def test_a_masked_score_stays_masked_when_shifted() -> None:
    mask = [[True, False], [True, True]]
    lines = [line.text for line in step("softmax", row(1000, 999, mask=mask), ["a", "b"], 0).lines]
    assert lines[0] == "shifted = [1000, −∞] − 1000 = [0, −∞]"
    assert lines[2] == "b: e^(−∞) = 0"


def test_whole_exponentials_are_written_whole() -> None:
    lines = [line.text for line in step("softmax", row(0, 0), ["a", "b"], 0).lines]
    assert lines == [
        "a: e^0 = 1",
        "b: e^0 = 1",
        "total = 1 + 1 = 2",
        "weights = [1, 1] ÷ 2 = [0.50, 0.50]",
    ]


def test_of_one_exponential_there_is_nothing_to_add_up() -> None:
    lines = [line.text for line in step("softmax", row(0), ["a"], 0).lines]
    assert lines == ["a: e^0 = 1", "total = 1", "weights = [1] ÷ 1 = [1]"]


def test_a_tiny_weight_is_said_to_be_not_quite_zero() -> None:
    assert "A weight printed as 0.00 here isn't quite zero." in notes_of("softmax", row(8, 0))


def test_a_tiny_weight_is_named_with_the_digits_shown() -> None:
    softmax = work_through(row(30, 0), ["a", "b"], 0, digits=7)[2]
    assert "A weight printed as 0.0000000 here isn't quite zero." in softmax.notes


def test_a_weight_that_underflows_is_said_to_be_too_small() -> None:
    assert "A weight of 0 here is too small for a computer to tell from 0." in notes_of(
        "softmax", row(0, -2000)
    )


def test_a_masked_weight_of_0_needs_no_excuse() -> None:
    attention = row(0, 5, mask=[[True, False], [True, True]])
    assert notes_of("softmax", attention) == ()


def test_weights_that_add_to_1_as_printed_need_no_note() -> None:
    assert notes_of("softmax", row(0, 0)) == ()


def test_thirds_are_said_to_add_to_0_99() -> None:
    assert notes_of("softmax", row(0, 0, 0)) == (
        "The rounded weights add to 0.99. The unrounded ones add to exactly 1.",
    )


def test_a_printed_total_that_its_parts_do_not_give_is_explained() -> None:
    # e^0.4 = 1.4918…, three times: 1.49 + 1.49 + 1.49 = 4.47, but 4.4754… is 4.48
    assert "The printed numbers add to 4.47; with all their digits they add to 4.48." in notes_of(
        "softmax", row(0.4, 0.4, 0.4)
    )


def test_a_total_printed_as_0_is_explained() -> None:
    assert "The total printed as 0.00 isn't quite zero." in notes_of("softmax", row(-9, -9))


def test_weights_that_the_printed_numbers_do_not_give_are_explained() -> None:
    # 0.05 ÷ 0.07 is 0.71, but the unrounded ones give 0.73
    attention = row(-3, -4)
    softmax = step("softmax", attention, ["a", "b"], 0)
    assert softmax.lines[-1].text == "weights = [0.05, 0.02] ÷ 0.07 = [0.73, 0.27]"
    assert (
        "That uses the unrounded numbers. With the rounded ones shown you get [0.71, 0.29]."
        in softmax.notes
    )


def test_a_power_whose_printed_digits_are_all_of_it_has_no_ellipsis() -> None:
    # e^0.13 = 1.14, but e^0.125 = 1.13
    assert notes_of("softmax", row(0.125, 0.125))[0] == (
        "e^0.13 is 1.14, but 0.13 stands for 0.125, and e to that is 1.13."
    )


def test_a_negative_power_is_explained_in_brackets() -> None:
    assert notes_of("softmax", row(-0.005, -0.005))[0] == (
        "e^(−0.01) is 0.99, but −0.01 stands for −0.005, and e to that is 1.00."
    )


# Scores and values that aren't written in full


def test_a_score_that_the_printed_vectors_do_not_give_is_explained() -> None:
    score = step("score", attend([[0.125]], [[2.0]], [[1.0]]), ["w"], 0)
    assert score.lines[0].text == "w · w = 0.13 · 2 = 0.25"
    assert score.notes == (
        "That uses the unrounded numbers. With the rounded ones shown you get [0.26].",
    )


def test_a_scaled_score_that_the_printed_numbers_do_not_give_is_explained() -> None:
    scale = step("scale", attend([[20.0, 0.0]], [[10.0, 0.0]], [[1.0]]), ["w"], 0)
    assert scale.lines[0].text == "[200] ÷ 1.414 = [141.42]"
    assert scale.notes[1] == (
        "That uses the unrounded numbers. With the rounded ones shown you get [141.44]."
    )


def test_an_output_that_the_printed_values_do_not_give_is_explained() -> None:
    mix = step("mix", attend([[0.0]] * 2, [[0.0]] * 2, [[0.125], [0.125]]), ["a", "b"], 0)
    assert mix.lines[0].text == "output = 0.50 · [0.13] + 0.50 · [0.13] = [0.13]"
    assert mix.notes == ()


def test_large_numbers_count_as_they_are_printed() -> None:
    score = step("score", attend([[12_345.0]], [[1.0]], [[1.0]]), ["w"], 0)
    assert score.lines[0].text == "w · w = 1.23×10⁴ · 1 = 1.23×10⁴"
    assert score.notes == ()


# Rounding at every step


def decimals(text: str) -> tuple[Decimal, ...]:
    return tuple(map(Decimal, text.split()))


def test_a_pupil_who_rounds_at_every_step_is_followed() -> None:
    rounded = round_every_step(post(), SAT)
    assert rounded is not None
    assert rounded.scores == decimals("0 4 2 0")
    assert rounded.scaled == decimals("0 2.83 1.41 0")
    assert rounded.exp == decimals("1 16.95 4.10 1")
    assert rounded.total == Decimal("23.05")
    assert rounded.weights == decimals("0.04 0.74 0.18 0.04")
    assert rounded.output == decimals("3.04 0.40")


def test_a_pupil_who_rounds_starts_from_the_vectors_on_the_page() -> None:
    rounded = round_every_step(attend([[0.125]], [[2.0]], [[0.125]]), 0)
    assert rounded is not None
    assert (rounded.scores, rounded.output) == (decimals("0.26"), decimals("0.13"))


def test_a_pupil_who_rounds_gives_a_masked_word_nothing() -> None:
    rounded = round_every_step(post(mask=causal_mask(4)), SAT)
    assert rounded is not None
    assert rounded.scaled == decimals("0 2.83 1.41 -Infinity")
    assert rounded.weights == decimals("0.05 0.77 0.19 0")


@pytest.mark.parametrize(
    "attention",
    [row(1000, 0), row(-9, -9), row(0, 0, mask=np.zeros((2, 2), bool))],
    ids=["overflow", "a total of 0.00", "nothing to look at"],
)
def test_where_paper_does_not_reach_no_pupil_is_followed(attention: Attention) -> None:
    assert round_every_step(attention, 0) is None


# Refusals


def test_words_that_do_not_fit_are_refused_with_both_shapes() -> None:
    with pytest.raises(ValueError, match=r"3 words don't fit weights of shape \(4, 4\)"):
        work_through(post(), WORDS[:3], 0)


@pytest.mark.parametrize("focus", [-1, 4])
def test_a_focus_outside_the_sentence_is_refused_by_name(focus: int) -> None:
    with pytest.raises(ValueError, match=f"focus must be from 0 to 3, not {focus}"):
        work_through(post(), WORDS, focus)


# For any sentence


@st.composite
def attentions(draw: st.DrawFn) -> Attention:
    """A sentence's attention: a few words, whatever numbers, perhaps a mask."""
    n, d_k, d_v = draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    size = draw(st.sampled_from([1.0, 30.0, 1e6]))
    numbers = st.floats(-size, size) | st.integers(-3, 3).map(float)
    return attend(
        draw(arrays(np.float64, (n, d_k), elements=numbers)),
        draw(arrays(np.float64, (n, d_k), elements=numbers)),
        draw(arrays(np.float64, (n, d_v), elements=numbers)),
        mask=draw(st.none() | arrays(np.bool_, (n, n))),
        scale=draw(st.sampled_from([None, 1.0, 100.0, 0.01])),
    )


@given(attentions(), st.integers(0, 12), st.data())
def test_any_sentence_can_be_worked_through(
    attention: Attention, digits: int, data: st.DataObject
) -> None:
    n = attention.weights.shape[0]
    focus = data.draw(st.integers(0, n - 1))
    steps = work_through(attention, [f"w{i}" for i in range(n)], focus, digits)
    written = [line.text for s in steps for line in s.lines] + [n for s in steps for n in s.notes]
    assert not any(re.search(r"nan|inf|-|E[0-9−+]|−0\.0*\b(?!\d)", text) for text in written)
    round_every_step(attention, focus, digits)
