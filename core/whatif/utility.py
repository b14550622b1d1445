"""What the safe file still says, before anything is written: the original, recoded alike, and what is released."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..recipe.analyses import variables_of_analyses
from ..recipe.available import written_format
from ..recipe.model import Analysis
from ..recoding.recode import recode
from ..results.needed_columns import hidden_variables
from ..results.numeric import names_of_changed
from ..results.perturbed_columns import names_of_perturbed
from ..results.released_columns import released_columns
from ..results.results import Protection, Results
from ..utility.associations import AssociationMatrix, association_matrix
from ..utility.compared import ComparedFile, ComparedVariable, Floats, numbers_or_nan
from ..utility.distributions import VariableUtility, variable_utility
from ..utility.own import Compared, compared
from ..utility.propensity import Propensity, propensity, propensity_matrix
from ..utility.sdcmicro import SdcMicroFigures, sdcmicro_figures

MOST_VARIABLES = 30
"""Variables of which all pairs are compared where nobody names them."""

ReadColumns = Callable[[Sequence[str], Progress], Mapping[str, EncodedColumn]]
"""Columns of the original as codes, whatever they are."""


@dataclass(frozen=True, eq=False)
class FileUtility:
    """What is left of a file.

    Attributes
    ----------
    variables : each by itself, in the order in which they were asked for
    associations : of each two of them
    propensity : how well released records are told by all of them
    propensity_by_pair : (v, v) S_pMSE by each two of them, on the diagonal by one
    numbers : sdcMicro's figures of those that are numbers; None where there are none
    own : the recipe's own tables, means and models, in its order
    suppressed : newly missing values, for which the expectation of the propensity does not hold
    weighted : whether distributions, associations and `own` count by weights
    too_large : variables with numbers that are too large to be reckoned with, and left out
    """

    variables: tuple[VariableUtility, ...]
    associations: AssociationMatrix
    propensity: Propensity
    propensity_by_pair: Floats
    numbers: SdcMicroFigures | None
    own: tuple[Compared, ...]
    suppressed: int
    weighted: bool
    too_large: tuple[str, ...] = ()

    @classmethod
    def of_own(cls, own: tuple[Compared, ...], file: ComparedFile, suppressed: int) -> FileUtility:
        """The recipe's own analyses alone; `file`: the variables that they are made of."""
        nothing = np.zeros((0, 0))
        too_large = tuple(variable.name for variable in file.variables.values() if variable.too_large)
        return cls(
            (), AssociationMatrix((), nothing, nothing), Propensity(0.0, 0.0, 0, file.records), nothing, None, own,
            suppressed, file.weights is not None, too_large,
        )  # fmt: skip


def released_names(derived: Results) -> tuple[str, ...]:
    """The variables of the safe file that are no identifiers, in its order."""
    hidden = hidden_variables(derived.metadata)
    weight = derived.metadata.weight
    return tuple(
        v.name
        for v in derived.metadata.variables
        if v.name not in hidden and v.role != "household-id" and v is not weight
    )


def names_to_compare(protection: Protection) -> tuple[str, ...]:
    """The variables that are keys, are changed in any way or that the recipe's ``[[utility]]`` names, in file order.

    Of more than `MOST_VARIABLES` those that are changed come first.
    """
    derived, recipe = protection.derived, protection.derived.recipe
    changed = {name for name, count in protection.plan.by_variable.items() if count} | set(derived.recodings)
    changed |= {*names_of_changed(recipe, derived.metadata), *names_of_perturbed(recipe, derived.metadata)}
    changed |= {name for name, flags in protection.plan.suppressed.items() if flags.any()}
    used = {name for combination in recipe.combinations for name in combination.variables}
    used |= {*variables_of_analyses(recipe)}
    names = [name for name in released_names(derived) if name in changed or name in used]
    first = sorted(names, key=lambda name: name not in changed)[:MOST_VARIABLES]
    return tuple(name for name in names if name in first)


def compared_file(
    protection: Protection,
    names: Sequence[str],
    modified: Mapping[str, EncodedColumn],
    read: ReadColumns,
    progress: Progress = SILENT,
) -> ComparedFile:
    """The variables `names` of the original, recoded as the released ones are, and as they are released.

    Names that the safe file does not have are left out.

    Parameters
    ----------
    modified : as `core.results.numeric.modified_columns` gives them
    """
    derived = protection.derived
    metadata, weight = derived.metadata, derived.metadata.weight
    here = released_names(derived)
    if weight is not None and weight.name not in hidden_variables(metadata):
        here = (*here, weight.name)
    names = [name for name in names if name in here]
    released = released_columns(derived, protection.plan.suppressed)
    at_hand = dict(derived.original.columns)
    if derived.perturbed is not None:
        at_hand |= derived.perturbed.before
    at_hand |= read([name for name in names if name not in at_hand], progress)
    variables = {}
    for name in names:
        progress.check()
        after = modified.get(name, released.get(name, at_hand[name]))
        variables[name] = _compared(derived, name, at_hand[name], after, name in modified)
    return ComparedFile(variables, derived.records, _weights(derived, modified))


def _compared(
    derived: Results, name: str, original: EncodedColumn, after: EncodedColumn, modified: bool
) -> ComparedVariable:
    metadata = derived.metadata
    decimals = metadata.decimal, _decimal_of_modified(derived) if modified else metadata.decimal
    if name not in derived.recodings:
        is_number = metadata[name].numeric or metadata[name].role == "weight"
        return ComparedVariable(original, after, is_number, decimals)
    before = derived.recodings[name].column
    if derived.perturbed is not None and name in derived.perturbed.before:
        spec = next(spec for spec in derived.recipe.recodes if spec.variable == name)
        before = recode(original, spec, metadata[name]).column
    return ComparedVariable(before, after, False, decimals, original)


def _decimal_of_modified(derived: Results) -> str:
    """The decimal mark with which changed numbers are written: files with types have a point."""
    text = written_format(derived.recipe.output.data, derived.metadata.format) in ("fixed", "delimited")
    return derived.metadata.decimal if text else "."


def _weights(derived: Results, modified: Mapping[str, EncodedColumn]) -> tuple[Floats, Floats] | None:
    weight, weights = derived.metadata.weight, derived.microdata.weights
    if weight is None or weights is None or weight.name in hidden_variables(derived.metadata):
        return None
    before = after = weights.as_floats()
    if weight.name in modified:
        after = numbers_or_nan(modified[weight.name], _decimal_of_modified(derived))
        after[~(after > 0)] = 0.0
    return before, after


def file_utility(
    file: ComparedFile,
    names: Sequence[str],
    entries: Sequence[Analysis] = (),
    suppressed: int = 0,
    progress: Progress = SILENT,
) -> FileUtility:
    """Everything that is compared of the variables `names` of `file`, and the own `entries`.

    `suppressed` : newly missing values
    """
    names = [name for name in names if name in file.variables]
    each = []
    for variable in file.some(names):
        progress.check()
        each.append(variable_utility(variable, file.counted))
    return FileUtility(
        tuple(each),
        association_matrix(file, names, progress),
        propensity(file, names, progress),
        propensity_matrix(file, names, progress),
        sdcmicro_figures(file, names),
        tuple(compared(file, entry, progress) for entry in entries),
        suppressed,
        file.weights is not None,
        tuple(variable.name for variable in file.some(names) if variable.too_large),
    )
