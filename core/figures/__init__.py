"""The views: whatever the app shows, as data in and object out. No torch, no Streamlit."""
