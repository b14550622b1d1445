"""Random recipes: everything the TOML form can say, sensible or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from core.recipe import model as m
from core.recipe.answers import question_ids
from core.recipe.declared import COMMON, Declaration, Entry, Parameter, Section, registry
from core.recipe.model_formula import Factor, ModelFormula

FOLDER = Path("/sessions/survey").resolve()

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(str.strip)
file_names = st.from_regex(r"[A-Za-z][A-Za-z0-9 é_]{0,8}\.[a-z]{3}", fullmatch=True)
paths = st.builds(lambda up, parts: Path("/").joinpath(*["sessions", "other"][:up], *parts).resolve(),
                  st.integers(0, 2), st.lists(file_names, min_size=1, max_size=3))  # fmt: skip
numbers = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0)  # no zero below zero
fractions = st.floats(0, 1, exclude_min=True)
code_lists = st.lists(texts, max_size=3, unique=True).map(tuple)
name_lists = st.lists(names, min_size=1, max_size=4, unique=True).map(tuple)


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


def one_of(hint: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(hint.__args__)


flags = st.none() | st.booleans()
digests = st.text("0123456789abcdef", min_size=64, max_size=64)
odd_paths = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1, max_size=12)
    .filter(str.strip).filter(lambda name: name not in (".", "..")),
    min_size=1, max_size=3,
).map(lambda names: FOLDER.joinpath(*names))  # fmt: skip
"""With quotes, backslashes, ends of lines and whatever else a name can have."""
checksums = st.dictionaries(paths | odd_paths, digests, max_size=3).map(lambda found: tuple(found.items()))
inputs = st.builds(
    m.Input,
    data=maybe(paths),
    metadata=maybe(paths),
    format=maybe(one_of(m.Format)),
    delimiter=maybe(st.sampled_from([",", ";", "\t", "|", "é"])),
    header=flags,
    encoding=maybe(st.sampled_from(["utf-8", "cp1252"])),
    decimal=maybe(st.sampled_from([".", ","])),
    units=maybe(one_of(m.Units)),
    sha256=maybe(digests),
    checksums=checksums,
    variables=st.sampled_from(["from-metadata", "here"]),
)
edits = st.builds(
    m.VariableEdit,
    name=texts,
    start=maybe(st.integers(1, 999)),
    length=maybe(st.integers(1, 99)),
    column=maybe(st.integers(1, 99)),
    decimals=maybe(st.integers(0, 18)),
    label=maybe(texts),
    categorical=flags,
    numeric=flags,
    household=flags,
    sensitive=flags,
    truncable=flags,
    removed=flags,
    role=maybe(one_of(m.Role)),
    identification_level=maybe(st.integers(0, 5)),
    missing=maybe(code_lists),
    codelist=maybe(paths),
    related=maybe(names),
    suppression_weight=maybe(st.integers(0, 100)),
    suppressible=flags,
    ordered=flags,
    decision=maybe(one_of(m.Decision)),
    decided_by=maybe(texts),
    reason=maybe(texts),
)
thresholds = st.builds(
    m.Threshold,
    individual_risk=maybe(fractions),
    reidentification_rate=maybe(fractions),
    unsafe_records=maybe(st.integers(0, 10**12)),
    household_risk=maybe(fractions),
    household_rate=maybe(fractions),
    unsafe_households=maybe(st.integers(0, 10**12)),
)


def _as_written(combination: m.Combination) -> m.Combination:
    """A criterion without a missing rule of its own is written without one, and read with the only one it has."""
    if combination.criterion.has_missing_rule or combination.missing_rule != "observed":
        return combination
    return replace(combination, missing_rule=combination.criterion.missing_rules[0])


combinations = st.builds(
    m.Combination,
    variables=name_lists,
    model=one_of(m.Model),
    count_threshold=st.integers(0, 99),
    k=maybe(st.integers(1, 99)),
    missing_rule=one_of(m.MissingRule),
    alpha=st.floats(0, 1),
    estimator=one_of(m.Estimator),
    threshold=thresholds,
).map(_as_written)
recodes = st.builds(
    m.Recode,
    variable=names,
    scheme_file=maybe(paths),
    scheme=maybe(texts | st.just("1: 1-10\n2: 11-20\n") | st.just("1: 1\r\n")),
    truncate=maybe(st.integers(1, 9)),
    missing=maybe(code_lists),
    codelist=maybe(paths),
)
cuts = st.builds(m.TopBottomCode, at=numbers, replacement=texts)
numerics = st.builds(
    m.NumericEdit,
    variable=names,
    top=maybe(cuts),
    bottom=maybe(cuts),
    round=maybe(st.floats(1e-9, 1e9)),
)
suppressions = st.builds(
    m.Suppression,
    criterion=one_of(m.Criterion),
    mode=one_of(m.Mode),
    close_gaps=st.booleans(),
    least_records=st.integers(1, 99),
    thorough=st.booleans(),
    effort=st.integers(0, 10**6),
    seed=st.integers(0, 2**63 - 1),
    secret=maybe(st.text("0123456789abcdefABCDEF", min_size=32, max_size=32)),
    time_limit=maybe(st.floats(0.001, 1e6)),
)


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Values that `parameter` may have."""
    low, high = parameter.low, parameter.high
    whole = st.integers(None if low is None else int(low), 2**63 - 1 if high is None else int(high))
    number = st.floats(low, high, exclude_min=not parameter.low_included, allow_nan=False, allow_infinity=False)
    by_code = st.dictionaries(texts, number, min_size=1).map(lambda said: m.ByCode(sorted(said.items())))
    return {
        "integer": whole,
        "number": number,
        "number-by-code": number | by_code,
        "boolean": st.booleans(),
        "choice": st.sampled_from(parameter.choices or ("",)),
        "text": texts,
        "variables": name_lists,
        "sets": st.lists(name_lists, min_size=1, max_size=3, unique_by=frozenset).map(tuple),
        "scenarios": name_lists,
        "matrix": st.floats(0.1, 9.0).map(lambda first: ((first, first / 2),)),
        "file": paths,
    }[parameter.type]


def parameters_of(declaration: Declaration) -> st.SearchStrategy[tuple[tuple[str, Any], ...]]:
    """Parameters that an entry may say, as far as each can be judged alone."""
    is_early = declaration in registry("perturbations").declarations and not declaration.at_writing
    known = (*declaration.parameters, *(COMMON if is_early else ()))
    required = {p.name: values_of(p) for p in known if p.required}
    optional = {p.name: values_of(p) for p in known if not p.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda said: tuple(sorted(said.items())))


others = st.fixed_dictionaries(
    {}, optional={"max_size": st.integers(1, 9), "sensitive": name_lists, "fraction": fractions, "released": paths}
).map(lambda said: tuple(sorted(said.items())))
measures = st.one_of(
    *(st.builds(m.Measure, st.just(d.name), name_lists, parameters_of(d)) for d in registry("measures").declarations)
)
scenarios = st.builds(
    m.Scenario,
    name=names,
    variables=name_lists,
    source=texts,
    year=texts,
    release_type=texts,
    assumptions=texts,
)
perturbations = st.one_of(
    *(
        st.builds(m.Perturbation, st.just(d.name), name_lists if d.has_variables else st.just(()), parameters_of(d))
        for d in registry("perturbations").declarations
    ),
)


def formula(*variables: str) -> str:
    """A regression of the first on the others."""
    return str(ModelFormula(Factor(variables[0]), tuple((Factor(name),) for name in variables[1:])))


in_formulas = names.filter(lambda name: "`" not in name and name.strip())
analyses = st.one_of(
    st.builds(
        m.Analysis,
        table=st.lists(names, min_size=1, max_size=3, unique=True).map(tuple),
        goal=st.sampled_from([None, 0.01, 2.5]),
    ),
    st.lists(names, min_size=1, max_size=3, unique=True).map(lambda n: m.Analysis(mean=n[0], by=tuple(n[1:]))),
    st.lists(in_formulas, min_size=1, max_size=3, unique=True).map(lambda n: m.Analysis(model=formula(*n))),
)
reports = st.builds(
    m.Report,
    title=texts,
    institution=texts,
    author=texts,
    remarks=texts,
    variant=st.sampled_from(["internal", "external"]),
    audience=st.sampled_from(["auditor", "users"]),
    thresholds=st.booleans(),
    answers=st.lists(st.sampled_from(question_ids()), max_size=2, unique=True).flatmap(
        lambda ids: st.tuples(*(st.tuples(st.just(i), texts.filter(bool)) for i in question_ids() if i in ids))
    ),
)
outputs = st.builds(
    m.Output,
    data=maybe(paths),
    metadata=maybe(paths),
    report=maybe(paths),
    report_pdf=maybe(paths),
    summary=maybe(paths),
    records=maybe(paths),
    household_id=st.sampled_from(["keep", "sequence", "remove"]),
    shuffle=st.booleans(),
    add_risk=st.booleans(),
    seed=st.integers(0, 2**63 - 1),
    keep_households_together=st.booleans(),
)
profiles = st.one_of(
    st.tuples(st.builds(m.ProfileFile, maybe(paths)), st.just(m.Target())),
    st.tuples(
        st.just(m.ProfileFile()),
        st.builds(m.Target, st.sampled_from(m.TARGETS) | paths.map(lambda path: path.with_suffix(".toml"))),
    ),
)
"""At most one of a profile and a target."""
accepted = st.builds(
    m.Accepted,
    rule=names,
    about=st.just(()) | name_lists,
    by=names,
    on=st.dates(),
    reason=st.text(st.characters(exclude_categories=["Cs"]), min_size=10).filter(lambda text: len(text.strip()) >= 10),
    number=maybe(st.integers(0, 10**9)),
)
recipes = st.builds(
    lambda profile, **parts: m.Recipe(profile=profile[0], target=profile[1], **parts),
    input=inputs,
    variables=st.lists(edits, max_size=2, unique_by=lambda edit: edit.name).map(tuple),
    derived=st.lists(
        st.one_of(
            st.builds(m.HouseholdKey, names, st.just("household-size")),
            st.builds(
                m.HouseholdKey, names, st.just("household-type"), st.lists(names, max_size=2, unique=True).map(tuple)
            ),
            st.builds(m.MultiResponseKey, names, st.lists(names, min_size=2, max_size=3, unique=True).map(tuple)),
            st.builds(m.MultiResponseKey, names, names.map(lambda name: (name,)), texts.filter(bool)),
        ),
        max_size=1,
    ).map(tuple),
    households=st.builds(
        m.HouseholdSettings,
        empty_id=st.sampled_from(["error", "own-household"]),
        single_persons_above=maybe(st.integers(1, 99)),
    ),
    combinations=st.lists(combinations, max_size=2).map(tuple),
    recodes=st.lists(recodes, max_size=2).map(tuple),
    numeric=st.lists(numerics, max_size=1).map(tuple),
    perturbations=st.lists(perturbations, max_size=2).map(tuple),
    threshold=thresholds,
    suppression=suppressions,
    scenarios=st.lists(scenarios, max_size=2).map(tuple),
    measures=st.lists(measures, max_size=2).map(tuple),
    profile=profiles,
    accepted=st.lists(accepted, max_size=2).map(tuple),
    utility=st.lists(analyses, max_size=2).map(tuple),
    report=reports,
    output=outputs,
)


def entry_of(section: Section) -> type[Entry]:
    """The class of the entries of `section`."""
    return {"measures": m.Measure, "perturbations": m.Perturbation}[section]
