"""What is said of the steps of a LayerNorm, with the vector's numbers."""

from __future__ import annotations

import numpy as np

from core.figures.text import MINUS, Mark, Sentence, number, sentence
from core.language import _, ngettext
from core.locale import row, spelt
from core.views.norm.vector import NormRun


def titles() -> list[str]:
    """The steps' names, as the stepper says them."""
    return [
        _("The vector"),
        _("Its mean"),
        _("Subtract the mean"),
        _("Square the deviations"),
        _("Its variance"),
        _("Normalise"),
        _("Multiply by a"),
        _("Add b"),
    ]


def texts(record: NormRun) -> list[Sentence]:
    """What each step does."""
    s, d = record.steps, str(record.d)
    return [
        _given(record),
        sentence(_("μ is the sum of the {d} components divided by {d}: {mu}."),
                 d=d, mu=Mark(number(s.mean), "strong")),
        sentence(_("The mean is subtracted from every component. The results add up to 0.")),
        sentence(_("Square every deviation. A component below the mean then counts as much as "
                   "one above it.")),
        sentence(_("σ² is the mean squared deviation: {var}. Divide the sum by {d}, not by "
                   "{less}."),
                 d=d, less=str(record.d - 1), var=Mark(number(s.var), "strong")),
        _divided(record),
        sentence(_("Multiply by a: one learned number per component. The same a is used for "
                   "every token.")),
        _shifted(record),
    ]  # fmt: skip


def as_read(record: NormRun) -> str:
    """The components as they were read from what was typed: 1.5, 2.5, 4, 0."""
    return row(spelt(f"{one:,.10g}").replace("-", MINUS) for one in record.steps.x.tolist())


def _given(record: NormRun) -> Sentence:
    if record.run is None:
        return sentence(_("x has {d} components."), d=str(record.d))
    return sentence(
        _(
            "x is the residual vector of “{token}” as it enters this LayerNorm. It has {d} "
            "components."
        ),
        token=Mark(record.name, "query"),
        d=str(record.d),
    )


def _divided(record: NormRun) -> Sentence:
    s = record.steps
    if s.var + s.eps == 0:
        return sentence(
            _("All components are equal, so the variance is 0. Without ε this would be 0 / 0. "
              "That is what ε is for.")
        )  # fmt: skip
    return sentence(
        _("Divided by √(σ² + ε) = {spread}. Now the mean is {mean} and the variance {var}."),
        spread=Mark(number(float(np.sqrt(s.var + s.eps))), "strong"),
        mean=number(clean(float(s.normalized.mean()))),
        var=number(float(s.normalized.var())),
    )


def _shifted(record: NormRun) -> Sentence:
    out = record.steps.out
    if not np.isfinite(out).all():
        return sentence(
            _("Add b. A result of 0 / 0 is no number, and adding b does not change that.")
        )
    return sentence(
        _("Add b, one learned number per component. Then y has mean {mean} and variance {var}."),
        mean=number(clean(float(out.mean()))), var=number(float(out.var())),
    )  # fmt: skip


def clean(value: float) -> float:
    """A mean that is 0 but for rounding, as 0."""
    return 0.0 if abs(value) < 1e-6 else value


def errata(record: NormRun) -> list[str]:
    """What lecture notes say otherwise."""
    s, d = record.steps, record.d
    scalars = ngettext(
        "The slides call a and b scalars. They are vectors of size d: here {n} number each.",
        "The slides call a and b scalars. They are vectors of size d: here {n} numbers each.",
        d,
    ).format(n=d)
    divisor = _("The variance divides by d = {d}. Statistics often divides by d − 1, and so does "
                "torch.var by default.").format(d=d)  # fmt: skip
    if s.var == 0:
        other = _("When all components are equal, both are 0.")
    else:
        less = float(s.squares.sum() / (d - 1))
        other = _("That would be {less} instead of {var}, and the largest component would become "
                  "{largest} instead of {own}.").format(
            less=number(less), var=number(s.var),
            largest=number(float(np.abs(s.centred / np.sqrt(less + s.eps)).max())),
            own=number(float(np.abs(s.normalized).max())),
        )  # fmt: skip
    return [scalars, f"{divisor} {other}"]
