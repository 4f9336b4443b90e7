"""The least that Streamlit can serve, as well tuned as our app: what a click costs without us."""

import contextlib
import gc
from collections.abc import AsyncIterator

import streamlit as st


@contextlib.asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[dict[str, object]]:
    """Keep what is alive out of the collector's sight."""
    gc.collect()
    gc.freeze()
    yield {}


app = st.App("frame.py", lifespan=lifespan)
