"""The catalogues of the languages: extracted from the sources, checked, split for translators, put together, compiled.

Run from the project's folder: ``python -m docs.catalogue``. `docs/development.md` says how a language is translated.
"""
