"""What the headers of the pages say, which step a page belongs to, and which pages go beside it."""

from __future__ import annotations

from dataclasses import dataclass

from core.base.texts import mark


@dataclass(frozen=True)
class PageText:
    """Title and one sentence; the step of the workflow it belongs to; pages that go with it; its committing button.

    `commits` : the button that takes over what was changed, before the next step is gone to.
    """

    title: str
    sentence: str
    step: str = ""
    goes_with: tuple[str, ...] = ()
    commits: str = ""


PAGES: dict[str, PageText] = {
    "overview": PageText(
        mark("Overview"), mark("How many records are unsafe through each variable, and through which of its codes?")
    ),
    "openMicrodata": PageText(mark("Data"), mark("Which file shall be made safe? It is only read."), "Data"),
    "specifyMetadata": PageText(
        mark("Metadata"), mark("What does each column hold, and what may happen to it?"), "Metadata", commits="accept"
    ),
    "selectCombinations": PageText(
        mark("Combinations"),
        mark("Which characteristics could somebody know about a person?"),
        "Combinations",
        commits="calculateTables",
    ),
    "riskChart": PageText(
        mark("Risk"),
        mark("How easily could somebody who knows these characteristics find a person in the file?"),
        "Risk",
        ("globalRecode", "makeProtectedFile"),
    ),
    "householdRiskChart": PageText(
        mark("Household risk"),
        mark("How easily could somebody find a household through one of its members?"),
        "Risk",
        ("riskChart", "globalRecode", "makeProtectedFile"),
    ),
    "globalRecode": PageText(
        mark("Recode"),
        mark("Fewer and broader codes make people harder to tell apart."),
        "Recode",
        ("riskChart", "showTables"),
    ),
    "makeProtectedFile": PageText(
        mark("Protect"),
        mark("Values are blanked until nobody is above the threshold; then the safe file is written and checked."),
        "Protect",
        ("globalRecode", "riskChart"),
    ),
    "report": PageText(mark("Report"), mark("What was done to the file, and what it came to."), "Report"),
    "showTables": PageText(
        mark("Tables"), mark("Every table with its unsafe cells."), goes_with=("globalRecode", "riskChart")
    ),
    "numericalVariables": PageText(
        mark("Numerical variables"), mark("Top and bottom codes, rounding, and noise on the weight."),
        goes_with=("browseData",),
    ),
    "perturb": PageText(
        mark("Perturb"),
        mark("Values changed at random, so that nobody can be sure of one: seen before and after, in this order."),
        goes_with=("browseData", "riskChart"),
        commits="applyPerturbation",
    ),
    "riskLaboratory": PageText(
        mark("Risk laboratory"),
        mark("What makes people rare, what gives values away, and what would somebody find? Try it on any variables."),
        goes_with=("browseData", "riskChart"),
    ),
    "keySets": PageText(
        mark("Key sets"),
        mark("Sets of key variables side by side."),
        goes_with=("riskLaboratory", "selectCombinations"),
    ),
    "findPlan": PageText(
        mark("Find a plan"),
        mark("Every way of coding the keys together: which loses least for the risk that stays?"),
        goes_with=("compare", "globalRecode"),
    ),
    "compare": PageText(mark("Compare"), mark("Kept alternatives of this session side by side.")),
    "reportDetails": PageText(mark("Report details"), mark("What the report says of the file and its maker.")),
    "memo": PageText(
        mark("Differences"),
        mark("What is new, gone or another since the last release, for those who approved that one."),
        goes_with=("report",),
    ),
    "history": PageText(mark("History"), mark("Every change is a step that can be gone back to.")),
    "profileCheck": PageText(
        mark("Profile"),
        mark("Does the safe file keep the rules of your office?"),
        goes_with=("browseData", "makeProtectedFile"),
    ),
    "utility": PageText(
        mark("Utility"),
        mark("What does the safe file still say, and what would you find with it?"),
        goes_with=("makeProtectedFile", "compare"),
    ),
    "browseData": PageText(mark("Records"), mark("The file as it was read.")),
    "browseSafeFile": PageText(mark("Safe file"), mark("The records as they were written, what was changed marked.")),
    "exportForSdcMicro": PageText(mark("Export for sdcMicro"), mark("The same session as a script for R.")),
    "exportForMuArgus": PageText(mark("Export for μ-ARGUS"), mark("The same session as a job for that program.")),
    "settings": PageText(mark("Settings"), mark("Remembered, and applied at once.")),
    "help": PageText(mark("Guide"), mark("How to work with Pavo, and what every figure means.")),
}  # fmt: skip

STEPS = ("Data", "Metadata", "Combinations", "Risk", "Recode", "Protect", "Report")


def text_of(name: str, title: str = "") -> PageText:
    """What is said of a page; of one without an entry here only its `title`."""
    return PAGES.get(name, PageText(title, ""))
