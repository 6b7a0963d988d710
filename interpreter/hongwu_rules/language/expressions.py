"""From the text of a condition to a typed expression.

The text is parsed by the standard library's ``ast``, and every node is matched against the few
forms that the language has; names and types are settled on the way. Nothing else passes.
"""

from __future__ import annotations

import ast

from ..diagnostics import Span, Text
from ..diagnostics.nearest import nearest
from ..model.ir import (
    BASIC,
    BOOL,
    CARDS,
    INT,
    NONE,
    TRICK,
    Apply,
    Arith,
    Call,
    Compare,
    Const,
    Expr,
    Field,
    Fold,
    IfElse,
    In,
    IsNone,
    ListOf,
    Local,
    Logic,
    Lookup,
    Loop,
    Not,
    SlotRef,
    TrickRef,
    Type,
    ZoneRef,
)
from ..source.nodes import Scalar
from .advice import WHOLE, call_of, fold_of, other_form, write
from .grammar import Piece
from .parser import Fault, Locals, Parser, last_name
from .types import OPS, accepts, comparable, item_type, type_name
from .words import EFFECTS, FIELDS, FOLDS, WORDS, Word
from .world import INDEX_TYPES, World, normal

LADDER_WORDS = {"up", "down", "is_stop"}
ORDERED = {"int", "rank", "word"}


class Reader(Parser):
    """Reads one text with the names of a world and some local names."""

    def read(self, want: Type | None) -> Expr:
        """The expression, of the type ``want`` if one is given; raises Fault after noting a finding."""
        tree = self.parse()
        assert isinstance(tree, ast.Expression)
        return self.typed(tree.body, want)

    def typed(self, node: ast.AST, want: Type | None) -> Expr:
        """One node, checked against the wanted type."""
        found = self.node(node, want)
        if want is not None and not accepts(want, found.type):
            raise self.mismatch(node, want, found.type)
        return found

    # ---------------------------------------------------------------- nodes
    def node(self, node: ast.AST, want: Type | None) -> Expr:
        """One node of whatever type it has; ``want`` helps to read literals."""
        match node:
            case ast.Constant():
                return self.constant(node, want)
            case ast.Name():
                return self.name(node, want)
            case ast.BoolOp():
                parts = tuple(self.typed(value, BOOL) for value in node.values)
                return Logic(
                    type=BOOL, at=self.at(node), op="and" if isinstance(node.op, ast.And) else "or", parts=parts
                )
            case ast.UnaryOp(op=ast.Not()):
                return Not(type=BOOL, at=self.at(node), of=self.typed(node.operand, BOOL))
            case ast.UnaryOp(op=ast.USub()):
                inner = self.typed(node.operand, INT)
                if isinstance(inner, Const):
                    return Const(type=INT, at=self.at(node), value=-int(inner.value or 0))
                return Arith(
                    type=INT, at=self.at(node), op="-", left=Const(type=INT, at=self.at(node), value=0), right=inner
                )
            case ast.BinOp() if type(node.op) in OPS:
                left, right = self.typed(node.left, INT), self.typed(node.right, INT)
                return Arith(type=INT, at=self.at(node), op=OPS[type(node.op)], left=left, right=right)
            case ast.Compare():
                return self.comparison(node)
            case ast.IfExp():
                return self.choice(node, want)
            case ast.Call():
                return self.call(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.List() | ast.Set() | ast.Tuple():
                return self.written_list(node, want)
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp():
                raise self.fail(
                    "HW402",
                    node,
                    "“… for … in …”只能写在 any、all、count、sum 等的括号里",
                    '"… for … in …" stands only inside any(), all(), count(), sum() and their like',
                    fold_of("any"),
                )
            case _:
                raise self.no_form(node)

    def constant(self, node: ast.Constant, want: Type | None) -> Expr:
        value = node.value
        if isinstance(value, bool) or value is None:
            zh, en = f"“{value}”在这里是小写的", f'"{value}" is written in small letters here'
            raise self.fail("HW401", node, zh, en, write(str(value).lower()))
        if isinstance(value, int):
            if want is not None and want.name == "rank":
                if 2 <= value <= 10:
                    return Const(type=BASIC["rank"], at=self.at(node), value=value)
                raise self.fail("HW201", node, f"没有点数“{value}”", f"there is no rank {value}")
            if abs(value) > 10**9:
                raise self.fail("HW105", node, "数太大", "the number is too large")
            return Const(type=INT, at=self.at(node), value=value)
        if isinstance(value, str):
            found = self.world.literal(normal(value), want, self.at(node))
            if found is not None:
                return found
        hint = write(str(value)) if isinstance(value, str) else WHOLE
        raise self.fail("HW402", node, "这里不能写这样的值", "such a value has no place here", hint)

    def no_form(self, node: ast.AST) -> Fault:
        """Something that Python knows and the rules language does not."""
        zh, en = "规则里没有这种写法", "the rules language has no such form"
        return self.fail("HW402", node, zh, en, other_form(node))

    def name(self, node: ast.Name, want: Type | None) -> Expr:
        name, at = node.id, self.at(node)
        if name == "none":
            return Const(type=NONE, at=at, value=None)
        if name in self.names:
            return Local(type=self.names[name], at=at, name=name)
        if name == "trick":
            return TrickRef(type=TRICK, at=at)
        if want is not None and (want.words or want.name in ("group", "line", "shape")):
            found = self.world.literal(name, want, at)
            if found is not None:
                return found
        if name in self.world.defines:
            return self.apply(node, name, [])
        if name in self.world.slots and self.world.slots[name][0]:
            index = ", ".join(self.world.slots[name][0])
            zh, en = f"“{name}”每家一个，要写明是谁的", f'"{name}" is one for each, and this does not say whose'
            raise self.fail("HW402", node, zh, en, write(f"{name}[{index}]"))
        if name in self.world.zones and self.world.zones[name] and (want is None or want.name != "hands"):
            zh, en = f"“{name}”每家一份，要写明是谁的", f'"{name}" is one for each seat, and this does not say whose'
            raise self.fail("HW402", node, zh, en, write(f"{name}[seat]"))
        found = self.world.literal(name, want, at) if not self.world.variable(name) else None
        found = found or self.world.resolve(name, at)
        if found is None:
            if name in WORDS or name in FOLDS or name in EFFECTS or name in self.world.tables:
                zh, en = f"“{name}”后面要有括号", f'"{name}" needs brackets after it'
                raise self.fail("HW402", node, zh, en, call_of(self.world, name))
            raise self.unknown(name, at, also=[*self.names, *(want.words if want else ())])
        if (
            isinstance(found, Const)
            and found.type.name == "card"
            and self.world.deck is not None
            and found.value not in self.world.deck
        ):
            raise self.fail("HW201", node, f"这副牌里没有 {name}", f"{name} is not in this deck")
        return found

    def is_literal(self, node: ast.AST) -> bool:
        """Whether a node means nothing by itself until the other side gives its type."""
        if isinstance(node, ast.Constant):
            return True
        return (
            isinstance(node, ast.Name)
            and node.id != "none"
            and node.id not in self.names
            and node.id != "trick"
            and not self.world.variable(node.id)
        )

    def comparison(self, node: ast.Compare) -> Expr:
        operands = [node.left, *node.comparators]
        parts = [self.compare(node, operands[i], op, operands[i + 1]) for i, op in enumerate(node.ops)]
        if len(parts) == 1:
            return parts[0]
        return Logic(type=BOOL, at=self.at(node), op="and", parts=tuple(parts))

    def compare(self, node: ast.Compare, left: ast.AST, op: ast.cmpop, right: ast.AST) -> Expr:
        at = self.at(node)
        if isinstance(op, ast.In | ast.NotIn):
            return self.membership(at, left, right, negated=isinstance(op, ast.NotIn))
        if isinstance(op, ast.Is | ast.IsNot) or (isinstance(right, ast.Name) and right.id == "none"):
            if not (isinstance(right, ast.Name) and right.id == "none"):
                equal = write("!=" if isinstance(op, ast.IsNot) else "==")
                raise self.fail("HW402", node, "is 只用来问 is none", '"is" is only used in "is none"', equal)
            negated = isinstance(op, ast.IsNot | ast.NotEq)
            return IsNone(type=BOOL, at=at, of=self.node(left, None), negated=negated)
        one, two = self.pair(left, right)
        sign = OPS.get(type(op))
        if sign is None:
            raise self.no_form(node)
        if not one.type.same(two.type):
            a, b = type_name(one.type), type_name(two.type)
            zh, en = f"{a.zh}和{b.zh}不能相比", f"{a.en} and {b.en} cannot be compared"
            raise self.fail("HW402", node, zh, en, *comparable(one.type, two.type))
        if sign not in ("==", "!=") and one.type.name not in ORDERED:
            a = type_name(one.type)
            zh, en = f"{a.zh}之间不能比大小，只能问是否相同", f"{a.en} has no order here; only == and != can be asked"
            raise self.fail("HW402", node, zh, en, Text("写 == 或 !=", "write == or !="))
        return Compare(type=BOOL, at=at, op=sign, left=one, right=two)

    def pair(self, left: ast.AST, right: ast.AST) -> tuple[Expr, Expr]:
        """Two sides of a comparison; the side with a type of its own helps to read the other."""
        if self.is_literal(left) and not self.is_literal(right):
            two = self.node(right, None)
            return self.node(left, two.type), two
        one = self.node(left, None)
        two = self.node(right, one.type)
        if not one.type.same(two.type) and isinstance(left, ast.Name) and left.id in two.type.words:
            one = self.node(left, two.type)
        return self.as_rank(one, two.type), self.as_rank(two, one.type)

    def as_rank(self, found: Expr, beside: Type) -> Expr:
        """A define that is just a number, beside a rank: that rank, as a number written out would be."""
        if beside.name == "rank" and isinstance(found, Apply) and found.type.name == "int":
            sign = self.world.define_of(found.define)
            if sign is not None and sign.number is not None and 2 <= sign.number <= 10:
                return Const(type=BASIC["rank"], at=found.at, value=sign.number)
        return found

    def membership(self, at: Span, left: ast.AST, right: ast.AST, *, negated: bool) -> Expr:
        if isinstance(right, ast.List | ast.Set | ast.Tuple):
            item = self.node(left, None)
            container: Expr = self.written_list(right, Type("list", item=item.type.sure))
        else:
            container = self.node(right, None)
            inside = item_type(container.type)
            if inside is None:
                raise self.mismatch(right, CARDS, container.type)
            item = self.node(left, inside)
        inside = item_type(container.type)
        if inside is not None and not item.type.same(inside):
            raise self.mismatch(left, inside, item.type)
        return In(type=BOOL, at=at, item=item, container=container, negated=negated)

    def written_list(self, node: ast.List | ast.Set | ast.Tuple, want: Type | None) -> Expr:
        inside = want.item if want is not None and want.name == "list" else None
        if inside is None and any(
            isinstance(e, ast.Name) and e.id in ("J", "Q", "K", "A") and self.is_literal(e) for e in node.elts
        ):
            inside = BASIC["rank"]  # [10, J, Q]: the 10 is a rank too
        items: list[Expr] = []
        for element in node.elts:
            found = self.node(element, inside)
            if inside is not None and not found.type.same(inside):
                raise self.mismatch(element, inside, found.type)
            inside = inside or found.type.sure
            items.append(found)
        if inside is None:
            zh, en = "列表是空的", "the list is empty"
            raise self.fail("HW402", node, zh, en, Text("写上里面的值，如 [2, 3]", "write its values, as in [2, 3]"))
        return ListOf(type=Type("list", item=inside), at=self.at(node), items=tuple(items))

    def choice(self, node: ast.IfExp, want: Type | None) -> Expr:
        test = self.typed(node.test, BOOL)
        if want is None and self.is_literal(node.body) and not self.is_literal(node.orelse):
            no = self.node(node.orelse, want)
            yes = self.node(node.body, no.type)
        else:
            yes = self.node(node.body, want)
            no = self.node(node.orelse, want or yes.type)
        if not (yes.type.same(no.type) or "none" in (yes.type.name, no.type.name)):
            raise self.mismatch(node.orelse, yes.type, no.type)
        kind = no.type if yes.type.name == "none" else yes.type
        optional = yes.type.optional or no.type.optional
        kind = Type(kind.name, optional, kind.of, kind.words, kind.item)
        return IfElse(type=kind, at=self.at(node), test=test, yes=yes, no=no)

    # ---------------------------------------------------------------- calls
    def call(self, node: ast.Call) -> Expr:
        if not isinstance(node.func, ast.Name) or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            raise self.no_form(node)
        name = node.func.id
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) and name in FOLDS:
            return self.fold(node, name, node.args[0])
        if name in self.world.defines:
            return self.apply(node, name, node.args)
        if name in self.world.tables:
            return self.lookup(node, name)
        word = WORDS.get(name)
        if word is None:
            if name in FOLDS:
                zh, en = f"{name} 的括号里要写“… for … in …”", f'{name}() takes "… for … in …"'
                raise self.fail("HW402", node, zh, en, fold_of(name))
            if name in EFFECTS or name == "random":
                where = Text("动作写在 do 或 then 里", "actions are steps of `do` or `then`")
                raise self.fail(
                    "HW402", node, f"{name} 是动作，不能写在条件里", f"{name} is an action, not a value", where
                )
            raise self.unknown(name, self.at(node.func))
        return self.builtin(node, name, word)

    def builtin(self, node: ast.Call, name: str, word: Word) -> Expr:
        args = self.arguments(node, name, word)
        if not self.world.ladder and (name in LADDER_WORDS or (name == "step" and args[0].type.name == "rank")):
            zh, en = f"没有 ladder，{name} 无级可升降", f"{name} needs a ladder, and this file has none"
            raise self.fail(
                "HW401", node, zh, en, Text("写上 ladder: {steps: 2 3 4 …}", "add ladder: {steps: 2 3 4 …}")
            )
        result = word.result
        if result == "same":
            kind = args[0].type
        elif result.startswith("list "):
            kind = Type("list", item=self.world.basic(result[5:]))
        else:
            found = self.world.basic(result)
            assert found is not None
            kind = found
        return Call(type=kind, at=self.at(node), word=name, args=args)

    def arguments(self, node: ast.Call, name: str, word: Word) -> tuple[Expr, ...]:
        """The arguments of a word, each of a type that its parameter accepts."""
        params = list(word.params)
        repeat = params.pop()[1:] if params and params[-1].startswith("*") else ""
        if len(node.args) < len(params) or (len(node.args) > len(params) and not repeat):
            n = len(params)
            raise self.fail(
                "HW402",
                node,
                f"{name} 要{n}个参数，这里有{len(node.args)}个",
                f"{name} takes {n} argument{'s' * (n != 1)}, not {len(node.args)}",
                call_of(self.world, name),
            )
        out: list[Expr] = []
        for i, arg in enumerate(node.args):
            accepted = (params[i] if i < len(params) else repeat).split()
            out.append(self.argument(arg, accepted))
        return tuple(out)

    def argument(self, node: ast.AST, accepted: list[str]) -> Expr:
        if accepted == ["move"]:
            move = self.world.move(node.id if isinstance(node, ast.Name) else "", self.at(node))
            if move is None:
                raise Fault
            return move
        want = (
            Type("hands") if accepted[0] == "hands" else self.world.basic(accepted[0]) if len(accepted) == 1 else None
        )
        if want is None and "rank" in accepted and isinstance(node, ast.Constant):
            want = BASIC["rank"]
        found = self.node(node, want)
        if "any" in accepted or found.type.name in accepted:
            return found
        if "zone" in accepted and isinstance(found, ZoneRef):
            return found
        if "hands" in accepted and isinstance(found, ZoneRef) and not found.index:
            return found
        raise self.mismatch(node, Type(accepted[0]), found.type)

    def apply(self, node: ast.AST, name: str, args: list[ast.expr]) -> Expr:
        sign = self.world.define_of(name)
        if sign is None:
            raise Fault
        if len(args) != len(sign.params):
            n = len(sign.params)
            zh, en = (
                f"“{name}”要{n}个参数，这里有{len(args)}个",
                f'"{name}" takes {n} argument{"s" * (n != 1)}, not {len(args)}',
            )
            raise self.fail("HW402", node, zh, en, call_of(self.world, name))
        typed = tuple(self.typed(arg, kind) for arg, (_, kind) in zip(args, sign.params, strict=True))
        return Apply(type=sign.result, at=self.at(node), define=name, args=typed)

    def lookup(self, node: ast.Call, name: str) -> Expr:
        given = self.world.tables[name].given
        if len(node.args) != len(given):
            n = len(given)
            zh, en = f"表“{name}”要{n}个输入", f'the table "{name}" takes {n} input{"s" * (n != 1)}'
            raise self.fail("HW402", node, zh, en, call_of(self.world, name))
        args = tuple(self.typed(arg, kind) for arg, kind in zip(node.args, given.values(), strict=True))
        return Lookup(type=Type("row", of=name), at=self.at(node), table=name, args=args)

    def fold(self, node: ast.Call, name: str, gen: ast.GeneratorExp) -> Expr:
        saved = dict(self.names)
        loops: list[Loop] = []
        conditions: list[Expr] = []
        for part in gen.generators:
            if not isinstance(part.target, ast.Name) or part.is_async:
                zh, en = "for 后面只能是一个名字", "one plain name stands after for"
                raise self.fail("HW402", node, zh, en, fold_of(name))
            source = self.node(part.iter, None)
            inside = item_type(source.type)
            if inside is None:
                raise self.mismatch(part.iter, Type("list"), source.type)
            var = part.target.id
            loops.append(Loop(var, inside, source))
            self.names[var] = inside
            conditions += [self.typed(test, BOOL) for test in part.ifs]
        want = (
            BOOL
            if name in ("any", "all", "count")
            else INT
            if name == "sum"
            else BASIC["card"]
            if name == "cards"
            else None
        )
        body = self.typed(gen.elt, want)
        self.names = saved
        cond = None
        if conditions:
            cond = (
                conditions[0]
                if len(conditions) == 1
                else Logic(type=BOOL, at=self.at(gen), op="and", parts=tuple(conditions))
            )
        if name in ("min", "max") and body.type.name not in ORDERED:
            raise self.mismatch(gen.elt, INT, body.type)
        kind = {"any": BOOL, "all": BOOL, "count": INT, "sum": INT, "cards": CARDS, "most": loops[0].type}.get(
            name, body.type.sure
        )
        return Fold(type=kind, at=self.at(node), word=name, body=body, loops=tuple(loops), cond=cond)

    # ---------------------------------------------------------------- fields and look-ups
    def attribute(self, node: ast.Attribute) -> Expr:
        of = self.node(node.value, None)
        if of.type.name == "row":
            gives = self.world.tables[of.type.of].gives
            if node.attr not in gives:
                raise self.fail(
                    "HW401",
                    last_name(node),
                    f"表“{of.type.of}”没有“{node.attr}”这一列",
                    f'the table "{of.type.of}" gives no "{node.attr}"',
                    Text("它有：" + "、".join(gives), "it gives: " + ", ".join(gives)),
                )
            return Field(type=INT, at=self.at(node), of=of, name=node.attr)
        fields = FIELDS.get(of.type.name)
        if fields is None or node.attr not in fields:
            what = type_name(of.type)
            have = tuple(fields or ())
            hint = (Text("可以写：" + "、".join(have), "it has: " + ", ".join(have)),) if have else ()
            near = nearest(node.attr, have)
            hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'), *hint) if near else hint
            spot = last_name(node)
            raise self.fail("HW401", spot, f"{what.zh}没有“{node.attr}”", f'{what.en} has no "{node.attr}"', *hint)
        result = fields[node.attr]
        kind = Type("list", item=BASIC[result[5:]]) if result.startswith("list ") else self.world.basic(result)
        assert kind is not None
        return Field(type=kind, at=self.at(node), of=of, name=node.attr)

    def subscript(self, node: ast.Subscript) -> Expr:
        if not isinstance(node.value, ast.Name):
            raise self.no_form(node)
        name = node.value.id
        index = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in self.world.slots:
            wanted, kind = self.world.slots[name]
            if len(wanted) != len(index):
                zh, en = f"“{name}”要{len(wanted)}个下标", f'"{name}" takes {len(wanted)} index(es)'
                raise self.fail("HW402", node, zh, en, write(f"{name}[{', '.join(wanted)}]" if wanted else name))
            typed = tuple(self.typed(part, INDEX_TYPES[want]) for part, want in zip(index, wanted, strict=True))
            return SlotRef(type=kind, at=self.at(node), name=name, index=typed)
        if name in self.world.zones:
            if not self.world.zones[name] or len(index) != 1:
                zh, en = f"“{name}”不分座位", f'"{name}" is not one for each seat'
                raise self.fail("HW402", node, zh, en, write(name if not self.world.zones[name] else f"{name}[seat]"))
            return ZoneRef(type=CARDS, at=self.at(node), name=name, index=(self.typed(index[0], INDEX_TYPES["seat"]),))
        raise self.unknown(name, self.at(node.value))


def read(world: World, scalar: Scalar, piece: Piece, want: Type | None, names: Locals) -> Expr | None:
    """The typed expression of a text, or None after noting why not."""
    try:
        return Reader(world, scalar, piece, names).read(want)
    except Fault:
        return None
