"""The language of the windows: texts, Qt's own texts, and how numbers and dates are written."""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from core.base.texts import use_language

_NAMES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
}


class _Spoken:
    named = False
    """Whether numbers are those of a language that was named, not those of the system."""
    translator: QTranslator | None = None


def own_name(language: str) -> str:
    """What a language calls itself; its code where that is not known."""
    return _NAMES.get(language) or QLocale(language).nativeLanguageName() or language


def speak(language: str) -> None:
    """Use this language from now on, what is open apart; empty: that of the system.

    Numbers and dates are those of the system where it speaks the language, else those of the language.
    """
    system = QLocale.system()
    if language:
        alike = QLocale(language).language() == system.language()
        QLocale.setDefault(system if alike else QLocale(language))
    elif _Spoken.named:
        QLocale.setDefault(system)
    _Spoken.named = bool(language)
    asked = language or QLocale().name()
    use_language(asked)
    _use_texts_of_qt(asked)


def _use_texts_of_qt(language: str) -> None:
    app = QApplication.instance()
    if app is None:
        return
    if _Spoken.translator is not None:
        app.removeTranslator(_Spoken.translator)
        _Spoken.translator = None
    translator = QTranslator(app)
    if translator.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)
        _Spoken.translator = translator
