"""Noise on the weight, added as the safe file is written: risks are those of the original weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.columns import EncodedColumn
from ..data.variables import Metadata, Variable
from ..recipe.declared import Declaration, Guide, Parameter
from ..recipe.model import NumericEdit, Perturbation, Recipe
from .method import PerturbationInput, Perturbed
from .values import in_order_of_records

DECLARATION = Declaration(
    name="weight-noise",
    title=mark("Weight noise"),
    group=mark("Weights"),
    sentence=mark(
        "Each weight is multiplied by a number drawn at random between 1 − share and 1 + share, the same for members "
        "of a household with the same weight."
    ),
    parameters=(
        Parameter(
            "share",
            "number",
            mark("The largest change, as a fraction of the weight."),
            low=0.0,
            high=1.0,
            low_included=False,
            required=True,
            format="percent",
            outside="to-correct",
        ),
    ),
    has_variables=False,
    of_the_weight=True,
    once=True,
    at_writing=True,
    told=mark("each weight changed at random by at most {share}"),
    guide=Guide(
        assumes="A weight is not to tell which area or stratum a record is from: equal weights become different ones. "
        "Members of a household with the same weight get one draw and stay equal, as the mean of several would be "
        "nearer to the weight; where the safe file has no identifier and its members are not side by side, each gets "
        "a draw, as equal weights would tell who lives together.",
        not_for="Weights that are secret themselves: where other variables show which records share one, as in "
        "poststrata of released variables, the mean of these is that weight nearly exactly. It follows from the design "
        "and from how many people the group stands for, which is as a rule known. Round weights, or release coarser "
        "ones, if it is not.",
        formula="w' = w (1 + u), u uniform in [−`share`, `share`], one u for each household and weight in it, or for "
        "each record.",
        source="μ-ARGUS: *Weight noise*.",
    ),
)

_BLOCK = 1 << 13


def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """The weight."""
    return (metadata.weight.name,) if metadata.weight else ()


def perturb(given: PerturbationInput) -> Perturbed:
    """The weight with noise; what is drawn follows from the numbers that it is put on, whatever made them of others."""
    share = given.parameters["share"]
    found = {}
    for name, column in given.columns.items():
        seed = given.seed(Perturbation(DECLARATION.name, (name,), (("share", share),)))
        variable, decimal = given.metadata[name], given.metadata.decimal
        found[name] = with_noise(column, share, variable, decimal, seed, given.progress, given.households)
    return Perturbed(found)


def with_noise(
    column: EncodedColumn, share: float, variable: Variable, decimal: str = ".", seed: int | Sequence[int] = 1,
    progress: Progress = SILENT, households: NDArray[np.int64] | None = None, first: int = 0,
) -> EncodedColumn:  # fmt: skip
    """Each record's number multiplied by 1 + u, u uniform between minus and plus `share`.

    Members of a household with the same number get the same u: of several draws the mean would be nearer to the number,
    and who lives together is known. All others get one each, so that not even equal numbers can be told to be equal.
    A number keeps its decimals or the variable's, if it has more, and does not become a missing code's: it is then a
    unit of its last decimal larger. Missing codes, and texts that are no number, stay.

    Parameters
    ----------
    column : the variable's texts as codes
    share : in (0, 1]
    decimal : decimal mark of the file
    seed : where it may be guessed, together with what only the owner of the original file knows: whoever has all of
        it can divide the noise out again
    households : (n,) of each record, from 0; None where there are none, or where nobody can tell who lives together
    first : how many draws of the whole file come before these: one a record; with `households`, of which none has
        records elsewhere, as `draws_of_households` says
    """
    from ..data.encoding import smallest_type
    from ..recoding.numerical import exactly, recoded

    missing, texts = tuple(column.codes[column.n_valid :]), list(column.codes[: column.n_valid])
    with exactly():
        values = np.minimum(column.values, column.n_valid)
        factors = _factors(len(values), share, seed, first)
        if households is not None:
            units = draws_of_households(column, households, decimal)
            drawn = list(_factors(int(units.max(initial=-1)) + 1, share, seed, first))
            factors = (drawn[unit] for unit in units.tolist())
        noisy = list(_noisy(values, texts, factors, variable.decimals, decimal, missing, progress))
    distinct = list(dict.fromkeys(text for text in noisy if text is not None))
    place = {text: number for number, text in enumerate(distinct)}
    own = column.values.astype(np.int64) - column.n_valid + len(distinct)
    found = np.array([-1 if text is None else place[text] for text in noisy], np.int64)
    codes = (*distinct, *missing)
    indices: NDArray[np.unsignedinteger] = np.where(found < 0, own, found).astype(smallest_type(len(codes)))
    of_file = replace(column, values=indices, codes=codes, padded=codes, n_valid=len(distinct))
    return recoded(of_file, distinct, missing)


@dataclass(frozen=True)
class NumericWithNoise(NumericEdit):
    """All changes to one numerical variable: those of ``[[numeric]]``, and the noise where it is the weight."""

    noise: float | None = None

    @property
    def plain(self) -> NumericEdit:
        """What ``[[numeric]]`` says of it."""
        return NumericEdit(self.variable, self.top, self.bottom, self.round)


def with_noise_on(recipe: Recipe, weight: str) -> tuple[NumericWithNoise, ...]:
    """``[[numeric]]`` of `recipe`, with the noise on the variable `weight`."""
    found = {
        spec.variable: NumericWithNoise(spec.variable, spec.top, spec.bottom, spec.round) for spec in recipe.numeric
    }
    shares = [dict(entry.parameters)["share"] for entry in recipe.perturbations if entry.method == DECLARATION.name]
    if shares and weight:
        found[weight] = replace(found.get(weight, NumericWithNoise(weight)), noise=shares[0])
    return tuple(found.values())


def with_changes(recipe: Recipe, changes: Sequence[NumericWithNoise]) -> Recipe:
    """`recipe` with these `changes` to numerical variables in place of its own."""
    plain = (change.plain for change in changes)
    others = tuple(entry for entry in recipe.perturbations if entry.method != DECLARATION.name)
    noise = (Perturbation(DECLARATION.name, (), (("share", change.noise),)) for change in changes if change.noise)
    return recipe.with_(
        numeric=tuple(spec for spec in plain if spec != NumericEdit(spec.variable)), perturbations=(*others, *noise)
    )


def alone_with(recipe: Recipe, spec: NumericEdit) -> Recipe:
    """`recipe` with the changes of `spec`, its noise among them, as the only ones to numbers."""
    bare = recipe.with_(numeric=(spec,), perturbations=())
    return with_changes(bare, (spec,)) if isinstance(spec, NumericWithNoise) else bare


def draws_of_households(column: EncodedColumn, households: NDArray[np.int64], decimal: str) -> NDArray[np.int64]:
    """(n,) the draw of each record, from 0 in their order: members of a household with the same number share one.

    Numbers are the same however they are written, and so are all missing codes.

    Parameters
    ----------
    column, households, decimal : as of `with_noise`
    """
    from ..data.weights import parse_text

    texts = column.codes[: column.n_valid]
    places: dict[Decimal | str | None, int] = {}
    numbers = (parse_text(text, decimal) for text in texts)
    of_code = [places.setdefault(text if number is None else number, len(places))
               for number, text in zip(numbers, texts, strict=True)]  # fmt: skip
    of_code += [len(places)] * column.n_missing_codes
    key = households * (len(places) + 1) + np.array(of_code, np.int64)[column.values]
    return in_order_of_records(np.unique(key, return_inverse=True)[1].reshape(-1))


def _factors(n: int, fraction: float, seed: int | Sequence[int], first: int = 0) -> Iterator[Decimal]:
    from ..recoding.numerical import as_typed

    # A stream of its own: the order of records is drawn from the first one of the same seed.
    generator = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(1,)))
    random = np.random.Generator(generator.advance(first))  # one step a draw
    width = as_typed(fraction)
    for start in range(0, n, _BLOCK):
        for u in random.random(min(_BLOCK, n - start)).tolist():
            yield 1 + width * (2 * Decimal(u) - 1)


def _noisy(
    values: NDArray[np.unsignedinteger], texts: list[str], factors: Iterator[Decimal], decimals: int, decimal: str,
    missing: Sequence[str], progress: Progress,
) -> Iterator[str | None]:  # fmt: skip
    """Each record's text with noise; None where its value is missing, its text where it is no number."""
    from ..data.weights import parse_text
    from ..recoding.numerical import printed

    numbers = [parse_text(text, decimal) for text in texts]
    digits = [max(decimals, -int(n.as_tuple().exponent)) if n is not None else 0 for n in numbers]
    taken = {number for text in missing if (number := parse_text(text, decimal)) is not None}
    for start in range(0, len(values), _BLOCK):
        progress.check()
        progress.report(start, len(values), translate(mark("Adding noise")))
        for code in values[start : start + _BLOCK].tolist():
            factor = next(factors)
            if code == len(texts):
                yield None
                continue
            number = numbers[code]
            if number is None:
                yield texts[code]
                continue
            text = printed(number * factor, digits[code], decimal)
            while taken and (found := parse_text(text, decimal)) in taken:
                assert found is not None, "it is one of `taken`"
                text = printed(found + Decimal(1).scaleb(-digits[code]), digits[code], decimal)
            yield text
