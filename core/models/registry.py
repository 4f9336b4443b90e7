"""Every architecture, once: what its name on disk stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.models.bart import BART, BARTConfig
from core.models.bert import BERT, BERTConfig
from core.models.cnn import CNN, CNNConfig
from core.models.elmo import ELMo, ELMoConfig
from core.models.gpt import GPT, GPTConfig
from core.models.rnn import RNN, RNNConfig
from core.models.t5 import T5, T5Config
from core.models.transformer import Transformer, TransformerConfig
from core.models.vit import ViT, ViTConfig


@dataclass(frozen=True, slots=True)
class Architecture:
    """A config and the model it describes."""

    config: type[Any]
    model: type[Any]


ARCHITECTURES: dict[str, Architecture] = {
    "gpt": Architecture(GPTConfig, GPT),
    "bert": Architecture(BERTConfig, BERT),
    "elmo": Architecture(ELMoConfig, ELMo),
    "rnn": Architecture(RNNConfig, RNN),
    "transformer": Architecture(TransformerConfig, Transformer),
    "t5": Architecture(T5Config, T5),
    "bart": Architecture(BARTConfig, BART),
    "vit": Architecture(ViTConfig, ViT),
    "cnn": Architecture(CNNConfig, CNN),
}
