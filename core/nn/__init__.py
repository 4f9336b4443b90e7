"""The parts every Transformer here is built from, with the papers' names.

Axes, everywhere: ``B`` batch, ``T`` positions (``Tq`` of queries, ``Tk`` of
keys when they differ), ``H`` heads, ``Dh`` d_head, ``D`` d_model, ``F`` d_ff,
``V`` vocabulary.
"""
