"""The Streamlit side: the frame, one short script a topic, and the parts they share."""
