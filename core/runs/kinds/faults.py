"""A text through a machine as it is, and through the same machine with a fault put into it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.errors import ParameterError
from core.faults.table import BY_ID, Fault, hidden, possible
from core.inputs import Input, Padded, Text
from core.language import N_
from core.models.prepared import Prepared
from core.runs.kinds.trace import Run
from core.runs.request import Context, OfModel, answer
from core.seeds import checked_seed
from core.tracing.recording import run_prepared
from core.tracing.trace import Trace
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class FaultRequest(OfModel):
    """One text through a model as it is, and with a fault put into it.

    Attributes:
        given: what to run it on; cut to the model's context.
        fault: by its id (``core.faults.table``); empty for the one that the seed draws.
        seed: of that draw.
    """

    given: Input
    fault: str = ""
    seed: int = 0


@dataclass(frozen=True, eq=False)
class FaultRuns:
    """The same input three times.

    Attributes:
        healthy: through the model as it is.
        broken: with the fault put into it.
        again: with the same fault once more; only chance can make it another run.
        fault: by its id.
    """

    healthy: Run
    broken: Run
    again: Run
    fault: str

    @property
    def trace(self) -> Trace:
        """Of the model as it is: what is as long and as wide in all three."""
        return self.healthy.trace

    @property
    def lengths(self) -> dict[str, int]:
        """Positions of each stream, in all three."""
        return self.healthy.lengths


@answer.register
def faulty(request: FaultRequest, context: Context) -> FaultRuns:
    """The runs of what fits of the text; a target is what the whole machine writes.

    Raises:
        AbilityError: the model does not take the input.
        ParameterError: there is no such fault.
    """
    model = context.model(request.model)
    fault = _fault(request, model)
    fitted = model.fitted(_given(request.given, fault, model))
    prepared = model.prepare(fitted.given)
    whole, broken = _without_padding(prepared, model), _masked(prepared, fault, model)
    row = fitted.rows[0]

    def run(given: Prepared, draw: int | None) -> Run:
        changed = {} if draw is None else fault.changes(model.blueprint, draw)
        trace = run_prepared(model, given, _sites(model), changes=changed)[0]
        return Run(trace, row.texts, row.cut, model.encoders)

    return FaultRuns(run(whole, None), run(broken, 1), run(broken, 2), fault.id)


def _fault(request: FaultRequest, model: LoadedModel) -> Fault:
    """The fault that is named, or drawn by the seed among those that the model can have.

    Of one that it cannot have, the first that it can: a page says which is shown.
    """
    if request.fault:
        if request.fault not in BY_ID:
            raise ParameterError("fault", request.fault, N_("the name of a fault"))
        fault = BY_ID[request.fault]
        return fault if fault.applies(model.blueprint) else possible(model.blueprint)[0]
    hidden_fault = hidden(model.blueprint)
    return hidden_fault[_drawn(checked_seed(request.seed), len(hidden_fault))]


def _drawn(seed: int, n: int) -> int:
    """Which of n a seed hides: 1 to n in their order, then each turn of n in an order of its own.

    So the first is the plainest, and no two neighbours are the same.
    """
    turn, place = divmod(seed - 1, n)
    if turn <= 0:
        return place
    order, before = (
        np.random.default_rng(rng_seed).permutation(n) for rng_seed in (turn, turn - 1)
    )
    last = before[-1] if turn > 1 else n - 1
    if n > 2 and order[0] == last:
        order[[0, 1]] = order[[1, 0]]
    return int(order[place])


def _given(given: Input, fault: Fault, model: LoadedModel) -> Input:
    """The input, filled up with padding where the fault cannot be seen without."""
    if fault.padded and isinstance(given, Text) and Padded in model.model.takes:
        return Padded(given, (f"{given.text} {given.text}",))
    return given


def _without_padding(prepared: Prepared, model: LoadedModel) -> Prepared:
    """What was prepared with the mask that hides padding, where there is any."""
    for attention in model.blueprint.attentions:
        keys = prepared.streams[0][attention.keys]
        if keys.n_padding:
            mask = prepared.masks[attention.name].clone()
            mask[..., len(keys.units) - keys.n_padding :] = False
            prepared = prepared.under(attention, mask)
    return prepared


def _masked(prepared: Prepared, fault: Fault, model: LoadedModel) -> Prepared:
    """What was prepared under the masks that the fault makes of the right ones."""
    if fault.mask is None:
        return prepared
    for attention in model.blueprint.attentions:
        wrong = fault.mask(attention, prepared.masks[attention.name])
        prepared = prepared.under(attention, wrong)
    return prepared


def _sites(model: LoadedModel) -> list[str]:
    """The weights of every attention, the stream between layers, and what is predicted."""
    blueprint = model.blueprint
    sites = [
        f"{prefix}.weights" for attention in blueprint.attentions for prefix in attention.prefixes
    ]
    for stack in blueprint.stacks:
        sites.append(f"{stack.block(0)}.resid_pre")
        sites += [stack.output_of(layer) for layer in range(stack.n_layers)]
    return [*dict.fromkeys(sites), blueprint.site("@logits")]
