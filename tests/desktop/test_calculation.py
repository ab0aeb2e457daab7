import numpy as np
import pytest

from desktop import edits
from desktop.calculation import Calculation
from engine import attention_of
from engine.presets import load_preset


def test_both_grids_are_there_whichever_is_in_force():
    open_one, causal = (
        Calculation(edits.set_causal(load_preset(), value).sentence, 0) for value in (False, True)
    )
    assert np.array_equal(open_one.causal.weights, causal.attention.weights)
    assert np.array_equal(causal.open.weights, open_one.attention.weights)
    assert causal.causal.weights[0].tolist() == [1, 0, 0, 0]


def test_your_mask_holds_in_the_causal_grid_too():
    sentence = edits.allow(load_preset(), 2, 1, False).sentence
    weights = Calculation(sentence, 0).causal.weights
    assert weights[2, 1] == 0
    assert weights[2, 3] == 0
    assert weights[2, 0] > 0


@pytest.mark.parametrize("is_scaled", [True, False])
def test_the_twins_are_scaled_and_unscaled_whatever_the_document_says(is_scaled):
    sentence = edits.set_scaled(load_preset(), is_scaled).sentence
    sentence = edits.set_temperature(sentence, 2).sentence
    calculation = Calculation(sentence, 0)
    assert calculation.unscaled.scale == pytest.approx(1 / 2)
    assert calculation.scaled.scale == pytest.approx(1 / (2 * 2**0.5))
    twin = edits.set_scaled(sentence, not is_scaled).sentence
    other = calculation.unscaled if is_scaled else calculation.scaled
    assert other.weights == pytest.approx(attention_of(twin).weights)


def test_contributions_add_up_to_the_output():
    calculation = Calculation(load_preset(), 0)
    total = calculation.contributions.sum(axis=1)
    assert total == pytest.approx(calculation.attention.output)
