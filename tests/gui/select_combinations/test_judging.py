"""Estimator and alpha of the combinations, each with its sentence."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from core.recipe.edits_combinations import with_alpha, with_estimator
from core.recipe.model import Combination, Threshold
from gui.select_combinations.judging import Judging

RISK = Combination(("A",), missing_rule="wildcard", alpha=0.5, threshold=Threshold(individual_risk=0.1))
RULE = Combination(("B",), model="frequency")


def test_what_is_shown_and_asked_for(qtbot: QtBot) -> None:
    judging = Judging()
    qtbot.addWidget(judging)
    judging.show_draft((RULE,))
    assert judging.isHidden()
    judging.show_draft((RISK, RULE))
    assert (judging.estimator.currentData(), judging.alpha.value) == ("exact", 0.5)
    with qtbot.waitSignal(judging.estimator_chosen) as chosen:
        judging.estimator.setCurrentIndex(judging.estimator.findData("plug-in"))
    assert chosen.args == ["plug-in"]
    assert judging.meaning.text().startswith("Below the individual risk")
    with qtbot.assertNotEmitted(judging.alpha_typed):
        judging.alpha.entered.emit(1.5)
    assert "from 0 to 1" in judging.alpha.message.text()
    judging.show_draft((Combination(("A",)),))
    assert judging.alpha.isHidden() and not judging.estimator.isHidden()


def test_only_those_concerned_are_changed() -> None:
    assert with_alpha((RISK, RULE), 0.25)[0].alpha == 0.25
    assert with_alpha((RULE, Combination(("A",))), 0.25) == (RULE, Combination(("A",)))
    table, rule = with_estimator((RISK, RULE), "calibrated")
    assert (table.estimator, table.missing_rule, table.alpha, rule) == ("calibrated", "observed", 1.0, RULE)
    promised = Combination(("A",), estimator="calibrated", threshold=Threshold(individual_risk=0.1, exceedance=0.05))
    assert with_estimator((promised,), "plug-in")[0].threshold == Threshold(individual_risk=0.1)
