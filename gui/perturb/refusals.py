"""Why a perturbation is refused, in the words of the page where the error has those of the recipe."""

from __future__ import annotations

from core.base.errors import PavoError
from core.base.texts import translate
from core.perturbation.registry import REGISTRY
from core.recipe.model import Recipe
from gui.shared.form.parameter_fields import parameter_title


def refusal_in_words(error: PavoError, recipe: Recipe, own: int) -> PavoError:
    """The error with fields, methods and combinations in place of keys and names of the recipe.

    Parameters
    ----------
    own : place, from 0, of the perturbation that is refused
    """
    values = dict(error.values)
    for name in ("key", "where", "other"):
        said = values.get(name)
        if isinstance(said, str):
            values[name] = _in_words(said, recipe, own)
    method = REGISTRY.declaration(str(values.get("method", "")))
    if method is not None:
        values["method"] = translate(method.title)
    return PavoError(error.id, error.template, error.hint, **values)


def _in_words(key: str, recipe: Recipe, own: int) -> str:
    """``perturbations[2].share`` is its field, ``combinations[1].variables`` the combination."""
    section, _, rest = key.partition("[")
    number, _, name = rest.partition("]")
    name = name.removeprefix(".")
    if section == "perturbations" and number.isdecimal():
        if int(number) != own + 1:
            return translate("perturbation {n}").format(n=number)
        if name:
            return translate("Variables to change") if name == "variables" else parameter_title(name)
        return translate("this perturbation")
    if section == "combinations" and number.isdecimal() and int(number) <= len(recipe.combinations):
        names = recipe.combinations[int(number) - 1].variables
        return translate("Combination {names}").format(names=" × ".join(names))
    return key
