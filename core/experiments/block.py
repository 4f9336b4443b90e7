"""The experiments of the pages on LayerNorm and the feed-forward network."""

from __future__ import annotations

from core.experiments.experiment import DOG, Experiment, Figures, selected
from core.language import N_

LECTURE = "100, 200, 100, 0"
WORKED = {"source": "worked", "vector": LECTURE, "gain": "1", "shift": "0", "eps": "0.00001",
          "norm_step": 5}  # fmt: skip
BANK = "The bank of the river was near the bank with the money"
TIMES = "She went to the park every"


def _spread(values: Figures) -> float:
    """The standard deviation of the vector."""
    return float(values["var"].value) ** 0.5


def _zeros(values: Figures) -> float:
    """How many units are exactly 0 after the function."""
    return float((values["after"].array == 0).sum())


def _strongest(values: Figures) -> str:
    """The most active unit on the selected token."""
    return values["after"].axes[0].labels[0]


LAYERNORM = (
    Experiment(
        id="layernorm.scale",
        title=N_("Multiply the vector by 1,000"),
        watch=N_("The mean and the standard deviation both grow a thousand times, so the output "
                 "stays the same. LayerNorm removes the scale of its input."),
        view="norm.steps",
        what=N_("Standard deviation of the vector"),
        measure=_spread,
        unit="number",
        before=WORKED,
        changes={"vector": "100000, 200000, 100000, 0"},
        sides=(N_("the vector"), N_("a thousand times it")),
        margin="factor",
    ),
    Experiment(
        id="layernorm.equal",
        title=N_("Make all components equal"),
        watch=N_("The variance is 0. Only ε keeps the division from being 0 / 0. Set ε to 0 and "
                 "look again."),
        view="norm.steps",
        what=N_("Variance of the vector"),
        measure=selected("var"),
        unit="number",
        before=WORKED,
        changes={"vector": "7, 7, 7, 7"},
        sides=(N_("100, 200, 100, 0"), N_("7, 7, 7, 7")),
        margin="factor",
    ),
    Experiment(
        id="layernorm.deep",
        title=N_("Go up to GPT's last layer"),
        watch=N_("Every layer adds to the residual stream, so its vectors have grown. After the "
                 "division their variance is 1 in both layers."),
        view="norm.strip",
        what=N_("Standard deviation of the last token's residual vector"),
        measure=selected("spread"),
        unit="number",
        before={"source": "text", "model": "gpt", "text": DOG, "layer": 0, "norm": "ln_1",
                "token": 11, "norm_step": 5},
        changes={"layer": 5},
        sides=(N_("layer 0"), N_("layer 5")),
        margin="factor",
    ),
)  # fmt: skip

FEEDFORWARD = (
    Experiment(
        id="feedforward.meaning",
        title=N_("Switch a unit off with a word"),
        watch=N_("Unit 394 raises “night”, “morning”, “summer” and “day”. It is active where a "
                 "time may follow: after “every”, but not after “with”. Most units have no such "
                 "clear meaning."),
        view="ffn.strip",
        what=N_("Activation of unit 394 on the last token, layer 5"),
        measure=selected("after"),
        unit="number",
        before={"model": "gpt", "text": TIMES, "layer": 5, "unit": 394, "rank": "token",
                "token": None, "function": "own"},
        changes={"text": "She went to the park with"},
        sides=(N_("… every"), N_("… with")),
        margin="factor",
    ),
    Experiment(
        id="feedforward.squared",
        title=N_("Draw squared ReLU instead"),
        watch=N_("The values before are the same. Squared ReLU turns everything below 0 into "
                 "exactly 0, where GELU leaves small negative values."),
        view="ffn.curve",
        what=N_("Units that are exactly 0 after the activation function"),
        measure=_zeros,
        unit="count",
        before={"model": "gpt", "text": DOG, "layer": 5, "unit": None, "token": None,
                "rank": "token", "function": "own"},
        changes={"function": "relu_squared"},
        sides=(N_("GELU"), N_("squared ReLU")),
        margin="factor",
    ),
    Experiment(
        id="feedforward.twice",
        title=N_("Compare the same word twice"),
        watch=N_("The feed-forward network reads one token at a time. The two “bank” differ only "
                 "in their position and in what attention brought to each, so other units are "
                 "active."),
        view="ffn.units",
        what=N_("Most active unit on “bank”, layer 5"),
        measure=_strongest,
        unit="word",
        before={"model": "gpt", "text": BANK, "layer": 5, "unit": None, "rank": "token",
                "token": 2, "function": "own"},
        changes={"token": 9},
        sides=(N_("the bank of the river"), N_("the bank with the money")),
        margin="word",
    ),
)  # fmt: skip
