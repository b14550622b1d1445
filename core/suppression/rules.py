"""Which variables go together and which must stay: what limits the choice of suppressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.data.variables import Metadata


@dataclass(frozen=True)
class Rules:
    """Limits on suppression.

    Attributes
    ----------
    related : variable -> the variable that is suppressed with it
    fixed : variables that may never be suppressed
    unwritten : variables that no output contains: they need no suppression, but relations pass through them
    unseen : derived keys that nobody can see in the safe file: to leave them out of account needs no missing code
    """

    related: Mapping[str, str] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()
    unwritten: frozenset[str] = frozenset()
    unseen: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, metadata: Metadata, *, derived: frozenset[str] = frozenset(), unseen: frozenset[str] = frozenset()
    ) -> Rules:
        """The rules that `metadata` states.

        Parameters
        ----------
        derived : keys that exist in no file and so cannot go missing
        unseen : such keys that the safe file does not tell, either
        """
        return cls(
            related={v.name: v.related for v in metadata.variables if v.related},
            fixed=frozenset(v.name for v in metadata.variables if not v.suppressible) | derived,
            unwritten=frozenset(v.name for v in metadata.variables if v.removed or v.role == "direct-identifier"),
            unseen=unseen,
        )

    def closure(self, name: str) -> tuple[str, ...]:
        """`name`, then what is suppressed with it, transitively and in the order of the relations.

        A relation also passes through a variable whose own value is already missing: what the second tells about
        the third, it tells about the first.
        """
        chain = [name]
        while (following := self.related.get(chain[-1])) is not None and following not in chain:
            chain.append(following)
        return (name, *(other for other in chain[1:] if other not in self.unwritten))
