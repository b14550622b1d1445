"""DDI-Codebook 2.5 of the safe file, for archives and catalogues of data (DDI Alliance 2012)."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree as ET

from .. import __version__
from ..base.texts import language_in_use, language_of_outputs
from ..base.texts import translate as _
from ..recipe.model import Report
from .described import DescribedCode, DescribedFile, DescribedVariable

NAMESPACE = "ddi:codebook:2_5"
SCHEMA = "https://ddialliance.org/Specification/DDI-Codebook/2.5/XMLSchema/codebook.xsd"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that no XML text may hold (XML 1.0, production 2)."""
_LANGUAGE = re.compile("[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*")
"""A language that ``xml:lang`` may name (XML Schema Part 2, 3.3.3)."""

FORMATS = {
    "fixed": "text/plain; fixed fields",
    "delimited": "text/csv",
    "spss": "SPSS system file",
    "stata": "Stata file",
    "sas": "SAS transport file",
    "parquet": "Parquet file",
    "excel": "Excel workbook",
}


def ddi_text(file: DescribedFile, details: Report, date: str) -> str:
    """The codebook, in the language that the report says, else in that of the program.

    Parameters
    ----------
    details : title, institution, author and remarks
    date : of production, ``YYYY-MM-DD``
    """
    language = (details.language or language_of_outputs()).replace("_", "-")
    with language_in_use(language, grouped=False):
        return _codebook(file, details, date, language)


def _codebook(file: DescribedFile, details: Report, date: str, language: str) -> str:
    root = ET.Element(
        "codeBook",
        {"xmlns": NAMESPACE, "xmlns:xsi": _XSI, "xsi:schemaLocation": f"{NAMESPACE} {SCHEMA}", "version": "2.5"},
    )
    if _LANGUAGE.fullmatch(language):
        root.set("xml:lang", language)
    _study(root, file, details, date)
    _file(root, file)
    data = ET.SubElement(root, "dataDscr")
    for number, each in enumerate(file.variables, 1):
        _variable(data, number, each, file.layout.format == "fixed")
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _study(root: ET.Element, file: DescribedFile, details: Report, date: str) -> None:
    study = ET.SubElement(root, "stdyDscr")
    citation = ET.SubElement(study, "citation")
    _text(ET.SubElement(citation, "titlStmt"), "titl", details.title or file.name or _("Protected file"))
    if details.author:
        _text(ET.SubElement(citation, "rspStmt"), "AuthEnty", details.author)
    production = ET.SubElement(citation, "prodStmt")
    if details.institution:
        _text(production, "producer", details.institution)
    _text(production, "prodDate", date, date=date)
    _text(production, "software", "Pavo", version=__version__)
    if details.remarks:
        _text(ET.SubElement(study, "stdyInfo"), "abstract", details.remarks)
    weight = file.layout.weight
    if weight is not None:
        _text(ET.SubElement(ET.SubElement(study, "method"), "dataColl"), "weight", weight.name)
    told = _("This file was made by statistical disclosure control; what was done is said with each variable.")
    _note(study, told)


def _file(root: ET.Element, file: DescribedFile) -> None:
    text = ET.SubElement(ET.SubElement(root, "fileDscr", ID="F1"), "fileTxt")
    if file.name:
        _text(text, "fileName", file.name)
    size = ET.SubElement(text, "dimensns")
    _text(size, "caseQnty", str(file.records))
    _text(size, "varQnty", str(len(file.variables)))
    attributes = {"charset": file.layout.encoding} if file.layout.format in ("fixed", "delimited") else {}
    _text(text, "fileType", FORMATS[file.layout.format], **attributes)


def _variable(data: ET.Element, number: int, each: DescribedVariable, fixed: bool) -> None:
    variable = each.variable
    element = ET.SubElement(data, "var", ID=f"V{number}", name=_clean(variable.name), files="F1")
    if variable.decimals:
        element.set("dcml", str(variable.decimals))
    element.set("intrvl", "contin" if variable.numeric and not variable.categorical else "discrete")
    if variable.role == "weight":
        element.set("wgt", "wgt")
    if fixed:
        end = variable.start + variable.length - 1
        place = {"StartPos": str(variable.start), "EndPos": str(end), "width": str(variable.length)}
        ET.SubElement(element, "location", place)
    if variable.label:
        _text(element, "labl", variable.label)
    _invalid(element, each)
    for category in each.categories:
        _category(element, category)
    ET.SubElement(element, "varFormat", type="numeric" if variable.numeric else "character")
    for sentence in each.done:
        _note(element, sentence)


def _invalid(element: ET.Element, each: DescribedVariable) -> None:
    codes = [code for code in each.variable.missing if code]
    if codes or each.variable.missing_ranges:
        invalid = ET.SubElement(element, "invalrng")
        for code in codes:
            ET.SubElement(invalid, "item", VALUE=_clean(code))
        for low, high in each.variable.missing_ranges:
            bounds = {name: bound for name, bound in (("min", low), ("max", high)) if math.isfinite(bound)}
            made = ET.SubElement(invalid, "range", {name: f"{bound:.17g}" for name, bound in bounds.items()})
            if not all(bound.is_integer() for bound in bounds.values()):
                made.set("UNITS", "REAL")  # INT is what the schema takes where nothing is said


def _category(element: ET.Element, category: DescribedCode) -> None:
    made = ET.SubElement(element, "catgry")
    if category.missing:
        made.set("missing", "Y")
    _text(made, "catValu", category.code)
    if category.label:
        _text(made, "labl", category.label)
    if category.records is not None:
        _text(made, "catStat", str(category.records), type="freq")


def _note(parent: ET.Element, text: str) -> None:
    _text(parent, "notes", text, subject="Statistical disclosure control")


def _text(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    element = ET.SubElement(parent, tag, attributes)
    element.text = _clean(text)


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
