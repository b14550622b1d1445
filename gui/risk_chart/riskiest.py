"""The riskiest combinations under a risk chart, in pages of a thousand: values with labels, f, F, risk, records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from core.base.progress import SILENT, Progress
from core.base.texts import translate
from gui import numbers
from gui.document.document import Document
from gui.document.tasks import stopped
from gui.shared.labels import ElidedLabel
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column

if TYPE_CHECKING:
    from core.risk.riskiest import Riskiest
    from core.session import Results, RiskTable


def riskiest_columns(derived: Results, table: RiskTable, page: Riskiest, decimals: int) -> list[Column]:
    """Columns for the cells of a page; the first numbers them and is the key of a row."""
    cells, shown = table.cells, page.cells
    columns = [Column(translate("#"), list(range(1, len(shown) + 1)), numbers.format_count, number=True)]
    for key, name in enumerate(cells.variables):
        columns.append(Column(name, [_value(derived, name, int(code)) for code in cells.codes[key][shown]]))
    columns += [
        Column(
            translate("f"), cells.f[shown], _frequency, True, translate("Records in the file that count for this one")
        ),
        Column(
            translate("F"),
            cells.F[shown],
            _frequency,
            True,
            translate("The same in the population, estimated by weights"),
        ),
        Column(translate("risk"), table.risk[shown], lambda risk: numbers.format_number(risk, decimals), True),
        Column(translate("records"), cells.count[shown], numbers.format_count, True),
    ]
    if table.promise is not None:
        text = translate("Judged by: the risk that is reached with a chance of {chance} %")
        tip = text.format(chance=numbers.format_exact(100.0 * table.promise.exceedance))
        upper = table.judged_risk[shown]
        judged = Column(translate("judged by"), upper, lambda risk: numbers.format_number(risk, decimals), True, tip)
        columns.insert(-1, judged)
    return columns


def _frequency(value: float) -> str:
    return numbers.format_exact(round(float(value), 2))


def _value(derived: Results, name: str, code: int) -> str:
    column = derived.columns[name]
    if code >= column.n_valid:
        return translate("missing")
    text = column.codes[code]
    label = derived.labels.get(name, {}).get(text, "")
    return f"{text} {label}".strip() or translate("(empty)")


PAGE = 1000
_SETTLE_MS = 150


def _find(table: RiskTable, threshold: float | None, limit: int, progress: Progress = SILENT) -> Riskiest:
    from core.risk.riskiest import riskiest

    return riskiest(table.cells, table.judged_risk, threshold, 0, limit, progress)


def _helps_most(table: RiskTable, cell: int, progress: Progress = SILENT) -> str:
    from core.risk.riskiest import risk_without

    risks = risk_without(table.cells, cell, table.combination.estimator, table.judged_margins, progress)
    return min(risks, key=lambda name: risks[name]) if risks else ""


class RiskiestPanel(QWidget):
    """Table `riskiestCombinations`; double-click asks for the recode that helps a combination most.

    Signals
    -------
    recode_wanted(str)
        The variable whose recode would lower this combination's risk most.
    """

    recode_wanted = Signal(str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._derived: Results | None = None
        self._table: RiskTable | None = None
        self._threshold: float | None = None
        self._limit = PAGE
        self._page: Riskiest | None = None
        self._decimals = 5
        self.view = DataTable("riskiestCombinations")
        self.view.activated.connect(self._wanted)
        self.summary = ElidedLabel(objectName="riskiestSummary")
        self.more = QPushButton(translate("Show &more"), objectName="riskiestMore")
        self.more.clicked.connect(self._show_more)
        self.more.hide()
        self.view.view.setAccessibleName(translate("Riskiest combinations"))
        self.view.title.hide()
        self.view.head.insertWidget(0, self.summary, 1)
        self.view.head.insertWidget(1, self.more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view, 1)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._ask)

    def show_for(self, derived: Results | None, table: RiskTable | None, threshold: float | None) -> None:
        """Show the cells of `table` at or above the threshold, once it has settled."""
        same = self._table is not None and table is not None and table.judged_risk is self._table.judged_risk
        if not same:
            self._limit, self._page = PAGE, None
        if same and threshold == self._threshold and derived is not None and self._same_values(derived):
            return
        self._derived, self._table, self._threshold = derived, table, threshold
        if table is None:
            self._settle.stop()
            self.view.set_columns([])
            self.summary.clear()
            self.more.hide()
            return
        self._settle.start()
        if self._page is None:
            self.settle()

    def settle(self) -> None:
        """Take the threshold as settled: nothing is being dragged."""
        if self._settle.isActive():
            self._settle.stop()
            self._ask()

    def _same_values(self, derived: Results) -> bool:
        """Whether codes and labels are those shown."""
        return (
            self._derived is not None
            and derived.columns == self._derived.columns
            and (derived.labels == self._derived.labels)
        )

    def set_decimals(self, decimals: int) -> None:
        """Decimals shown of a risk."""
        self._decimals = decimals
        if self._page is not None:
            self._show(self._page)

    def _show_more(self) -> None:
        self._limit += PAGE
        self._ask()

    def _ask(self) -> None:
        table = self._table
        if table is not None:
            self._document.compute(
                "riskiest combinations", _find, table, self._threshold, self._limit,
                done=lambda page: self._arrived(table, page), cancelled=self._stopped,
            )  # fmt: skip

    def _stopped(self) -> None:
        """Nothing is known of the threshold shown; asked for again where the table is shown again."""
        self.show_for(None, None, None)
        self.summary.setText(str(stopped()))

    def _arrived(self, table: RiskTable, page: Riskiest) -> None:
        if table is not self._table:
            return
        self._page = page
        self._show(page)
        shown = len(page.cells)
        self.summary.setText(
            translate("{total} combinations at or above the threshold, {records} records").format(
                total=numbers.format_count(page.total), records=numbers.format_count(page.records)
            )
            + (
                translate("; the first {shown} shown").format(shown=numbers.format_count(shown))
                if shown < page.total
                else ""
            )
        )
        self.more.setVisible(shown < page.total)

    def _show(self, page: Riskiest) -> None:
        if self._derived is not None and self._table is not None:
            self.view.set_columns(riskiest_columns(self._derived, self._table, page, self._decimals))

    def _wanted(self, rank: int) -> None:
        if self._table is not None and self._page is not None:
            self._document.compute(
                "recode that helps most", _helps_most, self._table, int(self._page.cells[rank - 1]),
                done=self._found,
            )  # fmt: skip

    def _found(self, variable: str) -> None:
        if variable:
            self.recode_wanted.emit(variable)
