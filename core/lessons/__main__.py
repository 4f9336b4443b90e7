"""For who writes lessons.

``python -m core.lessons check`` reads every lesson and says what is amiss, ``views attention`` what
a lesson may say of each view whose name begins so, ``syntax`` what may stand in its file,
``book OUT`` writes the course as a site that needs no server.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from core.errors import CoreError, LessonError
from core.language import SOURCE_LANGUAGE, use_language
from core.lessons import FILES, Lesson, lesson, lesson_ids
from core.lessons.book import write
from core.lessons.book.processes import side_by_side
from core.lessons.checking import SEEDS, differences, faults
from core.lessons.listing import described
from core.lessons.syntax import syntax
from core.runs.store import Runs

MOST = 4  # processes that write a book, unless more are asked for: each has models of its own
ITEMS = [f"C{n}" for n in range(1, 30)]


def main(words: list[str] | None = None) -> int:
    """Do what is asked for; 1 if there are faults."""
    parser = argparse.ArgumentParser(prog="python -m core.lessons", description=__doc__)
    parser.add_argument("what", choices=["check", "views", "syntax", "book"])
    parser.add_argument(
        "ids",
        nargs="*",
        help="lessons to check, all when none is named; or the views' first words; "
        "or the folder of the book, and its lessons",
    )
    parser.add_argument("--languages", default=SOURCE_LANGUAGE, help="of a book: en,fr")
    parser.add_argument(
        "--key", type=Path, help="of a book: a folder outside of it, for the answers"
    )
    parser.add_argument(
        "--processes", type=int, default=min(os.cpu_count() or 1, MOST),
        help="of a book: that make its lessons side by side",
    )  # fmt: skip
    parser.add_argument("--seeds", type=int, default=SEEDS, help="on which a question is posed")
    asked = parser.parse_args(words)
    if asked.what == "views":
        print("\n\n".join(described(asked.ids, Runs().get)))
        return 0
    if asked.what == "syntax":
        print(syntax())
        return 0
    out, idents = None, asked.ids
    if asked.what == "book":
        out, *idents = asked.ids or [None]
    unknown = set(idents) - set(lesson_ids())
    if unknown:
        parser.error(f"no lesson is called {', '.join(sorted(unknown))}")
    if asked.what == "book":
        codes = tuple(asked.languages.split(","))
        if out is None or not set(codes) <= set(languages()):
            parser.error(f"say a folder, and languages among {', '.join(languages())}")
        key, whole = asked.key, Path(out)
        if key is not None and key.resolve().is_relative_to(whole.resolve()):
            parser.error("the key must not lie in the book, or it is published with it")
        return bound(whole, codes, idents, key, asked.processes)
    return checked(asked.ids, asked.seeds)


def bound(
    out: Path, codes: Sequence[str], idents: Sequence[str], key: Path | None, processes: int
) -> int:
    """Write the book, and its key where one is wanted; 1 if a lesson cannot be put into it."""
    n = max(1, min(processes, len(idents or lesson_ids())))
    try:
        write(out, side_by_side(n), codes, idents, say=partial(print, flush=True), key=key)
    except (CoreError, LessonError) as problem:
        print(problem)
        return 1
    return 0


def checked(idents: Sequence[str], seeds: int) -> int:
    """Print faults and coverage; 1 if there are faults.

    Args:
        idents: of lessons; all when empty.
        seeds: on which each question is posed.
    """
    n_faults, read, runs = 0, [], Runs()
    for code in languages():
        use_language(code)
        for ident in idents or lesson_ids():
            found = lesson(ident, code)
            if isinstance(found, LessonError):
                print(found)
                n_faults += 1
            elif found.language == code:
                said = list(faults(found, runs.get, seeds))
                if code != SOURCE_LANGUAGE:
                    source = lesson(ident)
                    said += differences(found, source) if isinstance(source, Lesson) else []
                for fault in said:
                    print(fault)
                n_faults += len(said)
                read.append(found)
            else:
                print(f"{code}/{ident}.md is missing; the lesson is shown in English")
    use_language(SOURCE_LANGUAGE)
    if not idents:
        print(coverage(one for one in read if one.language == SOURCE_LANGUAGE))
    print(f"{len(read)} files, {n_faults} faults")
    return int(n_faults > 0)


def languages() -> list[str]:
    """Those that have lessons, English first."""
    found = sorted(path.name for path in FILES.iterdir() if path.is_dir())
    return [SOURCE_LANGUAGE, *(code for code in found if code != SOURCE_LANGUAGE)]


def coverage(lessons: Iterable[Lesson]) -> str:
    """For each item of the curriculum the steps that teach it, and how many ask it."""
    steps = [(one.id, step) for one in lessons for step in one.steps]
    asked = Counter(item for _id, step in steps if step.question for item in step.items)
    lines = []
    for item in ITEMS:
        places = Counter(ident for ident, step in steps if item in step.items)
        taught = ", ".join(f"{ident} ({n})" for ident, n in places.items()) or "not taught yet"
        lines.append(f"{item:4} {asked[item]:2} questions  {taught}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
