"""Parts of the report that say how risky the file was and is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from ..base.texts import mark, with_marks
from ..base.texts import translate as _
from ..data.risk_figures import RiskFigures, TableState
from ..recipe.declared import registry
from .blocks import (
    Block,
    Curve,
    Heading,
    MeasurePicture,
    Panel,
    ReportColumn,
    ReportTable,
    RiskHistograms,
    Section,
    Terms,
    Text,
)
from .facts import Opinion, ReportInput, TableFacts
from .measure_figures import figure_lines, figure_tables
from .numbers import Limit, Value, decimals_for, limit, percent, significant
from .outside import table_bounds
from .words import counted, headline, limits, records, risk_beside, table_name, threshold_text

ESTIMATORS = {
    "exact": mark("exact (negative binomial model)"),
    "truncated": mark("truncated series of seven terms, for comparison with μ-ARGUS"),
    "calibrated": mark("calibrated: a model of the whole table, people scattering around it as the file shows"),
    "log-linear": mark("log-linear: a model of the whole table, without scatter"),
    "plug-in": mark("plug-in: 1/F, for comparison only"),
}

States = list[tuple[str, TableState]]


def states(table: TableFacts) -> States:
    """The states of the file for which this table has figures, in order, with their names."""
    named = [
        (_("original file"), table.original),
        (_("after recoding") if table.original else _("original file"), table.recoded),
        (_("safe file"), table.safe),
        (_("safe file alone"), table.released),
    ]
    return [(name, state) for name, state in named if state is not None]


def base_risk(given: ReportInput) -> Section | None:
    """Individual or household risk of every risk table, before and after, with histograms."""
    tables = [t for t in given.tables if t.has_risk]
    if not tables:
        return None
    household = any(t.household_threshold is not None for t in tables)
    title = _("Base household risk") if household else _("Base individual risk")
    blocks: list[Block] = []
    for table in tables:
        blocks += [Heading(table_name(table)), *_risk_blocks(table, given)]
    return Section("risk", title, tuple(blocks))


def _risk_blocks(table: TableFacts, given: ReportInput) -> list[Block]:
    blocks: list[Block] = [Terms(tuple(_thresholds(table)))]
    if given.external:
        return [*blocks, *table_bounds(table, given)]
    blocks.append(_before_after(table, given.records))
    if table.opinion is not None:
        blocks += _second_opinion(table.opinion)
    if len(states(table)) > 2 and table.released:
        told = _("“Safe file alone”: counted on the released file only, where a blank agrees with every value; "
                 "what somebody sees who has only the safe file.")  # fmt: skip
        blocks.append(Text(told, "note"))
    if table.rate_observed is not None:
        told = _("Under the rule “observed” the re-identification rate before suppression is {rate}: under “wildcard” "
                 "missing values make other records look safer.")  # fmt: skip
        blocks.append(Text(told.format(rate=percent(table.rate_observed)), "warning"))
    blocks += _histograms(table)
    if table.curve:
        blocks.append(_curve(table, given))
    if table.group_max is not None and table.mode == "released-keys":
        told = _("Every record that was unsafe shares its released key, blanks included, with so many others that its "
                 "risk is below the threshold for somebody who also knows the rules of suppression. For somebody who "
                 "knows besides who was sampled, the largest risk of such a record is {risk}.")  # fmt: skip
        blocks.append(Text(told.format(risk=percent(table.group_max, 3)), "note"))
    elif table.group_max is not None:
        blocks.append(_group(table, table.group_max))
    return blocks


def _second_opinion(opinion: Opinion) -> list[Block]:
    """What a model of the whole table, or beside one the individual risk, says of the file before suppression."""
    rows: list[tuple[str, Value, str]] = [
        (_("Expected re-identifications"), significant(opinion.figures.expected, 4), "text"),
        (_("Re-identification rate"), percent(opinion.figures.rate), "text"),
        (_("Largest risk"), significant(opinion.figures.max_risk, 4), "text"),
    ]
    if opinion.figures.unsafe is not None:
        rows.append((_("Records at or above the threshold"), opinion.figures.unsafe, "count"))
    if opinion.interval is None:
        if opinion.ratio is not None:
            rows.append((_("Times the risk that judges"), significant(opinion.ratio, 3), "text"))
        told = _("Second opinion: the records are judged by a model of the whole table. This is what the individual "
                 "risk, which looks at each combination of values alone, expects before suppression.")  # fmt: skip
        return [Text(told, "note"), Terms(tuple(rows))]
    low, high = (significant(end, 3) for end in opinion.interval)
    ends = _("{low} and {high} (at most all)") if opinion.at_most_all else _("{low} and {high}")
    rows.insert(1, (_("Between (95 %)"), ends.format(low=low, high=high), "text"))
    if opinion.ratio is not None:
        rows.append((_("Times the individual risk"), significant(opinion.ratio, 3), "text"))
    pairs = [_("{one} with {other}").format(one=one, other=other) for one, other in opinion.edges]
    rows.append((_("Variables that go together"), ", ".join(pairs) or _("none found"), "text"))
    told = _("Second opinion: the individual risk looks at each combination of values alone. This is what a model of "
             "the whole table expects before suppression, from how the key variables go together and how many "
             "combinations occur once and twice.")  # fmt: skip
    if opinion.rests_on_model:
        told += " " + _("With so few records of so large a population it rests on the model: nothing in the file can "
                        "confirm it.")  # fmt: skip
    return [Text(told, "note"), Terms(tuple(rows))]


def _thresholds(table: TableFacts) -> list[tuple[str, Value, str]]:
    rows: list[tuple[str, Value, str]] = []
    if table.threshold is None and table.household_threshold is None:
        rows.append((_("Threshold"), _("none: no record counts as unsafe"), "text"))
    individual, household = limits(table)
    if individual is not None:
        rows.append((_("Threshold of the individual risk, r*"), threshold_text(individual), "text"))
        if table.exceedance is not None:
            rows.append((_("Judged by the promise"), _promise(table.exceedance, individual), "text"))
    if household is not None:
        rows.append((_("Threshold of the household risk"), threshold_text(household), "text"))
    if table.threshold_rate is not None:
        rows.append((_("Re-identification rate at the threshold"), percent(table.threshold_rate), "text"))
    if table.actual is not None:
        at = household if table.histogram_risk == "household" else individual
        level = risk_beside(table.actual.level, 6, at)
        rows.append((_("Highest risk below the threshold (actual level)"), level, "text"))
        rows.append((_("Re-identification rate at the actual level"), percent(table.actual.rate), "text"))
    rows.append((_("Estimator"), _(ESTIMATORS.get(table.estimator, table.estimator)), "text"))
    return rows


def _promise(exceedance: float, at: Limit) -> str:
    """What every released record keeps, in words."""
    told = _("at most {chance} % chance, by the model, that so few people share a record's values that its risk is "
             "{risk} or more")  # fmt: skip
    return told.format(chance=with_marks(f"{100 * exceedance:g}"), risk=threshold_text(at))


_Getter = Callable[[TableState], float | None]


def _figure(part: str, name: str) -> _Getter:
    def get(state: TableState) -> float | None:
        figures: RiskFigures | None = getattr(state, part)
        value: float | None = getattr(figures, name) if figures else None
        return value

    return get


def _share(part: str, n: int) -> _Getter:
    def get(state: TableState) -> float | None:
        unsafe = _figure(part, "unsafe")(state)
        return None if unsafe is None or not n else unsafe / n

    return get


def _before_after(table: TableFacts, n: int) -> ReportTable:
    """One row a measure, one column a state; measures without a figure are left out."""
    measures: list[tuple[str, str, _Getter]] = [
        (_("Largest individual risk"), "risk", _figure("individual", "max_risk")),
        (_("Expected re-identifications (records)"), "risk", _figure("individual", "expected")),
        (_("Re-identification rate"), "percent", _figure("individual", "rate")),
        (_("Largest household risk"), "risk", _figure("household", "max_risk")),
        (_("Expected records of re-identified households"), "risk", _figure("household", "expected")),
        (_("Household re-identification rate"), "percent", _figure("household", "rate")),
        (_("Households"), "count", _figure("household", "households")),
        (_("Unsafe households"), "count", _figure("household", "unsafe_households")),
        (_("Unsafe records by household risk"), "count", _figure("household", "unsafe")),
        (_("Unsafe records"), "count", _figure("individual", "unsafe")),
        (_("Share of unsafe records"), "share", _share("individual", n)),
        (_("Records alone with their key (f = 1)"), "count", lambda s: s.sample_uniques),
        (_("Cells"), "count", lambda s: s.cells),
    ]
    named = states(table)
    individual, household = limits(table)
    at = {measures[0][0]: individual, measures[3][0]: household}
    rows, specs = [], []
    for title, spec, get in measures:
        figures = [get(state) for _name, state in named]
        if any(f is not None for f in figures):
            rows.append((title, *figures))
            specs.append(_told_apart(figures, at[title]) if title in at else spec)
    columns = (ReportColumn(_("Measure")), *(ReportColumn(name) for name, _state in named))
    return ReportTable(columns, tuple(rows), caption=_("Risk before and after"), row_specs=tuple(specs))


def _told_apart(risks: Sequence[float | None], at: Limit | None) -> str:
    """The format of a row of risks: none that is below the threshold is shown equal to it."""
    there = [risk for risk in risks if risk is not None]
    decimals = decimals_for(there, 3)
    return f"number:{decimals if at is None else at.decimals(decimals, *there)}"


def _histograms(table: TableFacts) -> list[Block]:
    household = table.histogram_risk == "household"
    threshold = table.household_threshold if household else table.threshold
    panels = []
    for name, state in states(table):
        if state.histogram and state is not table.released:
            panels.append(Panel(_panel_title(name, state, household), table.edges, state.histogram))
    if not panels:
        return []
    title = _("Household risk of the records") if household else _("Individual risk of the records")
    caption = _("Classes of equal width on a logarithmic scale.")
    if household:
        told = _("Bars count all members of a household. Of an unsafe one those records are unsafe whose own risk is "
                 "at least the threshold divided by the number of its members.")  # fmt: skip
        caption = f"{told} {caption}"
    if table.exceedance is not None and not household:
        title = _("What the records are judged by")
        told = _("Of each record the risk that it has, or a larger one, with a chance of {chance} %.")
        caption = f"{told.format(chance=with_marks(f'{100 * table.exceedance:g}'))} {caption}"
    return [RiskHistograms(title, tuple(panels), threshold, caption)]


def _panel_title(name: str, state: TableState, household: bool) -> str:
    figures = state.household if household else state.individual
    if figures is None or figures.unsafe is None:
        return name[:1].upper() + name[1:]
    if figures.unsafe == 0:
        told = _("none unsafe")
    elif household:  # as the bars do: an unsafe one may have members who are no unsafe records
        told = counted(figures.unsafe_households or 0, "{n} household unsafe", "{n} households unsafe")
    else:
        told = _("{records} unsafe").format(records=records(figures.unsafe))
    return f"{name[:1].upper()}{name[1:]}: {told}"


def _curve(table: TableFacts, given: ReportInput) -> Curve:
    current = None
    threshold = table.household_threshold if table.histogram_risk == "household" else table.threshold
    if threshold is not None:
        above = (cost for at, cost in table.curve if at >= threshold * (1 - 1e-12))
        cost = next(above, table.curve_remaining)
        facts = given.suppression
        if facts is not None and facts.loss is not None and [each.has_risk for each in given.tables] == [True]:
            cost = facts.loss  # the curve is thinned for drawing, the plan is not
        current = (threshold, cost)
    caption = _("What suppression would cost at other thresholds, by the criterion chosen.")
    if table.threshold is not None and table.household_threshold is not None:
        told = _("The curve is that of the individual risk: the household risk threshold {risk} holds besides, and is "
                 "included.")  # fmt: skip
        caption += " " + told.format(risk=threshold_text(limits(table)[1]))
    if not table.curve_exact:
        caption += " " + (
            _("An upper bound, by short searches at some of the thresholds.")
            if table.mode == "released-keys"
            else _("An upper bound: the tables or households are coupled.")
        )
    by_weight = given.suppression is not None and given.suppression.criterion == "weights"
    unit = _("loss (suppression weights)") if by_weight else _("loss (bits)")
    households = table.histogram_risk == "household"
    return Curve(_("Risk–utility curve"), table.curve, current, unit, caption, table.curve_remaining, households)


def _group(table: TableFacts, largest: float) -> Text:
    least = min((at for at in limits(table) if at is not None), key=lambda at: at.value, default=limit(1.0))
    told = _("Group risk: seen by someone who reasons from the blanks themselves, the largest risk in the safe file is "
             "{risk}.").format(risk=risk_beside(largest, 6, least))  # fmt: skip
    if not least.is_above(largest):
        told += " " + _("It may exceed the threshold, which judges each record by what remains of it: this is the risk "
                        "seen by somebody who knows that a blank is a suppression.")  # fmt: skip
    if not table.group_unsafe:
        return Text(told, "note")
    more = _("By this measure {records} would be at or above the threshold.").format(
        records=records(table.group_unsafe)
    )
    return Text(f"{told} {more}", "warning")


def k_profile(given: ReportInput) -> Section | None:
    """Records that share their key with fewer than k, before and after."""
    blocks: list[Block] = []
    for table in given.tables:
        named = [(name, dict(state.violations)) for name, state in states(table) if state.violations]
        if not named:
            continue
        levels = sorted({k for _name, found in named for k in found} | ({table.k} if table.k else set()))
        rows = tuple((f"k = {k}", *(found.get(k) for _name, found in named)) for k in levels)
        columns = (ReportColumn(_("Violations of"), "code"), *(ReportColumn(name, "count") for name, _found in named))
        blocks.append(ReportTable(columns, rows, caption=table_name(table)))
        if table.model == "k-anonymity" and table.k:
            blocks.append(_k_verdict(table))
    if not blocks:
        return None
    told = _("Number of records whose sample frequency f is below k, counted under the table's missing rule.")
    if any(table.judges_margins for table in given.tables):
        told += " " + _("Tables of the threshold rule have none of their own: they are counted under “observed”.")
    return Section("k-anonymity", _("k-anonymity profile"), (Text(told), *blocks))


def _k_verdict(table: TableFacts) -> Text:
    state = table.safe or table.recoded
    left = dict(state.violations).get(table.k or 0)
    if left:
        sharing = counted(left, "{n} record shares its key", "{n} records share their key")
        told = _("{sharing} with fewer than {k}.").format(sharing=sharing, k=table.k)
        return Text(told, "warning")
    return Text(_("Every record shares its key with at least {k} records, itself included.").format(k=table.k), "good")


def scenarios(given: ReportInput) -> Section | None:
    """What an intruder could know, and from where; left out where nobody wrote that down."""
    if not given.scenarios:
        return None
    blocks: list[Block] = []
    for scenario in given.scenarios:
        rows = (
            (_("Known of a person"), ", ".join(scenario.variables)),
            (_("Source"), scenario.source),
            (_("Year"), scenario.year),
            (_("Type of release"), scenario.release_type),
            (_("Assumptions"), scenario.assumptions),
        )
        blocks += [Heading(scenario.name), Terms(tuple((title, value, "text") for title, value in rows if value))]
    return Section("scenarios", _("Disclosure scenarios"), tuple(blocks))


def measures(given: ReportInput) -> Section | None:
    """Further risk measures: what each comes to, the figures that the summary has, and its picture."""
    if not given.measures:
        return None
    blocks: list[Block] = []
    for i, (measure, shown) in enumerate(zip_longest(given.measures, given.measures_shown), start=1):
        blocks.append(Heading(f"{i}. {measure['kind']}: {' × '.join(measure['variables'])}"))
        declared = registry("measures").declaration(measure["kind"])
        if declared:
            blocks.append(Text(_(declared.sentence), "note"))
        if shown is not None and shown.headline is not None:
            blocks.append(Text(headline(shown.headline)))
        figures = {key: value for key, value in measure.items() if key not in ("kind", "variables")}
        lines = figure_lines(declared, figures)
        blocks.append(Terms(tuple((line.title, line.value, line.format) for line in lines)))
        if shown is not None and shown.picture is not None:
            axes = _(shown.picture.up), _(shown.picture.across)
            caption = _("{up}, by {across}.").format(up=axes[0][:1].upper() + axes[0][1:], across=axes[1])
            blocks.append(MeasurePicture(_(declared.title) if declared else measure["kind"], shown.picture, caption))
        blocks += figure_tables(declared, figures)
    return Section("measures", _("Further risk measures"), tuple(blocks))


def at_threshold(table: TableFacts) -> str:
    """The threshold in a sentence, whichever it is."""
    if table.household_threshold is not None and table.threshold is None:
        return household_threshold(table)
    return individual_threshold(table)


def individual_threshold(table: TableFacts) -> str:
    """The threshold of the individual risk in a sentence, with the chance that counts where the promise judges."""
    risk = threshold_text(limits(table)[0])
    if table.exceedance is None:
        return _("the threshold {risk}").format(risk=risk)
    told = _("the threshold {risk} with a chance of {chance} % or more")
    return told.format(risk=risk, chance=with_marks(f"{100 * table.exceedance:g}"))


def household_threshold(table: TableFacts) -> str:
    """The threshold of the household risk in a sentence."""
    return _("the household risk threshold {risk}").format(risk=threshold_text(limits(table)[1]))
