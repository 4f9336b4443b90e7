"""LayerNorm: one vector step by step, typed in or from the model's stream; RMSNorm beside it.

All of them work on one vector of ``d`` components, and on any norm that a stack of a model has.
"""
