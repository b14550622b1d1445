"""Record linkage: how many records of the original find themselves in a released file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.progress import Progress
from ...base.texts import mark
from ...recipe.declared import Declaration, Figure, Guide, Parameter, RecordFigure
from .evaluation import INTRUDERS, Evaluation, MeasureInput
from .file_pair import RELEASED, FilePair
from .shown import LISTED, BarPicture, Headline, Listed, Listing

if TYPE_CHECKING:
    from ..linkage.fellegi_sunter import MatchModel

Floats = NDArray[np.float64]

_MOST_VARIABLES = 12
"""Of probabilistic linkage: pairs are counted by subsets of the variables, 4096 of them."""

DECLARATION = Declaration(
    name="record-linkage",
    title=mark("Record linkage"),
    group=INTRUDERS,
    sentence=mark(
        "How many records are found in the released file by somebody who knows the original values and takes the "
        "nearest or likeliest record."
    ),
    parameters=(
        *RELEASED,
        Parameter(
            "method",
            "choice",
            mark("The nearest record, the likeliest one, or an assignment of each record to another one."),
            default="distance",
            choices=("distance", "probabilistic", "one-to-one"),
        ),
        Parameter(
            "classes",
            "integer",
            mark("Classes of equally many records within which two numbers agree."),
            default=20,
            low=2,
            high=1000,
            only_with=("method", "probabilistic"),
        ),
        Parameter(
            "compat",
            "choice",
            mark("sdcmicro: distances in the units of the variables, as recordLinkage there takes them."),
            choices=("sdcmicro",),
            only_with=("method", "one-to-one"),
        ),
    ),
    figures=(
        Figure("records", mark("records looked for"), "count", mark("records that are in the released file, too")),
        Figure("linked", mark("linked rightly"), "number:2", mark("those that are found; 1/m where m fit equally")),
        Figure("share", mark("share linked rightly"), "percent", mark("the same as a share of the records looked for")),
        Figure("alone", mark("found for certain"), "count", mark("those of them that no other record fits equally")),
        Figure("by_chance", mark("by chance"), "number:2", mark("what somebody would find who draws at random")),
        Figure("converged", mark("converged"), "text", mark("whether the estimate came to rest")),
        Figure(
            "agreements",
            mark("What agreements say"),
            "exact",
            mark("by variable, of the probabilistic model"),
            rows=(
                Figure("variable", mark("Variable"), "text", mark("its name")),
                Figure("m", mark("agrees in a match"), "risk", mark("probability that it agrees in a match")),
                Figure("u", mark("agrees otherwise"), "risk", mark("probability that it agrees in another pair")),
                Figure("weight", mark("Weight"), "number:2", mark("log2 of how much an agreement adds, at least 0")),
            ),
        ),
        Figure("released_sha256", mark("SHA-256 of the released file"), "text", mark("checksum of the file compared")),
    ),
    columns=(RecordFigure("linked", mark("chance of being linked rightly, 0 to 1")),),
    of_records=True,
    guide=Guide(
        assumes="Whoever links knows all `variables` of every record as they are in the original, and that the person "
        "is in the released file: the worst case. A released file from elsewhere is compared as it is; numbers of the "
        "original are those before `[[numeric]]` and perturbations, categories those after recoding.",
        not_for="Files with suppression only: an intruder then goes by agreement, see `intruder`. `one-to-one` of more "
        "than 5000 records, which is refused. `probabilistic` with variables that tell each other: it takes them for "
        "independent, and its m is then no share of right values. `distance` and `one-to-one` with codes that have no "
        "order: they take codes as numbers.",
        formula="`distance`: by the original's mean and standard deviation (n − 1), the released record with the least "
        "Euclidean distance, from original to released; of m equally near ones each counts 1/m. With missing values, "
        "the s of p variables that both have, times p/s. `one-to-one`: the assignment with the least sum of distances, "
        "all ways of giving equal records to equal ones counting alike. `probabilistic`: pairs agree or not in each "
        "variable, independently given that they match (m) or not (u); m and u by EM over counts of patterns of "
        "agreement, with as many matches as the smaller file has records; the released record with the largest sum of "
        "log(m/u) or log((1 − m)/(1 − u)). A variable that is not declared numerical agrees in its code, a number "
        "within `classes` of equally many records of the original. By each method a record is linked only to one with "
        "which it has a value of some variable in common: one whose values are all missing, in the original or in the "
        "released file, is looked for and linked to nobody.",
        source="Domingo-Ferrer, Torra (2001); Fellegi, Sunter (1969); Jaro (1989); SDC Practice Guide, *Risk of "
        "continuous variables*.",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """The records that are linked rightly [method: continuous variables]."""
    from ..linkage.distance import nearest_own, own_distance, standardised
    from ..linkage.one_to_one import assigned_own

    said, files = given.parameters, given.record_files
    probabilistic = said["method"] == "probabilistic"
    if probabilistic and len(files.variables) > _MOST_VARIABLES:
        raise DataError(
            "linkage-too-many-variables",
            mark("Probabilistic linkage compares at most {most} variables, and {found} are named."),
            mark("Name those that tell records apart best."),
            most=_MOST_VARIABLES,
            found=len(files.variables),
        )
    names = [name for name in files.variables if not (probabilistic and name not in files.numeric)]
    pair = files.pair(tuple(name for name in files.variables if name not in names))
    more: dict[str, Any] = {}
    own = None
    if probabilistic:
        chance, more = _likeliest(files.variables, names, pair, said["classes"], given.progress)
    else:
        original, released = pair.original, pair.released
        if "compat" not in said:
            original, released = standardised(original, released)
        link = nearest_own if said["method"] == "distance" else assigned_own
        chance = link(original, released, pair.place, given.progress)
        own = own_distance(original, released, pair.place)
    chance[_not_looked_for(pair, said["missing_rule"])] = np.nan
    looked_for = int(np.count_nonzero(~np.isnan(chance)))
    linked = float(np.nansum(chance))
    figures = {
        "records": looked_for,
        "linked": linked,
        **({"share": linked / looked_for} if looked_for else {}),
        "alone": int(np.count_nonzero(chance == 1)),
        "by_chance": looked_for / len(pair.released) if len(pair.released) else 0.0,
        **more,
        **pair.figures,
    }
    return Evaluation(
        figures,
        of_records={"linked": chance},
        headline=_headline(figures),
        picture=_picture(chance),
        behind=_behind(chance, own),
    )


def _not_looked_for(pair: FilePair, rule: str) -> NDArray[np.bool_]:
    absent = pair.place < 0
    if rule == "listwise":
        absent |= np.isnan(pair.original).any(axis=1)
        for name, codes in pair.original_codes.items():
            absent |= codes >= pair.cards[name]
    return absent


def _likeliest(
    variables: tuple[str, ...], numbers: list[str], pair: FilePair, classes: int, progress: Progress
) -> tuple[Floats, dict[str, Any]]:
    """Chances by the probabilistic model, and what it says."""
    from ..linkage.agreement import LinkageKeys, pair_patterns
    from ..linkage.fellegi_sunter import fitted, likeliest_own

    mine, theirs, cards = [], [], []
    for name in variables:
        if name in pair.cards:
            mine.append(pair.original_codes[name])
            theirs.append(pair.released_codes[name])
            cards.append(pair.cards[name])
            continue
        column = numbers.index(name)
        before, after, card = in_classes(pair.original[:, column], pair.released[:, column], classes)
        mine.append(before)
        theirs.append(after)
        cards.append(card)
    asked, given = LinkageKeys.of(mine, cards, progress), LinkageKeys.of(theirs, cards, progress)
    matches = 1.0 / max(len(pair.place), len(pair.released))
    model = fitted(pair_patterns(asked, given, progress), len(variables), min(matches, 0.5), progress)
    return likeliest_own(asked, given, pair.place, model, progress), _said(variables, model)


def _said(variables: tuple[str, ...], model: MatchModel) -> dict[str, Any]:
    rows = zip(variables, model.m.tolist(), model.u.tolist(), (model.gain / np.log(2)).tolist(), strict=True)
    return {
        "converged": model.converged,
        "agreements": [{"variable": name, "m": m, "u": u, "weight": weight} for name, m, u, weight in rows],
    }


def in_classes(original: Floats, released: Floats, classes: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32], int]:
    """Both as classes of equally many records of the original, fewer where values repeat; and how many classes.

    A missing value has the number of classes.
    """
    known = original[~np.isnan(original)]
    edges = np.unique(np.quantile(known, np.arange(1, classes) / classes)) if len(known) else np.empty(0)
    card = len(edges) + 1
    found = [
        np.where(np.isnan(values), card, np.searchsorted(edges, values, "right")).astype(np.uint32)
        for values in (original, released)
    ]
    return found[0], found[1], card


def _headline(figures: Mapping[str, Any]) -> Headline:
    return Headline(
        mark("{n} of {records} records are linked rightly; {chance} would be by chance."),
        {
            "n": (figures["linked"], "number:1"),
            "records": (figures["records"], "count"),
            "chance": (figures["by_chance"], "number:1"),
        },
    )


def _picture(chance: Floats) -> BarPicture:
    """Records by how surely they are found."""
    fitting = np.round(1.0 / chance[chance > 0])
    names = (mark("it alone"), mark("1 of 2"), mark("1 of 3 to 5"), mark("1 of more"), mark("another record"))
    counts = [*np.histogram(fitting, [1, 2, 3, 6, np.inf])[0].tolist(), int(np.count_nonzero(chance == 0))]
    return BarPicture(mark("what fits best"), mark("records"), names, np.array(counts, np.float64))


def _behind(chance: Floats, own: Floats | None) -> Listing:
    """The records that are found, the surest first; of equal ones those that were changed least."""
    found = np.flatnonzero(chance > 0)
    last = (found,) if own is None else (found, own[found])
    listed = found[np.lexsort((*last, -chance[found]))][:LISTED]
    columns = [Listed(mark("chance"), "risk", chance[listed])]
    if own is not None:
        columns.append(Listed(mark("distance to its own"), "number:3", own[listed]))
    return Listing(mark("Records that are linked rightly"), tuple(columns), len(found), records=listed)
