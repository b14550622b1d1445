"""Nothing of the original that the safe file does not hold reaches outsiders, whatever the recipe.

Everything private holds the word SECRET: codes, labels, identifiers, names of files, folders and columns that are left
out, comments, and texts beside the data. What the safe file holds may be told.
"""

from __future__ import annotations

import html
import json
import random
import re
from hashlib import sha256
from pathlib import Path

import pytest

from core.base.errors import Notice
from core.batch import carry_out_file

N = 160
MOST = "987654321"
SEED = "424242"
RARE = {9: "a", 17: "b", 33: "c"}
"""Records with codes that nobody else has."""


def survey(folder: Path, chance: random.Random) -> str:
    """A survey and a random recipe for it, in `folder`; the recipe's text."""
    inside = folder / "SECRETfolder"
    inside.mkdir()
    rows = ["SECRETNAME,REGION,JOB,KIND,HH,INCOME,W,SECRETGONE,SECRETUNSAID"]
    for i in range(N):
        rare = RARE.get(i, "")
        region = f"SECRETr{rare}" if rare else str(1 + i % 4)
        job = f"SECRETj{rare}" if rare and chance.random() < 0.7 else str(1 + i % 2)
        kind = f"SECRETk{rare}" if rare else "odd" if i % 2 else "even"
        income = MOST if i == 9 else str(1000 + i)
        rows.append(f"SECRETn{i},{region},{job},{kind},SECRETh{i // 2},{income},25,SECRETg{i % 5},SECRETu")
    (inside / "SECRETdata.csv").write_text("\n".join(rows) + "\n")
    for name, codes in {"REGION": "1234", "JOB": "12", "KIND": ("odd", "even")}.items():
        letter = "r" if name == "REGION" else name[0].lower()
        labels = [f"{code},{name} {code}\n" for code in codes]
        labels += [f"SECRET{letter}{rare},SECRETlabel{letter}{rare}\n" for rare in RARE.values()]
        labels += ["SECRETr99,SECRETlabelr99\n"]  # of no record
        (inside / f"SECRET{name}.cdl").write_text("".join(labels) + "SECRET line that says nothing\n")
    recodes = {
        "all": 'scheme = "A: 1-2, SECRETra\\nB: 3-4, SECRETrb, SECRETrc"\n',
        "some": 'scheme = "A: 1-2\\n"\n',
        "none found": 'scheme = "A: 1, SECRETnobody\\nSECRETnew: SECRETother\\n"\n',
        "to missing": 'scheme = "A: 1-2\\nX: SECRETra, SECRETrb\\n"\nmissing = ["X", "Y"]\n',
        "file": 'scheme_file = "SECRETscheme.grc"\n',
        "codelist": 'scheme = "A: 1-2"\ncodelist = "SECRETnew.cdl"\n',
        "lost": 'scheme = "A: 1-2\\n<CODELIST> SECRETlost.cdl"\n',
    }
    (inside / "SECRETscheme.grc").write_text("A: 1-3\nB: 4-4\n<CODELIST> SECRETnew.cdl\n")
    (inside / "SECRETnew.cdl").write_text("A,First\nB,Second\nSECRETra,SECRETlabelra\n")
    homes = chance.random() < 0.5
    parts = [
        '# SECRET comment\nrecipe = 1\n[input]\ndata = "SECRETdata.csv"\nvariables = "here"\n',
        '[variables.SECRETNAME]\nrole = "direct-identifier"\nlabel = "SECRET title"\n',
        '[variables.REGION]\ncategorical = true\ncodelist = "SECRETREGION.cdl"\nmissing = [""]\n',
        '[variables.JOB]\ncategorical = true\ncodelist = "SECRETJOB.cdl"\nrelated = "SECRETGONE"\nmissing = ["", "9"]\n'
        if chance.random() < 0.5
        else '[variables.JOB]\ncategorical = true\nmissing = [""]\n',
        '[variables.KIND]\ncategorical = true\ncodelist = "SECRETKIND.cdl"\n',
        '[variables.HH]\nlabel = "SECRET label"\n' + ('role = "household-id"\n' if homes else "removed = true\n"),
        '[variables.INCOME]\nnumeric = true\n[variables.W]\nrole = "weight"\n',
        '[variables.SECRETGONE]\nremoved = true\nlabel = "SECRET label"\ncodelist = "SECRETabsent.cdl"\n',
    ]
    risk = chance.random() < 0.5
    combination = '[[combinations]]\nvariables = ["REGION", "JOB"]\n'
    parts.append(
        combination if risk else combination + f'model = "frequency"\ncount_threshold = {chance.choice([1, 2])}\n'
    )
    parts.append('[[combinations]]\nvariables = ["KIND"]\nmodel = "frequency"\n')
    chosen = chance.choice(list(recodes))
    parts.append(f'[[recodes]]\nvariable = "REGION"\n{recodes[chosen]}')
    if chance.random() < 0.5:
        parts.append('[[recodes]]\nvariable = "KIND"\ntruncate = 1\n')
    parts.append('[[numeric]]\nvariable = "INCOME"\ntop = { at = 2000, replacement = "2000" }\n')
    if risk:
        parts.append("[threshold]\nindividual_risk = 0.03\n")
    parts.append(f'[suppression]\ncriterion = "{chance.choice(["weights", "entropy"])}"\nseed = {SEED}\n')
    parts.append('[[measures]]\nkind = "frequencies"\nvariables = ["REGION"]\n')
    parts.append('[report]\nvariant = "external"\n')
    suffix = chance.choice(["csv", "csv", "sav", "dta"])
    metadata = 'metadata = "../out/safe.rds"\n' if chance.random() < 0.7 else ""
    parts.append(
        f'[output]\ndata = "../out/safe.{suffix}"\n{metadata}report = "../out/report.html"\n'
        f'summary = "../SECRETinside/summary.json"\nrecords = "../SECRETinside/records.csv"\n'
        f"shuffle = true\nseed = {SEED}\n" + ('household_id = "remove"\n' if homes else "")
    )
    return "".join(parts)


def secrets(text: str) -> set[str]:
    return set(re.findall(r"SECRET\w*", html.unescape(text)))


@pytest.mark.parametrize("case", range(24))
def test_outsiders_read_nothing_that_the_safe_file_does_not_hold(tmp_path: Path, case: int) -> None:
    text = survey(tmp_path, random.Random(case))
    recipe = tmp_path / "SECRETfolder" / "SECRETrecipe.pavo"
    recipe.write_text(text)
    summary = carry_out_file(recipe, overwrite=True)[0].summary
    assert summary["verified"] is True
    out = {path: path.read_bytes().decode(errors="replace") for path in sorted((tmp_path / "out").iterdir())}
    report = out.pop(tmp_path / "out" / "report.html")
    data = next(value for path, value in out.items() if path.suffix in (".csv", ".sav", ".dta"))
    held = secrets(data)
    beside = {word for path, value in out.items() if path.suffix in (".rds", ".cdl") for word in secrets(value)}
    named = {word for word in beside if not word.startswith("SECRETlab")}
    assert named <= held, "a code or a name that the safe file does not hold"
    labels = [
        line.rpartition(",")[::2]
        for path, value in out.items()
        if path.suffix == ".cdl"
        for line in value.splitlines()
        if "SECRETlab" in line and '"' not in line
    ]  # of one code, not joined
    assert all(code in held or code in ("A", "X", "B") for code, _label in labels)
    assert secrets(report) <= held | beside
    everything = report + "".join(out.values())
    read = [sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "SECRETfolder").iterdir()]
    records = sha256((tmp_path / "SECRETinside" / "records.csv").read_bytes()).hexdigest()
    for figure in (MOST, SEED, *read, records):
        assert figure not in everything
    assert not any(figure in json.dumps(summary) for figure in (*read, records)), "a guess could be checked"
    assert not secrets(str([path.name for path in out]))
    told = secrets(json.dumps(summary["warnings"]))
    private = {w for w in told if re.fullmatch(r"SECRET([rjknhgu]\w{1,3}|label.*|nobody|other|new)", w)}
    assert private <= held, "a summary names codes"


def test_the_secrets_are_found_in_an_internal_report(tmp_path: Path) -> None:
    text = survey(tmp_path, random.Random(1)).replace('"external"', '"internal"')
    recipe = tmp_path / "SECRETfolder" / "SECRETrecipe.pavo"
    recipe.write_text(text)
    carry_out_file(recipe, overwrite=True)
    found = secrets((tmp_path / "out" / "report.html").read_text())
    assert {"SECRETfolder", "SECRETNAME", "SECRETdata"} <= found and len(found) > 8


def test_a_sentence_with_a_code_is_not_told_without_one_for_outsiders() -> None:
    notice = Notice.of(
        "odd-code", "{variable}: {code} in line {line} of {file}.", variable="A", code="x", line=3, file="f"
    )
    assert "x" in notice.text
    assert notice.public == notice.external == "There is a warning that the internal report tells: odd-code."
    counted = Notice.of("odd", "{variable}: {count} lines of {file}.", variable="A", count=3, file="f")
    assert counted.public == "A: 3 lines of f."
    assert "f" not in counted.external.removesuffix("odd.").split()
    with_outside = Notice.of("odd", "{code} in {variable}", "one in {variable}", variable="A", code="x")
    assert with_outside.public == with_outside.external == "one in A"
