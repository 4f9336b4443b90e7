"""One text through several machines: what each can and cannot do, settled by probes."""
