"""Missing codes that are written as one, where a blank is judged as a value of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.errors import Notice
from ..base.texts import mark
from ..results.released_columns import of_one_missing_code, sets_of_one_missing_code
from ..results.results import Results


def written_as_one(derived: Results) -> Iterator[Notice]:
    """One note for each variable of which the safe file has one missing code instead of several."""
    written = of_one_missing_code(derived)
    for name in (column for column in derived.columns if column in written):
        column = derived.columns[name]
        yield Notice.of(
            "missing-codes-as-one",
            mark(
                "All missing values of {variable} are written as {code}: with several missing codes it could be seen "
                "which values were suppressed, and records that count as alike would not be."
            ),
            where=name,
            variable=name,
            code=column.codes[column.n_valid],
        )
    without = {name: derived.columns[name] for name in sets_of_one_missing_code(derived)}
    lacking = {name: column.values >= column.n_valid for name, column in without.items()}
    for spec in derived.recipe.set_keys:
        columns = [derived.columns[name] for name in spec.columns]
        if any((c.values[lacking[spec.name]] != c.n_valid).any() for c in columns if spec.name in lacking):
            yield Notice.of(
                "missing-codes-as-one",
                mark(
                    "Records without a value of {variable} are written with the missing code of each of {columns}: "
                    "otherwise it could be seen which values were suppressed, and records that count as alike would "
                    "not be."
                ),
                where=spec.columns[0],
                variable=spec.name,
                columns=", ".join(spec.columns),
            )
