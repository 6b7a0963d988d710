"""Conditions that never change (HW403), contradict themselves or say a thing twice (HW404)."""

from __future__ import annotations

from ..diagnostics import NOWHERE, Related, Text
from ..model.ir import Apply, Const, Expr, Fold, IfElse, IsNone, Logic, Not, walk
from .context import Context
from .sites import Site, all_sites, place

CONDITIONS = frozenset({"guard", "step", "clause", "switch", "stop", "who", "ruff"})


def check_conditions(context: Context) -> None:
    """Look at every condition and at the conditions inside every expression."""
    judge = _Judge(context)
    total = 0
    for site in all_sites(context.ruleset):
        whole = site.role in CONDITIONS or (site.role == "define" and site.expr.type.name == "bool")
        found = _inside(site.expr) if site.role not in ("order", "seen", "runs") else []
        if whole and not (site.role == "define" and isinstance(site.expr, Const)):
            found.append(site.expr)
        total += len(found)
        for condition in found:
            judge.condition(condition, site)
    if not context.codes() & {"HW403", "HW404"} and total:
        context.proved.append(
            Text(f"{total}个条件没有一个恒真或恒假", f"{total} conditions, none found always true or always false")
        )


def _inside(expr: Expr) -> list[Expr]:
    """The conditions that stand inside an expression (of a fold, of a choice), the innermost first."""
    found: list[Expr] = []
    for part in walk(expr):
        if isinstance(part, IfElse):
            found.append(part.test)
        if isinstance(part, Fold):
            if part.cond is not None:
                found.append(part.cond)
            if part.word in ("any", "all", "count"):
                found.append(part.body)
    return [part for part in reversed(found) if not isinstance(part, Const)]


class _Judge:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.joint = context.joint
        self.text = context.evaluator.notation
        self.fixed_defines = {
            name
            for name, define in context.ruleset.defines.items()
            if define.body.type.name == "bool" and self.joint.constant(define.body) is not None
        }
        self.seen: set[int] = set()
        self.faulty: set[int] = set()  # what is said already, so that nothing around it is said too

    def condition(self, expr: Expr, site: Site) -> bool:
        """Report what is wrong with a condition; true if something was, or is elsewhere."""
        if id(expr) in self.seen:
            return id(expr) in self.faulty
        self.seen.add(id(expr))
        if not self._look(expr, site):
            return False
        self.faulty.add(id(expr))
        return True

    def _look(self, expr: Expr, site: Site) -> bool:
        if any(id(part) in self.faulty for part in walk(expr)):
            return True
        if any(isinstance(part, Apply) and part.define in self.fixed_defines for part in walk(expr)):
            return True
        if isinstance(expr, Not):
            return self.condition(expr.of, site)
        if isinstance(expr, Logic):
            inner = [self.condition(part, site) for part in expr.parts]
            if any(inner):
                return True
        truth = self.joint.constant(expr)
        if isinstance(expr, Logic) and truth is None:
            return self._redundant(expr, site)
        if truth is None:
            return False
        if isinstance(expr, Logic):
            self._settled_logic(expr, site, truth=truth)
        else:
            self._constant(expr, site, truth=truth)
        return True

    def _constant(self, expr: Expr, site: Site, *, truth: bool) -> None:
        zh, en = ("总是成立", "always true") if truth else ("永远不成立", "always false")
        self.context.findings.add(
            "HW403",
            place(expr, site.span),
            f"{site.where.zh}里的条件“{self.text(expr)}”{zh}",
            f'in {site.where.en}, the condition "{self.text(expr)}" is {en}',
            witness=self._known(expr),
            help=(_advice(site, truth=truth),),
            related=_owner(expr, site),
        )

    def _settled_logic(self, expr: Logic, site: Site, *, truth: bool) -> None:
        if truth:
            self._constant(expr, site, truth=True)
            return
        if expr.op == "or":
            self._constant(expr, site, truth=False)
            return
        pair = self._clash(expr)
        texts = [self.text(part) for part in pair or expr.parts]
        zh, en = (
            (f"“{texts[0]}”和“{texts[1]}”", f'"{texts[0]}" and "{texts[1]}"') if pair else ("这几部分", "these parts")
        )
        other = (Related(Text("另一部分在这里", "the other part is here"), place(pair[1], site.span)),) if pair else ()
        self.context.findings.add(
            "HW404",
            place(pair[0] if pair else expr, site.span),
            f"{site.where.zh}里{zh}不可能同时成立",
            f"in {site.where.en}, {en} cannot both hold" if pair else f"in {site.where.en}, {en} cannot all hold",
            witness=Text("没有一种情况同时满足：" + "；".join(texts), "nothing satisfies all of: " + "; ".join(texts)),
            help=(
                Text("改掉其中一处；若是“或者”的意思，写 or", 'change one of them; if either is enough, write "or"'),
            ),
            related=(*other, *_owner(expr, site)),
        )

    def _clash(self, expr: Logic) -> tuple[Expr, Expr] | None:
        """Two parts that already exclude each other."""
        for i, one in enumerate(expr.parts):
            for two in expr.parts[i + 1 :]:
                if self.joint.constant(Logic(type=expr.type, op="and", parts=(one, two))) is False:
                    return one, two
        return None

    def _redundant(self, expr: Logic, site: Site) -> bool:
        """A part that the others already settle; parts that use defines may say a thing again."""
        plain = [part for part in expr.parts if not any(isinstance(e, Apply | IsNone) for e in walk(part))]
        for part in plain:
            for other in plain:
                if other is part or (
                    self.text(other) == self.text(part) and expr.parts.index(other) > expr.parts.index(part)
                ):
                    continue
                sure = self.joint.implies([other], part) if expr.op == "and" else self.joint.implies([part], other)
                if not sure:
                    continue
                a, b = self.text(part), self.text(other)
                self.context.findings.add(
                    "HW404",
                    place(part, site.span),
                    f"{site.where.zh}里“{a}”是多余的，“{b}”已经说了",
                    f'in {site.where.en}, "{a}" says nothing new beside "{b}"',
                    related=(Related(Text("另一部分在这里", "the other part is here"), place(other, site.span)),),
                    witness=_why(a, b, expr.op),
                    help=(Text(f"去掉“{a}”，或改成原来想说的", f'drop "{a}", or write what was meant'),),
                )
                return True
        return False

    def _known(self, expr: Expr) -> Text | None:
        """What is known of the values in a condition."""
        written = self.context.evaluator.inline(expr)
        values = {key: self.context.evaluator.values(leaf.expr) for key, leaf in self.joint.leaves([written]).items()}
        told = self.joint.told(values, [written])
        return Text(f"可能的值：{told.zh}", f"possible values: {told.en}") if told else None


def _why(part: str, other: str, op: str) -> Text:
    """Why a part of a condition is not needed."""
    first, then = (other, part) if op == "and" else (part, other)
    return Text(f"凡是“{first}”成立时，“{then}”也成立", f'whenever "{first}" holds, so does "{then}"')


def _owner(expr: Expr, site: Site) -> tuple[Related, ...]:
    """The line a condition belongs to, where it is not on it."""
    if expr.at == NOWHERE or site.span == NOWHERE or expr.at.line == site.span.line:
        return ()
    return (Related(Text(f"属于{site.where.zh}", f"belongs to {site.where.en}"), site.span),)


def _advice(site: Site, *, truth: bool) -> Text:
    if site.role == "guard":
        if truth:
            return Text("若本来就该走这条路，去掉 when", "if this way is always meant, drop its `when`")
        return Text(
            "这条去路从不会走：改条件，或删去它", "this way is never taken: change the condition or remove the way"
        )
    if site.role == "clause":
        if truth:
            return Text("这条规矩什么也不禁止：改条件，或删去它", "this clause forbids nothing: change it or remove it")
        return Text("这条规矩把什么都禁止了：改条件", "this clause forbids everything: change the condition")
    return Text("改成会变的条件，或把它删去", "change it into a condition that can turn out both ways, or remove it")
