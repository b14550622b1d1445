"""The vocabulary: the shipped one, and damaged ones."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from core.base.errors import MetadataError
from core.data.variables import Variable
from core.metadata import vocabulary as module
from core.metadata.guess_use import is_key, key_level, says_none
from core.metadata.vocabulary import FILE, folded, pattern, read_vocabulary, vocabulary

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
    assert "leeftijd" in words.keys["age"] and "age group" in words.keys["age"]
    assert words.amounts["income"] == words.sensitive["income"]


def test_a_label_says_that_there_is_none():
    none = ["No job", "Not working", "not applicable", "Trifft nicht zu", "Ohne Beruf", "Sans emploi", "N.v.t."]
    assert all(says_none(label) for label in none)
    assert not any(says_none(label) for label in ("Nun", "Job centre clerk", "Canoeist", "Working", ""))


TRUE = {
    "English": {
        "sex": "SEX Gender sex_2", "age": "age AgeGroup AGE_CLASS", "date of birth": "DateOfBirth dob YearOfBirth",
        "marital status": "MarStat civil_status", "nationality": "Citizenship", "region": "region2 NUTS3",
        "municipality": "Municipality", "place of residence": "place_of_residence", "postal code": "ZIP",
        "occupation": "ISCO08", "income": "salary", "health": "Disability",
    },
    "German": {
        "sex": "Geschlecht", "age": "Alter Altersgruppe", "date of birth": "Geburtsdatum GEB_DAT Geburtsjahr",
        "marital status": "Familienstand Zivilstand", "nationality": "Nationalität Staatsangehörigkeit NATIONALITAET",
        "state": "Bundesland Kanton", "municipality": "Gemeinde", "place of residence": "Wohnort",
        "postal code": "PLZ Postleitzahl", "occupation": "Beruf", "country of birth": "Geburtsland",
        "size of the household": "Haushaltsgröße Haushaltsgroesse", "income": "Einkommen", "health": "Krankheit",
        "wealth": "Vermögen", "labour status": "Erwerbstätigkeit",
    },
    "French": {
        "sex": "sexe GENRE", "age": "Âge TrancheD_Age", "date of birth": "DateNaissance Année_de_naissance",
        "marital status": "État_civil EtatCivil ETAT_MATRIMONIAL", "nationality": "Nationalité NATIONALITE",
        "region": "Région", "province": "Département", "municipality": "Commune", "postal code": "CodePostal",
        "place of residence": "Lieu_de_résidence", "country of birth": "Pays_de_naissance", "occupation": "Métier",
        "education": "Diplôme", "income": "Revenu salaires", "health": "Santé",
        "size of the household": "TailleDuMénage",
    },
    "Italian": {
        "sex": "Sesso", "age": "Età CLASSE_DI_ETA", "date of birth": "DataDiNascita", "marital status": "StatoCivile",
        "nationality": "Cittadinanza", "region": "Regione", "province": "PROVINCIA", "municipality": "Comune",
        "place of residence": "Residenza Città", "country of birth": "paese_di_nascita", "occupation": "Professione",
        "education": "TitoloDiStudio", "income": "Reddito", "health": "Malattia",
        "labour status": "condizione_professionale",
    },
    "Spanish": {
        "sex": "Sexo Género", "age": "Edad grupo_de_edad", "date of birth": "FechaDeNacimiento AÑO_DE_NACIMIENTO",
        "marital status": "EstadoCivil", "nationality": "Nacionalidad", "region": "Región",
        "province": "Provincia CCAA",
        "municipality": "Municipio", "place of residence": "Localidad", "postal code": "Código_Postal",
        "country of birth": "PaisDeNacimiento", "occupation": "Ocupación", "education": "nivel_de_estudios",
        "income": "Ingresos", "health": "Enfermedad", "size of the household": "TamañoDelHogar",
    },
    "Dutch": {
        "sex": "Geslacht", "age": "Leeftijd leeftijdsklasse", "date of birth": "Geboortedatum geboortejaar",
        "marital status": "BurgerlijkeStaat BURGST", "nationality": "Nationaliteit", "region": "Regio",
        "province": "Provincie", "municipality": "Gemeente GEM_2020", "place of residence": "Woonplaats",
        "country of birth": "GeboorteLand", "occupation": "Beroep", "education": "Opleidingsniveau",
        "income": "Inkomen", "health": "Ziekte",
    },
}  # fmt: skip
FALSE = {
    "English": "Sexton Unisex Manager Stage Wagering Regional Statement Homecoming Township Pageviews Partying",
    "German": "Alternative Alterung Regiebetrieb Gemeindeblatt Berufung Geschlechterrolle Kreisel Orthographie",
    "French": "Sexagésime Étage Passage Communes_voisines Régisseur Étatique Communément Salariés Nationalisme",
    "Italian": "Etanolo Sessione Comunella Registro Paesaggio Redditizio Cittadella Nascituro",
    "Spanish": "Edadismo Sexenio Generoso Municipalizado Provincialismo Ingresado Localizador Regionalismo",
    "Dutch": "Leeftijdloos Gemeenteraad Regisseur Beroepsverbod Taalfout Stadion Plaatsing Geslachtsnaam",
}
OTHERS = {
    "weight": "Poids GEWICHT Peso Ponderación FactorDeExpansion Hochrechnungsfaktor wegingsfactor pond_fin",
    "household_id": "HHID Ménage idHogar Haushaltsnummer huishoudnr ID_Famiglia",
    "identifier": "Nombre Prénom Cognome Achternaam Straße CodiceFiscale",
    "day": "Fecha Datum date_d_enquête",
    "remark": "Observaciones Bemerkungen Osservazioni Remarques Opmerking",
}


def idea_of(name: str) -> str:
    """The idea that a variable's name says, of keys and what is sensitive."""
    known = vocabulary()
    texts = folded(name)
    found = [
        idea
        for idea, words in {**known.keys, **known.sensitive}.items()
        if any(pattern(*words).search(text) for text in texts)
    ]
    return found[0] if found else ""


@pytest.mark.parametrize("language", TRUE)
def test_names_of_a_language_are_known(language: str) -> None:
    wrong = {name: found for idea, names in TRUE[language].items() for name in names.split()
             if (found := idea_of(name)) != idea}  # fmt: skip
    assert wrong == {}
    told = {name: idea_of(name) for name in FALSE[language].split()}
    assert not any(told.values()), told


def test_what_variables_are_for_is_known_by_name() -> None:
    known = vocabulary().names
    lacking = {
        name for use, names in OTHERS.items() for name in names.split()
        if not any(known[use].search(text) for text in folded(name))
    }  # fmt: skip
    assert lacking == set()
    assert not known["identifier"].search(folded("Nombre d'enfants")[1])


def test_accents_may_be_apart_from_their_letters_and_come_first_in_a_label() -> None:
    assert idea_of(unicodedata.normalize("NFD", "État civil")) == "marital status"
    assert key_level(Variable("Q1", label="Région de résidence")) == 1
    assert key_level(Variable("Pays de naissance")) == 3
    assert is_key(Variable("Q2", label="State of health"), None, {}) is None


def test_an_added_word_is_found(tmp_path, monkeypatch):
    file = tmp_path / "vocabulary.toml"
    file.write_text(SHIPPED.replace('"nationality",', '"kansalaisuus", "nationality",'), "utf-8")
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
        + "places=1\nvisible=1\ntold=1\nsensitive=1\namounts=1\nlabels=1\n",
    )
    with pytest.raises(MetadataError, match="cannot be read"):
        read_vocabulary(tmp_path / "none.toml")
