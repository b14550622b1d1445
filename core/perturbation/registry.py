"""All methods of perturbation: a new one is a file beside this one, and its name here."""

from __future__ import annotations

from typing import Any

from ..recipe.declared import Registry
from ..recipe.model import Perturbation, Recipe
from . import (
    microaggregation,
    noise,
    pram,
    rank_swapping,
    record_swapping,
    shuffling,
    synthetic,
    weight_noise,
)
from .method import PerturbationMethod

REGISTRY: Registry[PerturbationMethod] = Registry(
    "method",
    (microaggregation, noise, pram, rank_swapping, record_swapping, shuffling, synthetic, weight_noise),
)


def parameters_used(entry: Perturbation) -> dict[str, Any]:
    """The parameters of `entry` as they are used, defaults included."""
    return REGISTRY[entry.method].DECLARATION.used(entry)


def before_recodes(recipe: Recipe) -> tuple[Perturbation, ...]:
    """What `recipe` perturbs before recodes and tables, in order."""
    return tuple(entry for entry in recipe.perturbations if not REGISTRY[entry.method].DECLARATION.at_writing)


def at_writing(recipe: Recipe) -> tuple[Perturbation, ...]:
    """What `recipe` perturbs as the safe file is written, in order."""
    return tuple(entry for entry in recipe.perturbations if REGISTRY[entry.method].DECLARATION.at_writing)
