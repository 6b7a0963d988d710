"""The phases as a graph: everything is reached, everything can end, every loop stops (HW301 to HW313)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..diagnostics import NOWHERE, Related, Text
from ..model import Effect, Phase, Transition
from ..model.ir import Const, Expr, Logic
from .context import Context, plural
from .measures import (
    countdown,
    counts_hands,
    drained,
    limited,
    overcall_left,
    refills,
    round_ends,
    spending_phase,
    spends,
)
from .notation import listed
from .sites import phase_steps, place
from .still import check_still

if TYPE_CHECKING:
    Graph = Any


def check_graph(context: Context) -> None:
    """Look at the phases; transitions to unknown phases are left out, they are findings already."""
    ruleset = context.ruleset
    if ruleset.start not in ruleset.phases:
        span = next((phase.span for phase in ruleset.phases.values()), ruleset.span)
        context.findings.add(
            "HW302",
            span,
            f"没有开始的阶段：start 写的是“{ruleset.start}”",
            f'no phase to start with: start says "{ruleset.start}"',
            help=(
                Text("start 写一个阶段的名字", "write the name of a phase after start"),
                Text("阶段有：" + listed(list(ruleset.phases)).zh, "phases: " + listed(list(ruleset.phases)).en),
            ),
        )
        return
    _Graph(context).run()


def drawn(phases: Mapping[str, Phase]) -> Graph:
    """The phases and the ways between them, in file order."""
    import networkx  # costs more than all other checks together, so only once they are through

    graph: Graph = networkx.MultiDiGraph()
    graph.add_nodes_from(phases)
    for phase in phases.values():
        graph.add_edges_from((phase.name, way.to, {"way": way}) for way in phase.next if way.to in phases)
    return graph


def knots(graph: Graph, names: Iterable[str]) -> list[list[str]]:
    """The sets of phases among these that play can go round in, each in file order, and by the first of each."""
    import networkx

    part, order = graph.subgraph(list(names)), list(graph)
    found = [
        sorted(ring, key=order.index)
        for ring in networkx.strongly_connected_components(part)
        if len(ring) > 1 or any(part.has_edge(name, name) for name in ring)
    ]
    return sorted(found, key=lambda ring: order.index(ring[0]))


class _Graph:
    def __init__(self, context: Context) -> None:
        import networkx

        self.nx = networkx
        self.context = context
        self.phases = context.ruleset.phases
        self.before = len(context.findings.items)
        self.dangling = "HW302" in context.codes() or any(
            way.to not in self.phases for phase in self.phases.values() for way in phase.next
        )
        self.all: Graph = networkx.MultiDiGraph()
        self.all.add_nodes_from(self.phases)
        self.written = drawn(self.phases)  # with the ways that never open, named by another finding
        self.blocked: list[tuple[Phase, Transition]] = []
        for phase in self.phases.values():
            for way in phase.next:
                if way.to not in self.phases:
                    continue
                if way.when is not None and context.joint.constant(way.when) is False:
                    self.blocked.append((phase, way))
                else:
                    self.all.add_edge(phase.name, way.to, way=way)

    def run(self) -> None:
        self.ways()
        if not self.dangling and not any(not phase.next for phase in self.phases.values() if phase.kind != "final"):
            reached = self.reached()
            self.ends(reached)
            self.lost(reached)
        self.loops()

    # ---------------------------------------------------------------- ways out of one phase
    def ways(self) -> None:
        for phase in self.phases.values():
            if phase.kind == "final":
                continue
            if not phase.next:
                self.context.findings.add(
                    "HW303",
                    phase.span,
                    f"阶段“{phase.name}”没有出路：不是终局，也没有 next",
                    f'the phase "{phase.name}" has no way out: it is not final and has no next',
                    help=(
                        Text(
                            "写 next: 去哪个阶段；若牌局到此结束，写 final: true",
                            "write next: and a phase, or final: true if the match ends here",
                        ),
                    ),
                )
                continue
            self.shadowed(phase)
            if all(way.when is not None for way in phase.next):
                self.no_otherwise(phase)

    def shadowed(self, phase: Phase) -> None:
        earlier: list[tuple[Transition, Expr]] = []
        for number, way in enumerate(phase.next):
            open_ = next((other for other in phase.next[:number] if other.when is None), None)
            if open_ is not None:
                self.hidden(phase, way, open_, None)
                return
            if way.when is None:
                continue
            if earlier and self.context.joint.constant(way.when) is None:
                guards = [guard for _, guard in earlier]
                either = guards[0] if len(guards) == 1 else Logic(type=guards[0].type, op="or", parts=tuple(guards))
                if self.context.joint.implies([way.when], either):
                    covering = [other for other, guard in earlier if self.context.joint.implies([way.when], guard)]
                    self.hidden(phase, way, (covering or [earlier[-1][0]])[0], way.when)
            earlier.append((way, way.when))

    def hidden(self, phase: Phase, way: Transition, first: Transition, guard: Expr | None) -> None:
        text = self.context.evaluator.notation
        why = Text("前面的去路不带条件", "the way before it has no condition")
        if guard is not None and first.when is not None:
            why = Text(
                f"凡是“{text(guard)}”成立时，前面的“{text(first.when)}”已经成立",
                f'whenever "{text(guard)}" holds, "{text(first.when)}" has held before',
            )
        self.context.findings.add(
            "HW308",
            way.span,
            f"阶段“{phase.name}”到“{way.to}”的去路永远轮不到",
            f'the way from "{phase.name}" to "{way.to}" is never taken',
            related=(Related(Text("总是先走这一条", "this way always comes first"), first.span),),
            witness=why,
            help=(Text("把它移到前面，或删去", "move it up, or remove it"),),
        )

    def no_otherwise(self, phase: Phase) -> None:
        guards = [way.when for way in phase.next if way.when is not None]
        joint = self.context.joint
        last = phase.next[-1]
        case = joint.none_holds(guards) or joint.found_by_trying(guards)
        told = joint.told(case, guards) if case is not None else None
        every = len(guards) > 1 and joint.constant(Logic(type=guards[0].type, op="or", parts=tuple(guards))) is True
        help_ = Text("再写一条不带 when 的去路放在最后", "add a last way without `when`")
        if every:
            help_ = Text(
                f"条件已经占全：去掉最后“{last.to}”的 when",
                f'the conditions cover everything: drop the `when` of "{last.to}"',
            )
        self.context.findings.add(
            "HW309",
            last.span,
            f"阶段“{phase.name}”的去路都带条件，都不成立时就无路可走",
            f'every way out of "{phase.name}" has a condition; when none holds, play cannot go on',
            witness=told,
            related=(Related(Text("属于这个阶段", "it belongs to this phase"), phase.span),),
            help=(help_,),
        )

    # ---------------------------------------------------------------- reaching
    def reached(self) -> set[str]:
        start, nx = self.context.ruleset.start, self.nx
        reached: set[str] = {start} | nx.descendants(self.all, start)
        leave = self.context.ruleset.leave
        if leave is not None and leave.to in self.phases:
            reached |= {leave.to} | nx.descendants(self.all, leave.to)
        return reached

    def lost(self, reached: set[str]) -> None:
        """HW301; a final phase is left out where it is said already that the end cannot be reached."""
        said = any(item.code == "HW305" for item in self.context.findings.items[self.before :])
        lost = [p for p in self.phases.values() if p.name not in reached and not (said and p.kind == "final")]
        entered = {name: {p for p in self.all.predecessors(name) if p != name} for name in self.phases}
        for phase in lost:
            blockers = [
                (source, way) for source, way in self.blocked if way.to == phase.name and source.name in reached
            ]
            sources = sorted(entered[phase.name])
            if (
                not blockers
                and sources
                and any(source not in reached for source in sources)
                and not self.circle(phase.name, sources)
            ):
                continue  # only reached from another lost phase, which is named
            text = self.context.evaluator.notation
            why = Text("没有一个阶段的 next 通到这里", "no phase has it in its next")
            related: tuple[Related, ...] = ()
            if blockers:
                guard = blockers[0][1].when
                shown = text(guard) if guard is not None else ""
                why = Text(
                    f"唯一的去路要“{shown}”，而它永远不成立",
                    f'the only way there asks for "{shown}", which never holds',
                )
                related = (
                    Related(
                        Text("这条去路走不通", "this way is blocked"),
                        place(guard, blockers[0][1].span) if guard is not None else NOWHERE,
                    ),
                )
            elif sources:
                why = Text(
                    f"通到这里的只有 {listed(sources).zh}，它们自己也走不到",
                    f"only {listed(sources).en} lead here, which nothing reaches either",
                )
            self.context.findings.add(
                "HW301",
                phase.span,
                f"阶段“{phase.name}”永远走不到",
                f'nothing leads to the phase "{phase.name}"',
                witness=why,
                related=related,
                help=(
                    Text(
                        f"在该来的阶段的 next 里写上“{phase.name}”，或删去它",
                        f'write "{phase.name}" into the next of the phase before it, or remove it',
                    ),
                ),
            )

    def circle(self, name: str, sources: list[str]) -> bool:
        """Whether a lost phase is only reached from a ring that it is part of: then the first of the ring is named."""
        ring = [
            phase
            for phase in self.phases
            if self.nx.has_path(self.all, name, phase) and self.nx.has_path(self.all, phase, name)
        ]
        return len(ring) > 1 and ring[0] == name and all(source in ring for source in sources)

    def ends(self, reached: set[str]) -> None:
        nx = self.nx
        finals = [name for name, phase in self.phases.items() if phase.kind == "final"]
        if not finals:
            phase = self.phases[self.context.ruleset.start]
            self.context.findings.add(
                "HW305",
                phase.span,
                "没有终局：没有一个阶段写着 final: true",
                "there is no end: no phase says final: true",
                help=(Text("给最后的阶段写 final: true", "write final: true in the last phase"),),
            )
            return
        ending = set(finals).union(*(nx.ancestors(self.written, name) for name in finals))
        stuck = [name for name in self.phases if name in reached and name not in ending]
        if stuck:
            part = self.all.subgraph(stuck)
            for ring in nx.strongly_connected_components(part):
                names = sorted(ring, key=list(self.phases).index)
                if any(to not in ring for name in ring for to in self.all.successors(name)):
                    continue  # goes on into another ring, which is named
                if len(ring) == 1 and not self.all.out_degree(names[0]):
                    continue  # a dead end, named already
                self.endless(names)
        elif len(self.context.findings.items) == self.before and len(reached) == len(self.phases):
            total = plural(len(self.phases), "phase")
            self.context.proved.append(
                Text(f"{len(self.phases)}个阶段都走得到，都通到终局", f"{total}, all reachable, all can end")
            )

    def endless(self, names: list[str]) -> None:
        start = self.context.ruleset.start
        paths = [
            self.nx.shortest_path(self.all, start, name) for name in names if self.nx.has_path(self.all, start, name)
        ]
        path = min(paths, key=len, default=[names[0]])
        entry = path[-1]
        ring = self.around([*names], entry)
        shown = " -> ".join([*path, *ring[1:]])
        self.context.findings.add(
            "HW305",
            self.phases[entry].span,
            f"从阶段“{entry}”起再也打不到终局",
            f'from the phase "{entry}" on, the end cannot be reached',
            witness=Text(shown, shown),
            help=(
                Text("在圈里给一个阶段添一条通向终局的去路", "give one phase of the ring a way that leads to the end"),
            ),
        )

    def around(self, names: Iterable[str], entry: str) -> list[str]:
        """One way round through ``entry``, ending where it began."""
        part = self.all.subgraph(names)
        if not part.number_of_edges():
            return [entry]
        for to in part.successors(entry):
            if self.nx.has_path(part, to, entry):
                return [entry, *self.nx.shortest_path(part, to, entry)]
        return [entry]

    # ---------------------------------------------------------------- loops
    def loops(self) -> None:
        """Loops within a deal: automatic ones (HW312), those of choices (HW313), and open rounds (HW313)."""
        before = len(self.context.findings.items)
        inside = [name for name, phase in self.phases.items() if not _deals(phase)]
        rings = self.rings(inside)
        automatic = [name for name in inside if self.phases[name].kind == "auto"]
        for ring in self.rings([name for name in automatic if self.phases[name].measure is None]):
            if not self.spent(ring):
                self.loop(
                    "HW312",
                    ring,
                    Text("自动阶段绕成一圈，没有什么让它停下", "automatic phases run in a circle that nothing stops"),
                )
        for ring in self.rings([name for name in inside if self.phases[name].measure is None]):
            if not self.spent(ring) and not all(self.phases[name].kind == "auto" for name in self.cycle(ring)):
                self.loop("HW313", ring, Text("这一圈可以永远走下去", "this loop may go on for ever"))
        open_rounds = [phase for phase in self.phases.values() if _asks_again(self.context, phase)]
        for phase in open_rounds:
            if phase.measure is None and not round_ends(self.context, phase):
                self.context.findings.add(
                    "HW313",
                    phase.span,
                    f"阶段“{phase.name}”可以一圈一圈永远问下去",
                    f'the round of "{phase.name}" may go on for ever',
                    witness=self.chatter(phase),
                    help=(
                        Text(
                            "写 measure: 一个每走一步都变小的数，如手里的牌数",
                            "write measure: a number that falls with every move, such as the cards in hand",
                        ),
                    ),
                )
        check_still(self.context, rings)
        if len(self.context.findings.items) == before and (rings or open_rounds):
            self.measured(rings)

    def chatter(self, phase: Phase) -> Text:
        loud = next(
            (move.name for move in phase.moves.values() if not move.quiet and not limited(self.context, move)), ""
        )
        return Text(f"{loud}，{loud}，{loud}……", f"{loud}, {loud}, {loud} …")

    def loop(self, code: str, ring: list[str], message: Text) -> None:
        cycle = self.cycle(ring)
        shown = " -> ".join([*cycle, cycle[0]])
        first = self.phases[cycle[0]]
        self.context.findings.add(
            code,
            first.span,
            f"{message.zh}：{shown}",
            f"{message.en}: {shown}",
            related=tuple(Related(Text("经过这里", "it passes here"), self.phases[name].span) for name in cycle[1:]),
            witness=Text(shown, shown),
            help=(
                Text(
                    "给圈里的一个阶段写 measure: 每绕一圈都变小的数",
                    "give a phase of the loop a measure: a number that falls each time round",
                ),
            ),
        )

    def rings(self, names: Iterable[str]) -> list[list[str]]:
        """The knots among these phases, each in file order."""
        return knots(self.all, names)

    def cycle(self, ring: list[str]) -> list[str]:
        """One cycle of a knot, from its first phase in file order."""
        edges = [edge[0] for edge in self.nx.find_cycle(self.all.subgraph(ring))]
        first = min(range(len(edges)), key=lambda i: list(self.phases).index(edges[i]))
        return edges[first:] + edges[:first]

    def spent(self, ring: list[str], *, through: str = "", zone: str = "") -> bool:
        """Whether every way round takes a card out of a zone that nothing in the knot fills up."""
        phases = [self.phases[name] for name in ring]
        zones = {name: spending_phase(self.context, self.phases[name]) for name in ring}
        for found in {z for z in zones.values() if z is not None and zone in ("", z)}:
            if refills(phases, found):
                continue
            rest = self.rings([name for name in ring if zones[name] != found])
            if not any(not through or through in inner for inner in rest):
                return True
        return False

    def measured(self, rings: list[list[str]]) -> None:
        """Say of which measures it is shown that they fall."""
        proved, played = 0, []
        for name, phase in self.phases.items():
            again = _asks_again(self.context, phase)
            ring = next((ring for ring in rings if name in ring), None)
            if phase.measure is None:
                if again or ring is not None:
                    continue
                continue
            if self.falls(phase, ring, again=again):
                proved += 1
            else:
                played.append(name)
        total = proved + len(played)
        if not total:
            self.context.proved.append(Text("一局之内的圈都会停下", "every loop within a deal ends"))
            return
        self.context.proved.append(
            Text(
                f"一局之内的圈都有 measure（证明{proved}个，打的时候查{len(played)}个）",
                f"every loop within a deal has a measure ({proved} proved, {len(played)} checked in play)",
            )
        )
        for name in played:
            self.context.not_proved.append(
                Text(
                    f"阶段“{name}”的 measure 每次都变小：打的时候查",
                    f'that the measure of "{name}" falls every time: checked in play',
                )
            )

    def falls(self, phase: Phase, ring: list[str] | None, *, again: bool) -> bool:
        measure = self.context.evaluator.inline(phase.measure) if phase.measure is not None else None
        if measure is None:
            return False
        if phase.kind == "auto" and not again and countdown(self.context, phase, measure):
            return True
        if phase.kind == "auto" and drained(phase, measure) and ring in (None, [phase.name]):
            return True
        if again and ring is None and overcall_left(self.context, phase, measure):
            return True
        zone = counts_hands(measure)
        if zone is None:
            return False
        if again and {spends(self.context, move) for move in phase.moves.values() if not move.quiet} != {zone}:
            return False
        if again and refills([phase], zone):
            return False
        return ring is None or self.spent(ring, through=phase.name, zone=zone)


def _deals(phase: Phase) -> bool:
    """Whether a phase starts a deal or shuffles: loops through it are the match itself."""
    return phase.begins_deal or any(
        isinstance(step.action, Effect) and step.action.word == "shuffle" for step in phase_steps(phase)
    )


def _asks_again(context: Context, phase: Phase) -> bool:
    """Whether a round may ask a seat more than once."""
    if phase.kind != "round" or phase.round is None:
        return False
    if isinstance(phase.round, Const):
        return phase.round.value != 0
    return context.evaluator.values(phase.round).exact != frozenset({0})
