"""The recipe's TOML form: what is read, what is refused and how, and that writing loses nothing."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given

from core.base.errors import RecipeError
from core.recipe.model import Combination, Input, Output, Recipe, Recode, Threshold, TopBottomCode, VariableEdit
from core.recipe.toml import dumps, load, parse
from tests.core.recipe.strategies import FOLDER, recipes


@given(recipes)
def test_writing_and_reading_gives_the_same_recipe(recipe: Recipe) -> None:
    assert parse(dumps(recipe, FOLDER), FOLDER) == recipe


def test_a_recipe_is_read_attribute_by_attribute() -> None:
    recipe = parse(
        """
recipe = 1
[input]
data = "Demodata.asc"
metadata = "../meta/Demodata.rda"
[variables.REGION]
suppression_weight = 0
missing = ["9999", "9998"]
[[combinations]]
variables = ["REGION", "SEX"]
threshold = { individual_risk = 0.00125 }
[[recodes]]
variable = "REGION"
scheme = "1: 1-10\\n2: 11-20"
[[numeric]]
variable = "INCOME"
top = { at = 100000, replacement = "100000" }
[output]
data = "safe/Demodata.saf"
""",
        FOLDER,
    )
    assert recipe.input == Input(data=FOLDER / "Demodata.asc", metadata=FOLDER.parent / "meta" / "Demodata.rda")
    assert recipe.variables == (VariableEdit("REGION", suppression_weight=0, missing=("9999", "9998")),)
    assert recipe.combinations == (Combination(("REGION", "SEX"), threshold=Threshold(individual_risk=0.00125)),)
    assert recipe.recodes == (Recode("REGION", scheme="1: 1-10\n2: 11-20"),)
    assert recipe.numeric[0].top == TopBottomCode(100000.0, "100000")
    assert recipe.output == Output(data=FOLDER / "safe" / "Demodata.saf")


def test_the_written_text_holds_the_decisions_and_what_is_not_default_in_order() -> None:
    recipe = Recipe(
        input=Input(data=FOLDER / "d.asc", metadata=Path("/elsewhere/d.rda").resolve()),
        combinations=(
            Combination(("A", "B"), threshold=Threshold(individual_risk=0.1)),
            Combination(("C",), "frequency"),
        ),
        output=Output(shuffle=True),
    )
    assert dumps(recipe, FOLDER) == (
        "recipe = 1\n\n"
        '[input]\ndata = "d.asc"\nmetadata = "../../elsewhere/d.rda"\n\n'
        '[[combinations]]\nvariables = ["A", "B"]\nmodel = "individual-risk"\nmissing_rule = "observed"\n'
        "threshold = { individual_risk = 0.1 }\n\n"
        '[[combinations]]\nvariables = ["C"]\nmodel = "frequency"\ncount_threshold = 1\n\n'
        '[suppression]\ncriterion = "entropy"\nmode = "original-counts"\n\n'
        "[output]\nshuffle = true\n"
    )


def test_a_scheme_of_several_lines_is_written_as_lines() -> None:
    text = dumps(Recipe(recodes=(Recode("A", scheme="1: 1-10\n2: 11-"),)), FOLDER)
    assert 'scheme = """\n1: 1-10\n2: 11-"""\n' in text
    assert tomllib.loads(text)["recodes"] == [{"variable": "A", "scheme": "1: 1-10\n2: 11-"}]


REFUSED = [
    ("x = 1", "x", "unknown key"),
    ("[output]\nshufle = true", "output.shufle", 'Did you mean "shuffle"?'),
    ("[threshold]\nindividual_rsk = 0.1", "threshold.individual_rsk", 'Did you mean "individual_risk"?'),
    ("[variables.A]\nlenght = 3", "variables.A.lenght", 'Did you mean "length"?'),
    ("[variables]\nA = 3", "variables.A", "a table"),
    ("[input]\ndata = 3", "input.data", "a text"),
    ('[input]\ndata = ""', "input.data", "the path of a file"),
    ('[input]\ndelimiter = ";;"', "input.delimiter", "one character"),
    ('[input]\nencoding = "utf-99"', "input.encoding", "one of these: utf-8"),
    ('[input]\nsha256 = "12"', "input.sha256", "64 hexadecimal digits"),
    ('[input]\nformat = "fixd"', "input.format", 'Did you mean "fixed"?'),
    ("combinations = 3", "combinations", "a list"),
    ("combinations = [3]", "combinations", "[[combinations]]"),
    ("[[combinations]]", "combinations[1].variables", "does not say"),
    ("[[combinations]]\nvariables = []", "combinations[1].variables", "at least one"),
    ("[[combinations]]\nvariables = ['A', 'A']", "combinations[1].variables", "twice"),
    ("[[combinations]]\nvariables = ['A', 3]", "combinations[1].variables", "list of texts"),
    ("[[combinations]]\nvariables = 'A'", "combinations[1].variables", "a list"),
    ("[[combinations]]\nvariables=['A']\n[[combinations]]\nvariables=['B']\nk = true", "combinations[2].k", "whole"),
    ("[[combinations]]\nvariables=['A']\ncount_threshold = 1.0", "combinations[1].count_threshold", "whole number"),
    ("[[combinations]]\nvariables=['A']\ncount_threshold = -1", "combinations[1].count_threshold", ">= 0"),
    ("[[combinations]]\nvariables=['A']\nalpha = 1.5", "combinations[1].alpha", "<= 1"),
    ("[[combinations]]\nvariables=['A']\nalpha = nan", "combinations[1].alpha", "nan"),
    ("[[combinations]]\nvariables=['A']\nmissing_rule = 'observd'", "combinations[1].missing_rule", '"observed"'),
    ("[threshold]\nindividual_risk = 0", "threshold.individual_risk", "> 0"),
    ("[threshold]\nreidentification_rate = 1.25", "threshold.reidentification_rate", "1.25"),
    ("[threshold]\nunsafe_records = 4.0", "threshold.unsafe_records", "whole number"),
    ("[threshold]\nunsafe_records = -4", "threshold.unsafe_records", "-4"),
    ("[variables.A]\nidentification_level = 6", "variables.A.identification_level", "0 .. 5"),
    ("[variables.A]\nsuppression_weight = 101", "variables.A.suppression_weight", "0 .. 100"),
    ("[variables.A]\nsuppressible = 1", "variables.A.suppressible", "true or false"),
    ("[variables.A]\nrole = 'key'", "variables.A.role", "direct-identifier"),
    ("[[recodes]]\ntruncate = 1", "recodes[1].variable", "does not say"),
    ("[[recodes]]\nvariable='A'\ntruncate = 0", "recodes[1].truncate", ">= 1"),
    ("[[numeric]]\nvariable='A'\ntop = {at = 1}", "numeric[1].top.replacement", "does not say"),
    ("[[numeric]]\nvariable='A'\nnoise = inf", "numeric[1].noise", "inf"),
    ("[[measures]]\nvariables=['A']", "measures[1].kind", "does not say"),
    ("[[measures]]\nkind='sudda'\nvariables=['A']", "measures[1].kind", 'Did you mean "suda"?'),
    ("[[measures]]\nkind='frequencies'\nvariables=['A']\nc = 3", "measures[1].c", "unknown key"),
    ("[report]\nvariant = 'secret'", "report.variant", "internal | external"),
    ("[output]\nseed = -1", "output.seed", ">= 0"),
]


@pytest.mark.parametrize(("text", "key", "says"), REFUSED)
def test_what_a_recipe_cannot_say_is_refused_by_its_key(text: str, key: str, says: str) -> None:
    with pytest.raises(RecipeError) as caught:
        parse(f"recipe = 1\n{text}\n", FOLDER)
    assert caught.value.values["key"] == key
    assert key in str(caught.value)
    assert says in str(caught.value)


def test_a_syntax_error_names_the_line() -> None:
    with pytest.raises(RecipeError, match="line 3, column"):
        parse("recipe = 1\n[output]\nshuffle = yes\n", FOLDER)


def test_the_format_version_is_required_and_a_newer_one_refused() -> None:
    with pytest.raises(RecipeError, match="does not say recipe"):
        parse("[input]\n", FOLDER)
    with pytest.raises(RecipeError, match="recipe = 2, but this program knows only up to recipe = 1"):
        parse("recipe = 2\nnew_section = 3", FOLDER)


@pytest.mark.parametrize("key", ["threshold.individual_risk", "numeric[1].round"])
def test_a_number_beyond_all_floating_point_numbers_is_refused_by_its_key(key: str) -> None:
    huge = "9" * 400
    section = {"threshold.individual_risk": "[threshold]", "numeric[1].round": "[[numeric]]\nvariable = 'A'"}[key]
    with pytest.raises(RecipeError) as caught:
        parse(f"recipe = 1\n{section}\n{key.rpartition('.')[2]} = {huge}\n", FOLDER)
    assert caught.value.values["key"] == key


@pytest.mark.parametrize(("key", "largest"), [("k", 2**31 - 1), ("count_threshold", 2**63 - 1)])
def test_whole_numbers_beyond_the_largest_are_refused_by_their_key(key: str, largest: int) -> None:
    text = "recipe = 1\n[[combinations]]\nvariables = ['A']\n"
    assert getattr(parse(f"{text}{key} = {largest}\n", FOLDER).combinations[0], key) == largest
    with pytest.raises(RecipeError, match=rf"combinations\[1\].{key} is {largest + 1}, but must be"):
        parse(f"{text}{key} = {largest + 1}\n", FOLDER)


def test_more_records_under_a_key_than_any_file_has_are_refused() -> None:
    text = "recipe = 1\n[suppression]\nleast_records = {}\n"
    assert parse(text.format(2**31 - 1), FOLDER).suppression.least_records == 2**31 - 1
    with pytest.raises(RecipeError, match=r"suppression\.least_records is 2147483648, but must be 1 \.\. 2147483647"):
        parse(text.format(2**31), FOLDER)


@pytest.mark.parametrize(
    ("value", "says"), [("9" * 5000, "too many digits"), ("[" * 5000 + "]" * 5000, "nested too deeply")]
)
def test_a_value_beyond_what_can_be_read_is_refused(value: str, says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        parse(f"recipe = 1\n[threshold]\nunsafe_records = {value}\n", FOLDER)


def test_key_of_very_many_parts_is_refused() -> None:
    with pytest.raises(RecipeError, match="cannot be read: the key in line 2 has more than 16 parts"):
        parse(f"recipe = 1\n{'.'.join(['a'] * 40_000)} = 1", FOLDER)


@pytest.mark.parametrize("line", ["recipe", "recipe = 1\n[[scenarios]]\nname = 'A'\nvariables = ['B']\nyear"])
def test_hexadecimal_number_of_very_many_digits_is_refused(line: str) -> None:
    with pytest.raises(RecipeError, match="a number of too many digits"):
        parse(f"{line} = 0x{'f' * 5000}", FOLDER)


@pytest.mark.parametrize("name", ["idna", "punycode", "unicode_escape", "rot13", "zip", "mbcs", "klingon", "a\\u0000"])
def test_encoding_that_is_no_charset_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(RecipeError, match=r"input\.encoding is .*, but must be one of these: utf-8, utf-16, ascii"):
        parse(f'recipe = 1\n[input]\nencoding = "{name}"', FOLDER)


def test_effort_beyond_a_thousand_usual_searches_is_refused() -> None:
    text = "recipe = 1\n[suppression]\neffort = {}\n"
    assert parse(text.format(1_000_000), FOLDER).suppression.effort == 1_000_000
    with pytest.raises(RecipeError, match=r"suppression\.effort is 1000001, but must be 0 \.\. 1000000"):
        parse(text.format(1_000_001), FOLDER)


def test_load_takes_paths_from_the_recipes_folder_and_accepts_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.pavo"
    path.write_bytes('\ufeffrecipe = 1\r\n[input]\r\ndata = "d.asc"\r\n'.encode())
    assert load(path).input.data == tmp_path.resolve() / "d.asc"


def test_load_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"none\.pavo cannot be read"):
        load(tmp_path / "none.pavo")
    (tmp_path / "latin.pavo").write_bytes(b"recipe = 1\n# caf\xe9\n")
    with pytest.raises(RecipeError, match="UTF-8: line 2"):
        load(tmp_path / "latin.pavo")


def test_retired_mode_is_refused_with_those_to_take(tmp_path: Path) -> None:
    path = tmp_path / "old.pavo"
    path.write_text("recipe = 1\n[suppression]\nmode = 'released-counts'\nmax_per_record = 2\n", encoding="utf-8")
    with pytest.raises(RecipeError, match=r'old\.pavo: suppression\.mode = "released-counts" is no longer') as caught:
        load(path)
    assert '"released-keys"' in caught.value.advice and '"original-counts"' in caught.value.advice


@pytest.mark.parametrize("mode", ["original-counts", "released-keys"])
def test_setting_of_the_retired_mode_is_read_where_it_said_one(mode: str) -> None:
    text = f"recipe = 1\n[suppression]\nmode = '{mode}'\n"
    assert parse(text + "max_per_record = 1\n", FOLDER) == parse(text, FOLDER)
    with pytest.raises(RecipeError, match=r"suppression\.max_per_record = 2 is no longer offered"):
        parse(text + "max_per_record = 2\n", FOLDER)


@pytest.mark.parametrize("scheme", ["\n" * 200_000, "<CODELIST> a" + " " * 200_000 + "b", "<CODELIST>" + " " * 200_000])
def test_scheme_of_very_many_empty_lines_is_read_at_once(scheme: str, tmp_path: Path) -> None:
    begin = time.perf_counter()
    parse(f'recipe = 1\n[[recodes]]\nvariable = "A"\nscheme = """{scheme}"""', tmp_path)
    assert time.perf_counter() - begin < 5


def test_a_codelist_named_by_an_inline_scheme_is_that_beside_the_recipe(tmp_path: Path) -> None:
    (tmp_path / "new.cdl").write_text("1,one\n", encoding="utf-8")
    text = "recipe = 1\n[[recodes]]\nvariable = 'A'\nscheme = \"1: 1-2\\n<codelist> new.cdl \"\n"
    assert parse(text, tmp_path).recodes[0].codelist == tmp_path / "new.cdl"
    assert parse(text, tmp_path / "elsewhere").recodes[0].codelist is None
    own = parse(text + "codelist = 'own.cdl'\n", tmp_path)
    assert own.recodes[0].codelist == tmp_path / "own.cdl"
