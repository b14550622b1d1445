"""Formulas of regressions, as a recipe says them: ``INCOME ~ AGE + SEX``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ..base.errors import RecipeError
from ..base.texts import mark

_TOKEN = re.compile(
    r"""(?x) \s* (?:
    (?P<category> C \s* \( )
  | ` (?P<quoted> [^`]+ ) `
  | (?P<sign> [~+:*)] )
  | (?P<name> [^\s~+:*()`\-^|/%&=<>!,;"']+ )
  | (?P<other> \S )
)"""
)
_PLAIN = re.compile(r"""[^\s~+:*()`\-^|/%&=<>!,;"'0-9][^\s~+:*()`\-^|/%&=<>!,;"']*""")


@dataclass(frozen=True)
class Factor:
    """A variable in a formula; `category`: its codes count as categories, though they are numbers."""

    variable: str
    category: bool = False

    def __str__(self) -> str:
        name = self.variable if _PLAIN.fullmatch(self.variable) else f"`{self.variable}`"
        return f"C({name})" if self.category else name


@dataclass(frozen=True)
class ModelFormula:
    """A regression.

    Attributes
    ----------
    response : the variable on the left side
    terms : each one factor, or several whose product it is; the intercept is always there besides
    """

    response: Factor
    terms: tuple[tuple[Factor, ...], ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables, the one on the left side first."""
        named = (factor.variable for term in self.terms for factor in term)
        return tuple(dict.fromkeys((self.response.variable, *named)))

    def renamed(self, new: Callable[[str], str]) -> ModelFormula:
        """The same with other names of variables."""
        terms = tuple(tuple(Factor(new(f.variable), f.category) for f in term) for term in self.terms)
        return ModelFormula(Factor(new(self.response.variable), self.response.category), terms)

    def __str__(self) -> str:
        return f"{self.response} ~ {' + '.join(':'.join(map(str, term)) for term in self.terms) or '1'}"


def parse_formula(text: str, key: str) -> ModelFormula:
    """The regression that `text` says: ``y ~ a + b + a:b``, or ``y ~ a*b`` for the same; ``y ~ 1`` is a mean.

    Names with blanks or signs stand between backticks; ``C(a)`` takes numbers as categories.

    Parameters
    ----------
    key : path of the entry in the recipe, which errors name

    Raises
    ------
    RecipeError
        ``model-formula``: what is wrong, and where.
    """
    tokens = list(_tokens(text, key))
    tildes = [place for place, token in enumerate(tokens) if token == "~"]
    if len(tildes) != 1:
        raise _refused(text, key, mark("it needs one ~, between the variable explained and those that explain it"))
    left, right = tokens[: tildes[0]], tokens[tildes[0] + 1 :]
    if len(left) != 1 or not isinstance(left[0], Factor):
        raise _refused(text, key, mark("one variable has to stand before the ~"))
    terms = dict.fromkeys(term for part in _split(right, "+") for term in _products(part, text, key))
    if any(left[0].variable == factor.variable for term in terms for factor in term):
        raise _refused(text, key, mark("the variable explained stands on both sides"))
    return ModelFormula(left[0], tuple(sorted(terms, key=len)))


def _tokens(text: str, key: str) -> Iterator[Factor | str]:
    """Factors and the signs between them."""
    found = list(_TOKEN.finditer(text))
    place = 0
    while place < len(found):
        match = found[place]
        if match["category"]:
            inside, end = found[place + 1 : place + 3], found[place + 2 : place + 3]
            name = (inside[0]["quoted"] or inside[0]["name"]) if inside else None
            if not name or not end or end[0]["sign"] != ")":
                raise _refused(text, key, mark("C( ) takes one variable"))
            yield Factor(name, True)
            place += 3
            continue
        if match["other"] or match["sign"] == ")":
            raise _refused(text, key, mark("{sign} is no sign of a formula"), match["other"] or ")")
        number = match["name"] and match["name"].isdecimal()
        yield match["name"] if number else match["sign"] or Factor(match["quoted"] or match["name"])
        place += 1


def _split(tokens: list[Factor | str], sign: str) -> list[list[Factor | str]]:
    parts: list[list[Factor | str]] = [[]]
    for token in tokens:
        if token == sign:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _products(part: list[Factor | str], text: str, key: str) -> Iterator[tuple[Factor, ...]]:
    """The terms that one of those between plus signs stands for."""
    if part == ["1"]:  # the intercept, which is there anyway
        return
    crossed = [_split(each, ":") for each in _split(part, "*")]
    single = [piece for each in crossed for piece in each]
    if any(len(piece) != 1 or not isinstance(piece[0], Factor) for piece in single):
        raise _refused(text, key, mark("between two variables there has to stand +, : or *"))
    factors = [tuple(piece[0] for piece in each if isinstance(piece[0], Factor)) for each in crossed]
    named = [factor.variable for each in factors for factor in each]
    if len(set(named)) < len(named):
        raise _refused(text, key, mark("a product is of different variables"))
    for count in range(1, len(factors) + 1):
        for chosen in combinations(factors, count):
            yield tuple(factor for each in chosen for factor in each)


def _refused(text: str, key: str, reason: str, sign: str = "") -> RecipeError:
    return RecipeError(
        "model-formula",
        mark('{key}: "{formula}" is no formula of a regression: {reason}.'),
        mark('Write it like "INCOME ~ AGE + SEX", names with blanks or signs between backticks.'),
        key=key,
        formula=text,
        reason=reason.format(sign=sign) if sign else reason,
    )
