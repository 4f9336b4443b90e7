"""Start the app with several workers: ``python -m pages.server --workers 4``."""

from pages.server.workers import main

if __name__ == "__main__":
    main()
