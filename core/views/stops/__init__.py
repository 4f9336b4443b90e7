"""From the RNN to the Transformer: machines that differ by one thing each, on the same sentence."""
