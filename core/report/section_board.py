"""The part of the report that a review board reads and signs: its questions with their answers, and the signatures."""

from __future__ import annotations

from ..base.texts import mark
from ..base.texts import translate as _
from .blocks import AnswerField, Block, Heading, Section, Text
from .facts import ReportInput
from .questions import groups
from .words import counted

ANSWER_LINES, SIGNATURE_LINES = 2, 1
SIGNED = (mark("Prepared by"), mark("Reviewed by"), mark("Approved by"))


def questions(given: ReportInput) -> Section:
    """What boards ask: the session's answer, the person's, and lines to write on where nobody answered yet."""
    answers, blocks, open_ = dict(given.details.answers), list[Block](), 0
    number = 0
    for title, asked in groups():
        blocks.append(Heading(_(title)))
        for question in asked:
            number += 1
            found = question.answer(given) if question.answer else None
            answer = answers.get(question.id, "")
            open_ += not answer
            lines = 0 if answer else ANSWER_LINES
            blocks.append(AnswerField(f"{number}. {_(question.text)}", found or "", answer, lines))
    said = _("What boards that review releases ask. Figures are those of this session; what they mean is for a person "
             "to say.")  # fmt: skip
    if open_:
        said += " " + counted(open_, "{n} answer is left to be written.", "{n} answers are left to be written.")
    return Section("questions", _("Questions of a review board"), (Text(said), *blocks))


def signatures(given: ReportInput) -> Section:
    """Lines for names, signatures and dates."""
    what = _("name, signature, date")
    blocks = tuple(AnswerField(f"{_(role)} ({what})", lines=SIGNATURE_LINES) for role in SIGNED)
    told = _("By signing, one confirms to have read the report, its warnings included.")
    if given.details.author:
        told = _("The report's author is {author}.").format(author=given.details.author) + " " + told
    return Section("signatures", _("Signatures"), (Text(told), *blocks))
