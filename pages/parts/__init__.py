"""What pages share: state in the link, cached runs, components, the frame around every page."""
