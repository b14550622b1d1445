"""All methods of perturbation: a new one is a file beside this one, and its name here."""

from __future__ import annotations

from core.perturbation import pram, weight_noise
from core.perturbation.method import PerturbationMethod
from core.recipe.declared import Registry
from core.recipe.model import Perturbation, Recipe

REGISTRY: Registry[PerturbationMethod] = Registry(
    "method",
    (pram, weight_noise),
    coming=("microaggregation", "rank-swapping", "noise", "shuffling", "record-swapping", "synthetic"),
)


def perturbations(recipe: Recipe) -> tuple[Perturbation, ...]:
    """All that `recipe` perturbs, in the order in which it is done; what ``[[numeric]]`` says among it."""
    return (*weight_noise.of_numeric(recipe), *recipe.perturbations)
