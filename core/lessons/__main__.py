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
    arguments = parser.parse_args(words)
    if arguments.what == "views":
        print("\n\n".join(described(arguments.ids, Runs().get)))
        return 0
    if arguments.what == "syntax":
        print(syntax())
        return 0
    out, idents = None, arguments.ids
    if arguments.what == "book":
        out, *idents = arguments.ids or [None]
    unknown = set(idents) - set(lesson_ids())
    if unknown:
        parser.error(f"no lesson is called {', '.join(sorted(unknown))}")
    if arguments.what == "book":
        codes = tuple(arguments.languages.split(","))
        if out is None or not set(codes) <= set(languages()):
            parser.error(f"say a folder, and languages among {', '.join(languages())}")
        key, folder = arguments.key, Path(out)
        if key is not None and key.resolve().is_relative_to(folder.resolve()):
            parser.error("the key must not lie in the book, or it is published with it")
        return bound(folder, codes, idents, key, arguments.processes)
    return checked(arguments.ids, arguments.seeds)


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
            result = lesson(ident, code)
            if isinstance(result, LessonError):
                print(result)
                n_faults += 1
            elif result.language == code:
                problems = list(faults(result, runs.get, seeds))
                if code != SOURCE_LANGUAGE:
                    source = lesson(ident)
                    problems += differences(result, source) if isinstance(source, Lesson) else []
                for fault in problems:
                    print(fault)
                n_faults += len(problems)
                read.append(result)
            else:
                print(f"{code}/{ident}.md is missing; the lesson is shown in English")
    use_language(SOURCE_LANGUAGE)
    if not idents:
        print(coverage(lesson for lesson in read if lesson.language == SOURCE_LANGUAGE))
    print(f"{len(read)} files, {n_faults} faults")
    return int(n_faults > 0)


def languages() -> list[str]:
    """Those that have lessons, English first."""
    codes = sorted(path.name for path in FILES.iterdir() if path.is_dir())
    return [SOURCE_LANGUAGE, *(code for code in codes if code != SOURCE_LANGUAGE)]


def coverage(lessons: Iterable[Lesson]) -> str:
    """For each item of the curriculum the steps that teach it, and how many ask it."""
    steps = [(lesson_.id, step) for lesson_ in lessons for step in lesson_.steps]
    counts = Counter(item for _id, step in steps if step.question for item in step.items)
    lines = []
    for item in ITEMS:
        places = Counter(ident for ident, step in steps if item in step.items)
        taught = ", ".join(f"{ident} ({n})" for ident, n in places.items()) or "not taught yet"
        lines.append(f"{item:4} {counts[item]:2} questions  {taught}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
