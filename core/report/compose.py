"""The report from its input: which parts, in which order."""

from __future__ import annotations

from core.base.texts import translate as _
from core.report import sections_changes as changes
from core.report import sections_data as data
from core.report import sections_risk as risk
from core.report.blocks import ReportData
from core.report.external import for_outsiders
from core.report.facts import ReportInput
from core.report.opening import summary
from core.report.words import records


def compose(given: ReportInput) -> ReportData:
    """The release report.

    Parameters
    ----------
    given : ReportInput
        Plain values; what is None or empty leaves its line or part out. The external variant holds nothing of the
        original that the safe file does not: see `core.report.external`.

    Returns
    -------
    ReportData
        Sections in the order a μ-ARGUS report has them, risk before and after added.
    """
    if given.external:
        given = for_outsiders(given)
    parts = (
        data.files(given),
        data.identifying_variables(given),
        data.frequency_tables(given),
        data.related(given),
        data.recodings(given),
        risk.base_risk(given),
        risk.k_profile(given),
        risk.measures(given),
        changes.modifications(given),
        changes.suppression(given),
        changes.warnings(given),
        changes.verification(given),
        data.layout(given),
        data.recipe(given),
        data.program(given),
        data.terms(given),
    )
    return ReportData(
        title=given.details.title or _("Release report"),
        subtitle=_subtitle(given),
        created=_("Created {when}").format(when=data.created_text(given)),
        language=given.language,
        details=_details(given),
        summary=summary(given),
        sections=tuple(part for part in parts if part is not None),
        footer=_("Made with {program} {version}.").format(program=given.program, version=given.version),
        contents_title=_("Contents"),
        summary_title=_("In short"),
    )


def _subtitle(given: ReportInput) -> str:
    by_role = {file.role: file.path.name for file in given.files}
    name = by_role.get("safe-data") or by_role.get("data")
    if not name:
        return _("Statistical disclosure control report")
    told = _("Statistical disclosure control report for {name}, {records}")
    return told.format(name=name, records=records(given.records))


def _details(given: ReportInput) -> tuple[tuple[str, str], ...]:
    details = given.details
    external = _("external: nothing of the original that the safe file does not hold")
    rows = (
        (_("Institution"), details.institution),
        (_("Author"), details.author),
        (_("Type of release"), details.release_type),
        (_("Remarks"), details.remarks),
        (_("Variant"), external if given.external else _("internal")),
    )
    return tuple((name, value) for name, value in rows if value)
