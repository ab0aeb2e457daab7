"""The post's sentence: every number computed at 50 digits, and every figure the post prints."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import Attention, attend, causal_mask, softmax, work_through
from engine.notation import write_entries, write_list, write_number
from engine.working import round_every_step

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "the-cat-sat-down.json").read_text("utf-8")
)
PRINTED = GOLDEN["printed_in_the_post"]
WORDS = GOLDEN["words"]
SAT = WORDS.index(PRINTED["row"])
STEPS = ("scores", "scaled", "exp", "total", "weights", "output")
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"mask": causal_mask(4)},
    "unscaled": {"scale": 1.0},
}


def attention(case: str = "plain") -> Attention:
    return attend(GOLDEN["query"], GOLDEN["key"], GOLDEN["value"], **OPTIONS[case])


def notes(case: str = "plain") -> list[str]:
    return [note for step in work_through(attention(case), WORDS, SAT) for note in step.notes]


def lines(case: str = "plain") -> list[str]:
    return [line.text for step in work_through(attention(case), WORDS, SAT) for line in step.lines]


def test_no_golden_case_is_left_out() -> None:
    assert set(OPTIONS) == set(GOLDEN["cases"])


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("case", OPTIONS)
def test_the_engine_gives_the_golden_numbers(case: str, step: str) -> None:
    computed = getattr(attention(case), step)
    np.testing.assert_allclose(computed, GOLDEN["cases"][case][step], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("case", OPTIONS)
def test_the_masked_scores_are_the_scaled_ones_where_one_may_look(case: str) -> None:
    got = attention(case)
    allowed = np.ones((4, 4), bool) if got.mask is None else got.mask
    np.testing.assert_array_equal(got.masked, np.where(allowed, got.scaled, -np.inf))


@pytest.mark.parametrize("case", OPTIONS)
def test_the_posts_sentence_needs_no_shift(case: str) -> None:
    assert not attention(case).shift.any()


@pytest.mark.parametrize("step", ["scores", "scaled", "exp", "weights", "output"])
def test_each_printed_list_comes_out_to_the_digit(step: str) -> None:
    computed = [round(float(x), 2) for x in getattr(attention(), step)[SAT]]
    assert write_list(getattr(attention(), step)[SAT]) == write_list_like(computed, PRINTED[step])


def write_list_like(computed: list[float], printed: list[float]) -> str:
    """`printed` as text: whole where it is written so in the golden file, else two decimals."""
    assert computed == printed
    whole = all(isinstance(number, int) for number in printed)
    return f"[{', '.join(str(x) if whole else f'{x:.2f}' for x in printed)}]"


def test_the_total_is_printed_as_23_03() -> None:
    assert write_number(float(attention().total[SAT])) == "23.03"


@pytest.mark.parametrize(
    ("scores", "printed", "key"),
    [
        ([0, 4, 2, 0], "[0.02, 0.85, 0.12, 0.02]", "softmax_of_raw_scores"),
        ([0, 40, 20, 0], "[0.00, 1.00, 0.00, 0.00]", "softmax_of_raw_scores_times_ten"),
    ],
)
def test_scores_ten_times_as_large_stop_being_a_soft_choice(
    scores: list[int], printed: str, key: str
) -> None:
    assert write_list(softmax(scores)) == printed
    assert [float(x) for x in write_entries(softmax(scores))] == PRINTED[key]


def test_the_causal_row_shares_out_what_down_had() -> None:
    got = attention("causal")
    assert write_list(got.masked[SAT]) == "[0.00, 2.83, 1.41, −∞]"
    assert write_number(float(got.total[SAT])) == "22.03" == str(PRINTED["causal_total"])
    assert write_list(got.weights[SAT]) == "[0.05, 0.77, 0.19, 0.00]"
    assert [float(x) for x in write_entries(got.weights[SAT])] == PRINTED["causal_weights"]


def test_the_causal_exponentials_are_printed_with_a_plain_0() -> None:
    assert "weights = [1.00, 16.92, 4.11, 0] ÷ 22.03 = [0.05, 0.77, 0.19, 0.00]" in lines("causal")


def test_the_first_word_can_only_see_itself() -> None:
    first = attention("causal").weights[0]
    assert first.tolist() == PRINTED["causal_first_row"]
    assert write_list(first) == "[1, 0, 0, 0]"


def test_the_last_word_sees_everything_with_and_without_the_mask() -> None:
    np.testing.assert_array_equal(attention("causal").weights[3], attention().weights[3])


def test_the_working_says_that_rounded_weights_add_to_0_99() -> None:
    assert "The rounded weights add to 0.99. The unrounded ones add to exactly 1." in notes()


def test_the_working_says_that_rounded_weights_give_3_00_instead_of_3_03() -> None:
    assert lines()[-1].endswith(" = [3.03, 0.40]")
    assert (
        "That uses the unrounded weights. With the rounded ones shown you get [3.00, 0.40]."
        in notes()
    )


def test_the_working_says_why_e_to_the_2_83_is_not_16_92() -> None:
    assert "e^2.83 is 16.95, but 2.83 stands for 2.8284…, and e to that is 16.92." in notes()


def test_rounding_at_every_step_gives_0_74_and_3_04() -> None:
    rounded = round_every_step(attention(), SAT)
    assert rounded is not None
    assert write_list(map(float, rounded.weights)) == "[0.04, 0.74, 0.18, 0.04]"
    assert write_list(map(float, rounded.output)) == "[3.04, 0.40]"


def test_the_whole_working_reads_as_the_post_does() -> None:
    assert lines() == [
        "sat · the = 2 · 0 + 0 · 1 = 0",
        "sat · cat = 2 · 2 + 0 · 0 = 4",
        "sat · sat = 2 · 1 + 0 · 1 = 2",
        "sat · down = 2 · 0 + 0 · 2 = 0",
        "scores = [0, 4, 2, 0]",
        "[0, 4, 2, 0] ÷ 1.414 = [0.00, 2.83, 1.41, 0.00]",
        "the: e^0.00 = 1.00",
        "cat: e^2.83 = 16.92",
        "sat: e^1.41 = 4.11",
        "down: e^0.00 = 1.00",
        "total = 1.00 + 16.92 + 4.11 + 1.00 = 23.03",
        "weights = [1.00, 16.92, 4.11, 1.00] ÷ 23.03 = [0.04, 0.73, 0.18, 0.04]",
        "output = 0.04 · [1, 0] + 0.73 · [4, 0] + 0.18 · [0, 2] + 0.04 · [1, 1] = [3.03, 0.40]",
    ]


def test_cat_splits_evenly_between_three_words() -> None:
    assert len(set(attention().weights[1, 1:].tolist())) == 1


def test_shuffled_words_give_the_same_outputs_shuffled() -> None:
    order = [2, 0, 3, 1]
    query, key, value = (np.array(GOLDEN[name])[order] for name in ("query", "key", "value"))
    shuffled = attend(query, key, value).output
    np.testing.assert_allclose(shuffled, attention().output[order], rtol=1e-14)
