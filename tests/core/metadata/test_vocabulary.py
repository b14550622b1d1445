"""The vocabulary: the shipped one, and damaged ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.errors import MetadataError
from core.data.variables import Variable
from core.metadata import vocabulary as module
from core.metadata.guess_use import is_key
from core.metadata.vocabulary import FILE, read_vocabulary, vocabulary

SHIPPED = FILE.read_text("utf-8")


def damaged(folder: Path, text: str) -> str:
    file = folder / "vocabulary.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(MetadataError) as caught:
        read_vocabulary(file)
    return str(caught.value)


def test_the_shipped_vocabulary_says_what_every_idea_is_called():
    words = vocabulary()
    assert words.names["weight"].search("sample_wgt")
    assert not words.names["household_id"].search("hhides")
    assert "leeftijd" in words.keys["age"] and "agegroup" in words.keys["age"]
    assert words.amounts["income"] == words.sensitive["income"]


def test_an_added_word_is_found(tmp_path, monkeypatch):
    file = tmp_path / "vocabulary.toml"
    file.write_text(SHIPPED.replace('nationality = ["nationality"', 'nationality = ["kansalaisuus", "nationality"'))
    monkeypatch.setattr(module, "FILE", file)
    vocabulary.cache_clear()
    try:
        found = is_key(Variable("KANSALAISUUS"), None, {})
    finally:
        vocabulary.cache_clear()
    assert found is not None and "nationality" in found.text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[names]", "[names", "cannot be read"),
        ('region = ["region"', 'regions = ["region"', "places.region is missing"),
        ("[amounts]", '[colours]\nred = ["red"]\n[amounts]', "colours is not known"),
        (
            'dwelling = ["roof", "walls"]',
            'dwelling = ["roof", "(walls"]',
            "told.dwelling has a word that is no regular",
        ),
        ('dwelling = ["roof", "walls"]', 'dwelling = "roof"', "told.dwelling is no list of words"),
        ('dwelling = ["roof", "walls"]', "dwelling = []", "told.dwelling is no list of words"),
        ('dwelling = ["roof", "walls"]', 'dwelling = ["Roof"]', "not in lower case: Roof"),
        ('dwelling = ["roof", "walls"]', 'dwelling = ["roof"]\ncaravan = ["caravan"]', "told.caravan is not known"),
    ],
)
def test_a_damaged_vocabulary_is_refused_by_its_place(tmp_path, old, new, said):
    assert old in SHIPPED
    assert said in damaged(tmp_path, SHIPPED.replace(old, new))


def test_a_section_that_is_none_and_a_file_that_is_not_there(tmp_path):
    assert "names is missing" in damaged(tmp_path, "")
    assert "names is no section" in damaged(
        tmp_path,
        "names = 1\n"
        + SHIPPED.replace("[names]", "[other]").split("[other]")[0]
        + "places=1\nvisible=1\ntold=1\nsensitive=1\namounts=1\n",
    )
    with pytest.raises(MetadataError, match="cannot be read"):
        read_vocabulary(tmp_path / "none.toml")
