"""What machines with an encoder and a decoder share: the way from a source to a written target.

Vaswani et al. 2017, section 3.1: an encoder reads all of the source, a decoder
writes the target, each token after those before it, and attends to what the
encoder handed on. The encoder does not know the decoder: its output is computed
once, however much is written. How vectors begin, what a block is and how logits
are made is each machine's own.
"""

from core.models.encoder_decoder.machine import EncoderDecoder
from core.models.encoder_decoder.sides import Side, post_norm_block

__all__ = ["EncoderDecoder", "Side", "post_norm_block"]
