"""Parts of the report that say what the files are: files, variables, tables, recodes, layout, recipe, terms."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.texts import mark, with_marks
from ..base.texts import translate as _
from .blocks import Block, Code, Heading, ReportColumn, ReportTable, Section, Terms, Text
from .facts import Key, RecodeFacts, ReportInput, TableFacts
from .numbers import NamedLimit, Value, count
from .words import FORMATS, MISSING_RULES, counted, limits, table_name

MOST_DIMENSIONS = 6
"""Columns of dimensions that fit a page, on paper too."""
MOST_CODES = 20
"""More untouched codes than these are counted, not listed."""

ROLES = {
    "data": mark("Original data file"),
    "metadata": mark("Original metadata file"),
    "safe-data": mark("Safe data file"),
    "safe-metadata": mark("Safe metadata file"),
    "safe-codelist": mark("Codelist of the safe file"),
    "report": mark("Report"),
    "report-pdf": mark("Report as PDF"),
    "summary": mark("Summary"),
    "records": mark("Risk of each record"),
    "ddi": mark("DDI codebook of the safe file"),
    "table-schema": mark("Table schema of the safe file"),
    "recipe": mark("Recipe"),
    "codelist": mark("Codelist"),
    "scheme": mark("Recode scheme"),
    "profile": mark("Release rules"),
    "other-input": mark("Other input file"),
}


_UNITS = {
    "sample": mark("a sample without weights: nothing is said of the population"),
    "population": mark("the whole population: F is f"),
}


def files(given: ReportInput) -> Section:
    """Which files were read and written, and how many records there are."""
    rows: list[tuple[str, Value, str]] = []
    rows += [(_(ROLES[file.role]), str(file.path), "text") for file in given.files]
    rows.append((_("Number of records"), given.records, "count"))
    if given.variables:
        rows.append((_("Variables described"), given.variables, "count"))
    rows.append(
        (_("Design weight"), given.weight or (_("not in the safe file") if given.weighted else _("none")), "text")
    )
    if given.units is not None:
        rows.append((_("The records are"), _(_UNITS[given.units]), "text"))
    if given.household_id:
        rows.append((_("Household identifier"), given.household_id, "text"))
    return Section("files", _("Files"), (Terms(tuple(rows)),))


def identifying_variables(given: ReportInput) -> Section:
    """The key variables with their categories, as they stand after recoding."""
    if not given.keys:
        return Section("variables", _("Identifying variables used"), (Text(_("No combination was specified.")),))
    households = any(key.household for key in given.keys)
    labels = any(key.label for key in given.keys)
    columns = [ReportColumn(_("Variable"), "code")]
    columns += [ReportColumn(_("Label"))] if labels else []
    if given.external:
        columns += [ReportColumn(_("Categories in the safe file"), "count")]
        columns += [ReportColumn(_("Missing in the safe file (records)"), "count")]
        note = _("Categories are those found in the safe file. Missing values include suppressed values.")
    else:
        columns += [ReportColumn(_("Categories before"), "count")]
        columns += [ReportColumn(_("Categories (missing codes)"), "count")]
        columns += [ReportColumn(_("Originally missing (records)"), "count")]
        note = _("Categories are those found in the file, after recoding; in brackets the number of missing codes.")
    columns += [ReportColumn(_("Household variable"))] if households else []
    rows = tuple(_key_row(key, labels, households, given.external) for key in given.keys)
    return Section("variables", _("Identifying variables used"), (ReportTable(tuple(columns), rows, note=note),))


def _key_row(key: Key, labels: bool, households: bool, external: bool) -> tuple[Value, ...]:
    row: list[Value] = [key.name]
    row += [key.label] if labels else []
    if external:
        row += [key.categories_released, key.missing_released]
    else:
        row += [key.categories_before, f"{key.categories} ({key.missing_codes})", key.missing_before]
    row += [_("yes") if key.household else ""] if households else []
    return tuple(row)


def frequency_tables(given: ReportInput) -> Section:
    """The combinations with their models, thresholds and missing rules."""
    title = _("Frequency tables used")
    if not given.tables:
        return Section("tables", title, (Text(_("No combination was specified.")),))
    columns = [
        ReportColumn(_("No."), "count"),
        ReportColumn(_("Variables"), "code"),
        ReportColumn(_("Model")),
        ReportColumn(_("Threshold")),
        ReportColumn(_("Cells"), "count"),
    ]
    rows: list[tuple[Value, ...]] = [
        (i, " × ".join(t.variables), _(t.criterion.title), _threshold(t), t.recoded.cells)
        for i, t in enumerate(given.tables, start=1)
    ]
    note = _("A cell is a combination of values that occurs in the file, after recoding.")
    if given.external:  # cells are those of the original
        columns, rows, note = columns[:-1], [row[:-1] for row in rows], ""
    blocks: list[Block] = [ReportTable(tuple(columns), tuple(rows), note=note)]
    rules = dict.fromkeys(t.missing_rule for t in given.tables if t.criterion.has_missing_rule)
    blocks += [Text(_("Missing values – {rule}.").format(rule=_(MISSING_RULES[rule])), "note") for rule in rules]
    if any(t.unsafe_combinations for t in given.tables):
        blocks += _unsafe_combinations(given.tables)
    return Section("tables", title, tuple(blocks))


def _threshold(table: TableFacts) -> str:
    if table.model == "k-anonymity":
        return f"k = {table.k}"
    if table.sensitive is not None:
        return _("l = {l} values of {variable}").format(l=table.l, variable=table.sensitive)
    if table.judges_margins:
        return _("unsafe up to {n}").format(n=count(table.count_threshold))
    given = []
    individual, household = limits(table)
    if individual is not None:
        given.append(individual.text if isinstance(individual, NamedLimit) else f"r* = {individual.text}")
    if individual is not None and table.exceedance is not None:
        given.append(_("with a chance of {chance} %").format(chance=with_marks(f"{100 * table.exceedance:g}")))
    if household is not None:
        given.append(household.text if isinstance(household, NamedLimit) else f"rʰ* = {household.text}")
    return ", ".join(given) or _("none")


def thresholds(given: ReportInput) -> Section | None:
    """By which thresholds the file was judged, and no other figure of risk: for users who are to know them.

    Combinations of variables that the safe file does not have are left out; None where no other one is there.
    """
    written = set(given.layout.names) if given.layout else set()
    tables = [t for t in given.tables if given.layout is None or written.issuperset(t.variables)]
    if not tables:
        return None
    columns = (ReportColumn(_("Variables"), "code"), ReportColumn(_("Model")), ReportColumn(_("Threshold")))
    rows = tuple((table_name(t), _(t.criterion.title), _threshold(t)) for t in tables)
    return Section("thresholds", _("Thresholds"), (ReportTable(columns, rows),))


def _unsafe_combinations(tables: tuple[TableFacts, ...]) -> Iterator[Block]:
    """Unsafe combinations by dimension, and the records in them; as many dimensions beside each other as fit a page."""
    dimensions = max(d for t in tables for d, _n in t.unsafe_combinations)
    for first in range(1, dimensions + 1, MOST_DIMENSIONS):
        shown = range(first, min(first + MOST_DIMENSIONS, dimensions + 1))
        rows = [row for t in tables if any(d in shown for d, _n in t.unsafe_combinations) for row in _rare(t, shown)]
        last = shown[-1] == dimensions
        note = _("Counted in each table and in all its margins, by number of variables, before suppression.")
        columns = [
            ReportColumn(_("Combinations that occur too seldom"), "code"),
            ReportColumn(_("At most (records)"), "count"),
            *(ReportColumn(_("dim {d}").format(d=d), "count") for d in shown),
        ]
        yield ReportTable(tuple(columns), tuple(rows), note=note if last else "")


def _rare(table: TableFacts, shown: range) -> Iterator[tuple[Value, ...]]:
    found, records = dict(table.unsafe_combinations), dict(table.records_in_these)
    yield table_name(table), table.count_threshold, *(found.get(d) for d in shown)
    if records:
        yield _("records in them"), None, *(records.get(d) for d in shown)


def related(given: ReportInput) -> Section | None:
    """Variables that are suppressed together; left out where there are none."""
    rows = tuple((key.name, key.related) for key in given.keys if key.related)
    if not rows:
        return None
    columns = (ReportColumn(_("Variable"), "code"), ReportColumn(_("Related to"), "code"))
    note = _("Where a variable is suppressed, the variables related to it are suppressed with it.")
    return Section("related", _("Related variables"), (ReportTable(columns, rows, note=note),))


def recodings(given: ReportInput) -> Section:
    """Every recode as it was applied, code by code."""
    title = _("Global recodings applied")
    if not given.recodes:
        return Section("recodings", title, (Text(_("No global recodings have been applied.")),))
    blocks: list[Block] = []
    for recode in given.recodes:
        blocks += _recode(recode)
    return Section("recodings", title, tuple(blocks))


def _recode(recode: RecodeFacts) -> list[Block]:
    blocks: list[Block] = [Heading(recode.variable)]
    if recode.sentence:
        blocks.append(Text(recode.sentence))
    rows: list[tuple[Value, ...]] = list(recode.lines)
    for i, code in enumerate(recode.missing, start=1):
        rows.append((code or _("(empty)"), _("missing {i}").format(i=i), ""))
    if rows:
        columns = [ReportColumn(_("Code"), "code"), ReportColumn(_("Label"))]
        if any(items for _code, _label, items in recode.lines):
            columns.append(ReportColumn(_("Original codes"), "code"))
        blocks.append(ReportTable(tuple(columns), tuple(row[: len(columns)] for row in rows)))
    if recode.untouched:
        kept = ", ".join(_listed(recode.untouched))
        blocks.append(Text(_("Codes that the recode does not mention keep their value: {codes}.").format(codes=kept)))
    if recode.codelist:
        blocks.append(Text(_("Codelist: {name}").format(name=recode.codelist), "note"))
    return blocks


def _listed(codes: tuple[str, ...]) -> list[str]:
    named = [code or _("(empty)") for code in codes[:MOST_CODES]]
    more = len(codes) - len(named)
    return [*named, _("and {n} more").format(n=count(more))] if more else named


def layout(given: ReportInput) -> Section | None:
    """How the records of the safe file are laid out."""
    if given.layout is None:
        return None
    kind = _(FORMATS.get(given.layout.format, given.layout.format))
    sentence = _("Safe file format: {kind}.").format(kind=kind)
    if given.layout.delimiter:
        sentence += " " + _("Delimiter: {mark}").format(mark=repr(given.layout.delimiter).strip("'"))
    fixed = given.layout.format == "fixed"
    labels = any(v.label for v in given.layout.variables)
    columns = [ReportColumn(_("Name"), "code"), *([ReportColumn(_("Label"))] if labels else [])]
    columns += [ReportColumn(_("Starting position"), "count"), ReportColumn(_("Length"), "count")] if fixed else []
    columns.append(ReportColumn(_("Decimals"), "count"))
    rows = [
        (v.name, *((v.label,) if labels else ()), *((v.start, v.length) if fixed else ()), v.decimals)
        for v in given.layout.variables
    ]
    blocks: list[Block] = [Text(sentence), ReportTable(tuple(columns), tuple(rows))]
    if given.layout.removed:
        left_out = ", ".join(given.layout.removed)
        blocks.append(Text(_("Left out of the safe file: {names}.").format(names=left_out)))
    if given.layout.left_out:
        told = counted(
            given.layout.left_out,
            "{n} variable of the original is left out of the safe file.",
            "{n} variables of the original are left out of the safe file.",
        )
        blocks.append(Text(told))
    return Section("record", _("Record description of the safe file"), tuple(blocks))


def recipe(given: ReportInput) -> Section | None:
    """The recipe, which reproduces the safe file byte for byte; for outsiders what they may know of it."""
    if not given.recipe_text:
        return None
    said = _("The recipe holds every decision. The same recipe on the same files gives the same safe file.")
    if given.external:
        said = _("What of the recipe may leave the house: without what was read, codes of the original, and seeds.")
    blocks = (Text(said), Code(given.recipe_text))
    return Section("recipe", _("The recipe"), blocks)


def program(given: ReportInput) -> Section:
    """Program, version and checksums of the files; outside the house of the safe file and what describes it."""
    rows: list[tuple[str, Value, str]] = [
        (_("Program"), f"{given.program} {given.version}", "text"),
        (_("Created"), created_text(given), "text"),
    ]
    blocks: list[Block] = [Terms(tuple(rows))]
    sums = [(_(ROLES[f.role]), f.path.name, f.sha256) for f in given.files if f.sha256]
    if given.recipe_sha256 and not any(f.role == "recipe" and f.sha256 for f in given.files):
        sums.append((_(ROLES["recipe"]), "", given.recipe_sha256))
    if sums:
        columns = (ReportColumn(_("File")), ReportColumn(_("Name")), ReportColumn("SHA-256", "code"))
        blocks.append(ReportTable(columns, tuple(sums), caption=_("Checksums")))
    return Section("program", _("Program and checksums"), tuple(blocks))


def created_text(given: ReportInput) -> str:
    """Date and time of the report, with the offset from UTC."""
    offset = given.created.strftime("%z")
    zone = "UTC" if offset in ("", "+0000") else f"UTC{offset[:3]}:{offset[3:]}"
    return given.created.strftime("%Y-%m-%d, %H:%M:%S ") + zone


def terms(given: ReportInput) -> Section:
    """What the words mean, for a reader who does not know the program."""
    used = [
        (_("Key variables"), _("variables by which an outsider could recognise a person, such as region, sex or age.")),
        (_("Key, cell"), _("one combination of values of the key variables.")),
        (_("Sample frequency f"), _("the number of records in the file that share a key.")),
        (
            _("Population frequency F"),
            _("the estimated number of people who share it: the sum of the design weights of those records."),
        ),
    ]
    if any(t.has_risk for t in given.tables):
        used += _risk_terms()
    if any(t.household_threshold is not None or t.recoded.household for t in given.tables):
        used += _household_terms()
    used += [
        (_("k-anonymity"), _("every record shares its key with at least k − 1 others.")),
        *_diversity_term(given),
        (_("Global recoding"), _("replacing the codes of a variable by fewer, broader ones in all records.")),
        (_("Local suppression"), _("replacing single values of key variables by a missing code.")),
        (
            _("Entropy loss"),
            _("information lost by suppression, in bits: a value of a variable with many, equally common codes "
              "counts more."),
        ),
    ]  # fmt: skip
    used.append(not_anonymous())
    rows = tuple((name, meaning, "text") for name, meaning in used)
    return Section("terms", _("What the terms mean"), (Terms(rows, definitions=True),))


def not_anonymous() -> tuple[str, str]:
    """Why no report calls a file anonymous: the only place where one has the word."""
    return (
        _("Not anonymous"),
        _("protection makes it unlikely that somebody is recognised, not impossible: no file of single persons is "
          "anonymous for everybody and for ever."),
    )  # fmt: skip


def _household_terms() -> list[tuple[str, str]]:
    return [
        (_("Household risk"), _("the chance that at least one member of a household is re-identified.")),
        (
            _("Expected records of re-identified households"),
            _("the sum of the household risks, each counted once a member: so many records would stand in a household "
              "of which at least one member is re-identified. Larger than the expected re-identifications, which count "
              "only the re-identified members themselves."),
        ),
        (_("Household re-identification rate"), _("that sum divided by the number of records.")),
    ]  # fmt: skip


def _risk_terms() -> list[tuple[str, str]]:
    return [
        (
            _("Individual risk r"),
            _("the chance that a record is correctly re-identified by someone who knows its key and searches the "
              "population: the expectation of 1/F given f, under the negative binomial model."),
        ),
        (_("Expected re-identifications"), _("the sum of the individual risks of all records.")),
        (_("Re-identification rate ξ"), _("that sum divided by the number of records.")),
        (_("Threshold r*"), _("the risk from which on a record is unsafe and has to be protected.")),
        (
            _("Group risk"),
            _("the risk of a record with suppressed values as seen by someone who reasons from the blanks "
              "themselves: counted among the released records with the same blanks."),
        ),
    ]  # fmt: skip


def _diversity_term(given: ReportInput) -> list[tuple[str, str]]:
    if all(table.sensitive is None for table in given.tables):
        return []
    text = _("behind every key stand at least l different values of a sensitive variable, or none.")
    return [(_("l-diversity"), text)]
