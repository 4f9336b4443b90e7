"""A text that is continued, and how each token is chosen: what these views are asked with."""

from __future__ import annotations

from dataclasses import dataclass

from core.decoding.settings import Sampling
from core.language import N_
from core.runs.requests import GenerateRequest
from core.runs.results import Candidates, Generation
from core.units import Token
from core.views.nearest import nearest
from core.views.params import MAX_SEED, OnText, param


@dataclass(frozen=True, slots=True)
class Choosing(OnText):
    """How the next token is chosen, and how far the text is continued.

    Attributes:
        temperature: divides the logits; below 1 sharper, 0 always the likeliest.
        top_k: only the k likeliest may be drawn; 0 = no limit.
        top_p: only the fewest that reach this probability; 1 = no limit.
        repetition: makes tokens that already stand there less likely; 1 = off.
        seed: of the draws.
        new: tokens that are generated.
        made: how many of them are shown.
        token: the position that is looked at; -1 for the newest.
        cut: which filter's result the bars show; 0 for the model's own.
    """

    temperature: float = param(0.8, low=0.0, high=2.0, label=N_("Temperature"))
    top_k: int = param(50, low=0, high=200, label=N_("Top-k (0 = no limit)"))
    top_p: float = param(0.95, low=0.05, high=1.0, label=N_("Top-p"))
    repetition: float = param(1.0, low=0.5, high=3.0, label=N_("Repetition penalty"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    new: int = param(16, low=1, high=200, label=N_("New tokens"))
    made: int = param(0, low=0, high=200, lives="browser", label=N_("Generated tokens shown"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    cut: int = param(0, low=0, high=3, lives="browser", label=N_("Filter shown"))

    @property
    def so_far(self) -> int:
        """Of the new tokens those that are shown; the text may have ended before."""
        return nearest("made", self.made, self.new)

    def generation(self) -> GenerateRequest:
        """The run that all views of the page share."""
        return GenerateRequest(
            self.model,
            self.text,
            self.new,
            Sampling(self.temperature, self.top_k, self.top_p, self.repetition, self.seed),
        )

    def selection(self, n_prompt: int, n_tokens: int) -> dict[str, int | str | None]:
        """What components share, by the names of the parameters.

        Args:
            n_prompt: tokens of the text.
            n_tokens: of these and the new ones.
        """
        last = min(n_prompt + self.so_far, n_tokens) - 1
        token = None if self.token < 0 else nearest("token", self.token, last)
        return {"token": token, "made": self.made, "cut": self.cut}


def all_tokens(run: Generation) -> list[Token]:
    """Those of the text and, after them, the new ones."""
    return [*run.prompt, *(step.token for step in run.steps)]


def expected(run: Generation) -> list[Candidates]:
    """What the model expected after each of them, the last too where the text can go on."""
    then = () if run.then is None else (run.then,)
    return [*run.following, *(step.candidates for step in run.steps[1:]), *then]
