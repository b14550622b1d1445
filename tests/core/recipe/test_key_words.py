"""Every key that a form or the memo shows has words that can be translated."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from core.base.texts import mark
from core.perturbation.registry import REGISTRY as PERTURBATIONS
from core.recipe import key_words, model
from core.risk.measures.registry import REGISTRY as MEASURES


def test_every_key_has_words() -> None:
    parameters = {p.name for r in (MEASURES, PERTURBATIONS) for each in r.declarations for p in each.parameters}
    own = (part for part in vars(model).values() if is_dataclass(part) and part.__module__ == model.__name__)
    parts = {field.name for part in own for field in fields(part)}
    assert parameters | parts <= key_words._WORDS.keys()
    assert key_words.key_in_words("missing_rule") == mark("missing rule")
    assert key_words.key_in_words("A_VARIABLE") == "A VARIABLE"
