"""One slider, and what it says when the link asks for that."""

import streamlit as st

value = st.slider("How many", 0, 1000, key="control-n")
if "said" in st.query_params:
    st.text(value)
