"""What each kind of change does to analyses of the safe file, in a sentence."""

from __future__ import annotations

from ..base.texts import mark

EFFECTS = {
    "top": mark("Above the cut {names} has one value: quantiles below it are those of the original; means, variances "
                "and measures of inequality are not."),
    "bottom": mark("Below the cut {names} has one value: quantiles above it are those of the original; means and "
                   "variances are not."),
    "round": mark("Each value of {names} is off by at most half of what it is rounded to: means and totals of large "
                  "groups change little, single values and small differences mean nothing."),
    "weight-noise": mark("Weighted estimates scatter around those by the original weights: little for large groups, "
                         "more for small ones. No single weight means anything by itself."),
    "pram": mark("Frequencies of {names} are to be corrected by the published matrix: the observed ones are the true "
                 "ones times its transition probabilities. With an invariant matrix they hold in expectation as they "
                 "are; associations with other variables are weaker than in the original."),
    "pram-without-matrix": mark("Codes of {names} were changed at random, and with which probabilities is not told: "
                                "frequencies cannot be corrected, and associations with other variables are weaker "
                                "than in the original."),
    "microaggregation": mark("Values of {names} are means of small groups of records. Means of all records without "
                             "weights are kept or, where groups take weighted means, those with weights; of groups "
                             "within strata those of each stratum, too. Other means change a little; "
                             "variances are smaller, and associations with other variables are changed."),
    "rank-swapping": mark("The distribution of each of {names} by itself is kept, but for what is coded at its ends; "
                          "associations with other variables are weaker."),
    "noise": mark("{names} has noise added. Independent noise makes variances larger by its share and associations "
                  "weaker; correlated noise makes variances and covariances larger by the same factor; where moments "
                  "are kept, means and covariances hold. Where values that would be negative became 0, means are "
                  "higher than in the original."),
    "shuffling": mark("The distribution of each of {names} by itself is kept, and so is, approximately, the rank "
                      "correlation with the predictors; relations to other variables are not."),
    "record-swapping": mark("Households changed places: tables by area scatter, more for small areas; analyses without "
                            "geography are not touched."),
    "synthetic": mark("Values of {names} are drawn from a model: only what the model knows of their relations holds. "
                      "Results are to be confirmed on the original."),
    "household-id-remove": mark("Members of a household cannot be put together any more."),
    "order": mark("The order of the records means nothing."),
}  # fmt: skip
"""What a change does to analyses, by the kind of the modification."""


def effect_of(method: str, has_matrix: bool) -> str:
    """What a method of perturbation does to analyses, untranslated; `has_matrix`: a matrix is published with it."""
    return EFFECTS.get("pram-without-matrix" if method == "pram" and not has_matrix else method, "")
