"""What was found: which differences have a reason, which have none, and how much was compared."""

from __future__ import annotations

from collections import Counter

from tests.harness import compare
from tests.harness.cases import NEW, Case, all_cases
from tests.harness.reasons import REASONS, Reason

PRINTED = 12  # differences of a case that are printed, if not all; the report's file has them


class Report:
    """What was found: printed in short, kept in full."""

    def __init__(self, *, whole: bool = False) -> None:
        self.most = None if whole else PRINTED
        self.lines: list[str] = []
        self.by_reason: Counter[Reason] = Counter()
        self.open: Counter[str] = Counter()
        self.crashes: list[str] = []
        self.without_cases: list[str] = []
        self.numbers = self.texts = 0

    def add(self, case: Case, old: dict, new: dict) -> None:
        """Compare one case."""
        numbers, texts = compare.size(old)
        self.numbers, self.texts = self.numbers + numbers, self.texts + texts
        name = f"{case['view']} / {case['case']}"
        if case["kind"] == "registry":
            shown = NEW | {one["view"] for one in all_cases()}
            self.without_cases = [view for view in new.get("views", ()) if view not in shown]
        if "crash" in old:
            self.crashes.append(f"{name}: {old['crash']}")
        found = compare.differences(old, new)
        reasons = [self._reason(case, one) for one in found]
        moved = [n for n, reason in enumerate(reasons) if reason and reason.moved]
        explained = compare.reconciled(found, moved)
        left = []
        for n, (one, reason) in enumerate(zip(found, reasons, strict=True)):
            if reason and (n in explained or not reason.moved):
                self.by_reason[reason] += 1
            else:
                left.append(one)
        self.open[case["view"]] += len(left)
        lines = [f"{name}: {one}" for one in left]
        self.lines += lines
        printed = lines[: self.most]
        for line in printed:
            print(line, flush=True)
        if len(printed) < len(lines):
            print(f"{name}: … and {len(lines) - len(printed)} more")

    def _reason(self, case: Case, found: compare.Difference) -> Reason | None:
        at = case["view"], case["case"], found.path
        said = str(found.new if found.old is compare.MISSING else found.old)
        covering = (one for one in REASONS if one.covers(*at, said))
        return next(covering, None)

    def end(self, cases: list[Case], *, whole: bool) -> int:
        """The summary; gives how many differences have no reason."""
        views = {case["view"] for case in cases if case["kind"] == "view"}
        print(f"\n{len(cases)} cases, {len(views)} views: {self.numbers:,} numbers and "
              f"{self.texts:,} texts of the reference compared")  # fmt: skip
        by_why: Counter[str] = Counter()
        for reason, n in self.by_reason.items():
            by_why[reason.why] += n
        for why, n in by_why.most_common():
            print(f"{n:7} × with a reason: {why}")
        for reason in REASONS if whole else ():
            if not self.by_reason[reason]:
                at = " / ".join((reason.view, reason.case, reason.path, reason.says))
                print(f"  {at}: {reason.why}  <- covers nothing, take it out")
        for view in self.without_cases:
            print(f"  no case shows {view}: add some to view_cases.py")
        for one in self.crashes:
            print(f"  crashes at the reference: {one}")
        for view, n in sorted(self.open.items()):
            if n:
                print(f"{n:7} × without a reason: {view}")
        total = sum(self.open.values())
        print(f"differences without a reason: {total}")
        return total
