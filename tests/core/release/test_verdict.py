"""A recipe with a target: what the summary says of the written file, and how the command ends."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from core.batch import NOT_READY
from tests.core.report.pdf_text import page_texts
from tests.core.small_survey import RECIPE, Survey

BARE = RECIPE.replace("[output]", '[variables.INCOME]\nremoved = true\n[output]\nsummary = "out/summary.json"')
IN_HOUSE = '[target]\nprofile = "in-house"\n'


def accept(rule: str, number: int | None = None, about: str = "") -> str:
    """A point that is accepted."""
    told = "" if number is None else f"number = {number}\n"
    told += f"about = {about}\n" if about else ""
    return f'[[accepted]]\nrule = "{rule}"\nby = "M. Lambert"\non = 2026-11-23\nreason = "Agreed with users"\n{told}'


def run(folder: Path, text: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit status and summary."""
    survey = Survey(folder, text)
    survey.write()
    status = survey.run("--quiet", *arguments)
    return status, json.loads((survey.out / "summary.json").read_text("utf-8"))


def rule(summary: dict[str, Any], name: str) -> dict[str, Any]:
    """A rule of the verdict."""
    (found,) = [each for each in summary["verdict"]["rules"] if each["id"] == name]
    return found


def test_an_open_rule_ends_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, summary = run(tmp_path, BARE + IN_HOUSE)
    assert status == 0
    assert summary["verdict"]["target"] == "in-house"
    assert summary["verdict"]["state"] == "open"
    assert rule(summary, "deciding-model")["state"] == "holds"
    assert rule(summary, "design-stated") == {
        "id": "design-stated", "level": "decide", "state": "open", "about": [],
        "text": "The sampling design is stated. The recipe cannot state yet whether areas, households or records were "
        "drawn.",
    }  # fmt: skip
    assert run(tmp_path, BARE + IN_HOUSE, "--require-ready")[0] == NOT_READY
    assert "Not ready for release. 1 is to be decided." in capsys.readouterr().err
    assert (tmp_path / "out" / "safe.asc").is_file()


def test_accepted_points_make_a_file_ready(tmp_path: Path) -> None:
    status, summary = run(tmp_path, BARE + IN_HOUSE + accept("design-stated"), "--require-ready")
    assert (status, summary["verdict"]["state"]) == (0, "ready")
    found = rule(summary, "design-stated")
    assert (found["state"], found["by"], found["on"]) == ("accepted", "M. Lambert", "2026-11-23")


def test_an_accepted_rule_that_stops_is_a_decision(tmp_path: Path) -> None:
    office = 'profile = 1\nname = "Office"\n[[checks]]\ncheck = "random-order"\n'
    (tmp_path / "office.toml").write_text(office, encoding="utf-8")
    text = BARE + '[target]\nprofile = "office.toml"\n' + accept("random-order")
    status, summary = run(tmp_path, text, "--require-ready")
    assert (status, summary["verdict"]["state"], summary["verdict"]["target"]) == (NOT_READY, "by-decision", "Office")
    assert [each["id"] for each in summary["verdict"]["rules"]] == ["random-order", "deciding-model", "other-model"]
    assert any(each["path"].endswith("office.toml") for each in summary["inputs"])


def test_an_accepted_point_opens_again_when_its_number_rises(tmp_path: Path) -> None:
    whole = BARE.replace("[output]", '[suppression]\ncriterion = "none"\n[output]') + IN_HOUSE + accept("design-stated")
    whole = whole.replace("0.02", "0.03") + accept("other-model", 60)
    assert run(tmp_path, whole)[1]["verdict"]["state"] == "not-safe"
    found = rule(run(tmp_path, whole)[1], "deciding-model")
    assert (found["number"], found["about"]) == (6, ["REGION", "SEX", "AGE"])
    for number, about, state in (
        (6, "", "accepted"), (7, "", "accepted"), (5, "", "open"), (None, "", "open"),
        (6, '["REGION", "SEX", "AGE"]', "accepted"), (6, '["REGION", "SEX"]', "open"),
    ):  # fmt: skip
        summary = run(tmp_path, whole + accept("deciding-model", number, about))[1]
        assert rule(summary, "deciding-model")["state"] == state
        assert summary["verdict"]["state"] == ("by-decision" if state == "accepted" else "not-safe")


def test_without_a_target_nothing_is_ready(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, summary = run(tmp_path, BARE, "--require-ready")
    assert status == NOT_READY
    assert "verdict" not in summary
    assert "No target yet. Choose who will receive the file." in capsys.readouterr().err


def test_a_target_changes_no_byte_of_the_safe_file(tmp_path: Path) -> None:
    text = BARE.replace('summary = "out/summary.json"', 'summary = "out/summary.json"\nshuffle = true')
    run(tmp_path, text)
    before = (tmp_path / "out" / "safe.asc").read_bytes()
    run(tmp_path, text + IN_HOUSE + accept("design-stated"))
    assert (tmp_path / "out" / "safe.asc").read_bytes() == before


def test_outsiders_read_no_name_and_no_number(tmp_path: Path) -> None:
    external = '[report]\nvariant = "external"\n'
    text = BARE.replace("removed = true", "") + IN_HOUSE + external + accept("design-stated")
    verdict = run(tmp_path, text)[1]["verdict"]
    assert all(each.keys() == {"id", "level", "state", "about", "text"} for each in verdict["rules"])
    assert "Lambert" not in json.dumps(verdict)
    assert "Agreed" not in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_an_unknown_rule_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    survey = Survey(tmp_path, BARE + IN_HOUSE + accept("useful-file"))
    survey.write()
    assert survey.run() == 1
    assert "accepted[1].rule is “useful-file”, and no rule is called so" in capsys.readouterr().err
    assert not survey.out.exists()


def test_the_report_begins_with_the_verdict(tmp_path: Path) -> None:
    text = BARE.replace("[output]", '[output]\nreport_pdf = "out/report.pdf"') + IN_HOUSE
    run(tmp_path, text)
    html = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert '<section class="verdict warning">\n<p class="headline">Not ready for release</p>' in html
    assert (
        "1 is to be decided. 7 of 8 rules hold. Checked: by the individual risk, every record is below 1 in 50." in html
    )
    run(tmp_path, text + accept("design-stated"))
    html = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert '<section class="verdict good">\n<p class="headline">Ready for use inside the institution</p>' in html
    pages = " ".join(" ".join(page_texts((tmp_path / "out" / "report.pdf").read_bytes())).split())
    for told in ("Ready for use inside the institution", "M. Lambert, 2026-11-23", "Agreed with users",
                 "7 of 8 rules hold in the written file, 1 was accepted."):  # fmt: skip
        assert told in html
        assert told in pages


PARTS = """recipe = 1
[input]
data = {data}
format = "delimited"
[variables.W]
role = "weight"
[variables.PAY]
numeric = true
categorical = false
[[combinations]]
variables = ["A", "B", "C"]
[threshold]
individual_risk = 0.04
[output]
data = "{out}"
summary = "out/summary.json"
[target]
profile = "public-use"
"""


def test_a_file_in_parts_has_the_same_verdict(tmp_path: Path) -> None:
    from core.batch import main

    rng, verdicts = random.Random(5), []
    rows = [
        f"{rng.choice('1112')},{rng.randint(1, 5)},{rng.choice('112')},{rng.randint(9, 40)},{rng.randint(900, 4000)}\n"
        for _ in range(120)
    ]
    head = "A,B,C,W,PAY\n"
    for name, some in (("whole", rows), ("one", rows[:50]), ("two", rows[50:])):
        (tmp_path / f"{name}.csv").write_text(head + "".join(some), encoding="utf-8")
    for folder, data, out in (("a", '"whole.csv"', "out/safe.csv"), ("b", '["one.csv", "two.csv"]', "out/safe")):
        recipe = tmp_path / f"{folder}.pavo"
        text = PARTS.format(data=data, out=out).replace("out/", f"{folder}/")
        recipe.write_text(text, encoding="utf-8")
        assert main([str(recipe), "--quiet", "--require-ready"]) == NOT_READY
        verdicts.append(json.loads((tmp_path / folder / "summary.json").read_text("utf-8"))["verdict"])
    whole, parts = verdicts
    assert (whole["target"], whole["state"]) == (parts["target"], parts["state"])
    for one, other in zip(whole["rules"], parts["rules"], strict=True):
        if one["id"] == "top-coded":
            assert other["state"] == "open"
            assert "Of a file in parts, the values of PAY are not assessed together." in other["text"]
        else:
            assert one == other


DRAWN = """recipe = 1
[input]
data = "drawn.csv"
format = "delimited"
[variables.W]
role = "weight"
[[combinations]]
variables = ["A", "B", "C"]
model = "individual-risk"
[threshold]
individual_risk = {threshold}
[suppression]
criterion = "{criterion}"
mode = "{mode}"
[output]
data = "out/safe.csv"
summary = "out/summary.json"
report = "out/report.html"
"""


def test_no_random_recipe_is_ready_against_an_estimate(tmp_path: Path) -> None:
    from core.batch import main

    rng, seen = random.Random(8), set()
    for number in range(30):
        folder = tmp_path / str(number)
        folder.mkdir()
        rows = [
            f"{rng.choice('1112')},{rng.randint(1, rng.choice((2, 9)))},{rng.choice('112')},{rng.randint(2, 40)}"
            for _ in range(rng.choice((40, 90)))
        ]
        (folder / "drawn.csv").write_text("\n".join(["A,B,C,W", *rows, ""]), encoding="utf-8")
        text = DRAWN.format(
            threshold=rng.choice((0.02, 0.05, 0.1, 0.3)),
            criterion=rng.choice(("entropy", "entropy", "none")),
            mode=rng.choice(("original-counts", "released-keys")),
        )
        text += f'[target]\nprofile = "{rng.choice(("in-house", "in-house", "scientific-use"))}"\n'
        left = rng.choice((None, 1, 20))
        text += accept("design-stated") + accept("useful", 10**6) + accept("no-certain-blanks", 10**6)
        text += "" if left is None else accept("other-model", left)
        (folder / "drawn.pavo").write_text(text, encoding="utf-8")
        assert main([str(folder / "drawn.pavo"), "--quiet"]) == 0
        summary = json.loads((folder / "out" / "summary.json").read_text("utf-8"))
        (table,) = summary["combinations"]
        other = table["second_opinion"]["after"]["unsafe_records"]
        unsafe = table["after"]["by_mode"].get("unsafe_records", 0)
        state = summary["verdict"]["state"]
        seen.add((state, other > 0))
        if unsafe:
            assert state == "not-safe"
        if state == "ready":
            assert not unsafe
            assert not other or (left is not None and other <= left)
            html = (folder / "out" / "report.html").read_text("utf-8")
            assert f'<section class="verdict {"plain" if other else "good"}"' in html
        if other and (left is None or other > left):
            assert rule(summary, "other-model")["state"] == "open"
            assert rule(summary, "other-model")["number"] >= other
    assert {("ready", False), ("ready", True), ("open", True), ("not-safe", True)} <= seen
