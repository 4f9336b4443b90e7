"""The whole Transformer, without a line of user interface.

The front door is small: ``core.zoo`` loads a model, ``core.predict`` asks it
something, ``core.tracing`` shows every number on the way, ``core.show`` draws them.
"""
