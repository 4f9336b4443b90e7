"""One slider."""

import streamlit as st

st.slider("How many", 0, 1000, key="control-n")
