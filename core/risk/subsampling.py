"""Release of a subsample: what is left of a file's risk when only some of its records are released [T04].

The classification matrix has at (i, j) the records in a cell of i records in the sample and of j in the file; what is
computed from it needs the sizes of the file's cells alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class SampleRisk:
    """Disclosure risk of a sample: shares of the records of the file, in [0, 1], least <= weighted <= most.

    Attributes
    ----------
    least : DR_min, records that are unique in the sample and in the file
    most : DR_max, matches by the size of the cell in the file
    weighted : DR_W; nan without weights
    """

    least: float
    most: float
    weighted: float


def classification(in_sample: Integers, in_file: Integers) -> Integers:
    """Records of the sample by the sizes of their cells: c at (i - 1, j - 1), square of the largest cell of the file.

    Parameters
    ----------
    in_sample, in_file : (m,) records of each cell in the sample, from 0, and in the file, at least as many and from 1
    """
    largest = int(in_file.max(initial=0))
    flat = np.bincount(in_sample * (largest + 1) + in_file, in_sample, (largest + 1) ** 2)
    found: Integers = flat.reshape(largest + 1, largest + 1)[1:, 1:].astype(np.int64)
    return found


def sample_risk(matrix: NDArray[np.integer] | Floats, records: int, weights: Floats | None = None) -> SampleRisk:
    """DR_min, DR_max and DR_W of a classification matrix [T04].

    c_11 / n; (1/n) sum_j (1/j) sum_i c_ij; 1/(n w_11) sum_j (1/j) sum_i w_ij c_ij. The sum of the weights does not
    matter, only how they stand to w_11.

    Parameters
    ----------
    matrix : (k, k), c_ij, counts or expected ones
    records : n, of the file
    weights : as `check_weights` takes them; outside of them they are 0
    """
    by_size = 1.0 / np.arange(1, matrix.shape[1] + 1)
    least = float(matrix[0, 0]) / records if matrix.size else 0.0
    most = float((matrix * by_size).sum()) / records
    if weights is None:
        return SampleRisk(least, most, np.nan)
    rows, columns = np.minimum(weights.shape, matrix.shape)
    weighted = (weights[:rows, :columns] * matrix[:rows, :columns] * by_size[:columns]).sum()
    return SampleRisk(least, most, float(weighted) / (records * float(weights[0, 0])))


def check_weights(weights: Floats, key: str) -> None:
    """Refuse a matrix of weights that breaks a condition of [T04], naming the condition and the place.

    Nothing is negative, w_11 > 0, and who is found more easily does not weigh less: w_ij >= w_i(j+1) from the diagonal
    on (the larger the cell in the file, the less), w_ii >= w_(i+1)(i+1). Then no weight is above w_11, so that DR_W
    lies between DR_min and DR_max. What stands below the diagonal concerns no record and is not looked at.

    Raises
    ------
    RecipeError
    """
    if weights[0, 0] <= 0:
        raise _broken(key, mark("w(1,1) > 0"), (0, 0), weights)
    rows, columns = weights.shape
    for i in range(min(rows, columns)):
        for j in range(i, columns):
            if weights[i, j] < 0:
                raise _broken(key, mark("no weight is negative"), (i, j), weights)
            if j > i and weights[i, j] > weights[i, j - 1]:
                raise _broken(key, mark("w(i,j) >= w(i,j+1)"), (i, j), weights)
        if i and weights[i, i] > weights[i - 1, i - 1]:
            raise _broken(key, mark("w(i,i) >= w(i+1,i+1)"), (i, i), weights)


def _broken(key: str, condition: str, at: tuple[int, int], weights: Floats) -> RecipeError:
    return RecipeError(
        "sampling-weights",
        mark("{key} breaks the condition {condition}: w({i},{j}) is {value}."),
        mark("Rows are sizes of cells in the sample, columns in the file; correct this weight."),
        key=key,
        condition=condition,
        i=at[0] + 1,
        j=at[1] + 1,
        value=f"{weights[at]:g}",
    )


@dataclass(frozen=True, eq=False)
class FileSizes:
    """A file by the sizes of its cells, which is all that a simple random sample of it depends on.

    Attributes
    ----------
    sizes, cells : (L,) int64, the sizes that occur, ascending, and how many cells have each
    """

    sizes: Integers
    cells: Integers

    @classmethod
    def of(cls, in_file: Integers) -> FileSizes:
        """From the records (m,) of each cell."""
        sizes, cells = np.unique(in_file[in_file > 0], return_counts=True)
        return cls(sizes.astype(np.int64), cells.astype(np.int64))

    @property
    def records(self) -> int:
        """n."""
        return int(self.sizes @ self.cells)

    def drawn(self, fraction: float) -> int:
        """Records of a sample of that fraction, rounded."""
        return round(fraction * self.records)

    def expected(self, fraction: float, largest: int) -> Floats:
        """The mean classification matrix over all samples of that fraction, for sizes up to `largest`, exactly.

        Records of a cell of j that are drawn are hypergeometric.
        """
        from scipy.stats import hypergeom

        found = np.zeros((largest, largest))
        hit = np.arange(1, largest + 1)
        for size, cells in zip(self.sizes.tolist(), self.cells.tolist(), strict=True):
            if size <= largest:
                chance = hypergeom.pmf(hit[:size], self.records, size, self.drawn(fraction))
                found[:size, size - 1] = hit[:size] * cells * chance
        return found

    def mean_risk(self, fraction: float, weights: Floats | None = None) -> SampleRisk:
        """The mean of the risks over all samples of that fraction, exactly; two of them grow as the fraction does."""
        share = self.drawn(fraction) / self.records
        ones = int(self.cells[self.sizes == 1].sum())
        weighted = np.nan
        if weights is not None:
            weighted = sample_risk(self.expected(fraction, max(weights.shape)), self.records, weights).weighted
        return SampleRisk(share * ones / self.records, share * int(self.cells.sum()) / self.records, weighted)

    def simulated(
        self,
        fractions: Sequence[float],
        repeats: int,
        seed: int,
        weights: Floats | None = None,
        progress: Progress = SILENT,
    ) -> Mapping[float, Floats]:
        """Risks of simple random samples without replacement: of each fraction (repeats, 3), as in `SampleRisk`.

        No record is drawn: of every size of cells, how many records fall into the sample, and of the sizes that have
        weights, how these fall onto the cells, are hypergeometric.
        """
        found: dict[float, Floats] = {}
        sizes, totals = self.sizes, self.sizes * self.cells
        limit = 0 if weights is None else max(weights.shape)
        for number, fraction in enumerate(fractions):
            progress.report(number, len(fractions), translate(mark("Drawing samples")))
            rng = np.random.default_rng((seed, number))
            drawn = rng.multivariate_hypergeometric(totals, self.drawn(fraction), repeats, method="marginals")
            risks = np.full((repeats, 3), np.nan)
            risks[:, 0] = drawn[:, sizes == 1].sum(axis=1) / self.records
            risks[:, 1] = (drawn / sizes).sum(axis=1) / self.records
            if weights is not None:
                matrices = np.zeros((repeats, limit, limit))
                for place, size in enumerate(sizes[sizes <= limit].tolist()):
                    for repeat in range(repeats):
                        progress.check()
                        hit = _hits(rng, size, int(self.cells[place]), int(drawn[repeat, place]))
                        matrices[repeat, :size, size - 1] = np.arange(1, size + 1) * hit[1:]
                risks[:, 2] = [sample_risk(matrix, self.records, weights).weighted for matrix in matrices]
            found[fraction] = risks
        return found


def _hits(rng: np.random.Generator, size: int, cells: int, drawn: int) -> Integers:
    """Of `cells` cells of `size` records, how many have 0, 1, ..., size of the `drawn` ones: (size + 1,), at random.

    The first records of all cells are a layer, the second ones another: how many are drawn of each layer, and then on
    which cells by the number that these have so far.
    """
    layers = rng.multivariate_hypergeometric([cells] * size, drawn, method="marginals")
    found = np.zeros(size + 1, np.int64)
    found[0] = cells
    for layer in layers.tolist():
        up = rng.multivariate_hypergeometric(found, layer, method="marginals")
        found -= up
        found[1:] += up[:-1]
    return found
