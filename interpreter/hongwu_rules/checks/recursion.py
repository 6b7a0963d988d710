"""Definitions that need each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def define_cycles(needs: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """One chain for each knot of names that need each other, its first name repeated at the end.

    >>> define_cycles({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]})
    [['b', 'c', 'b']]
    """
    found: list[list[str]] = []
    state: dict[str, int] = {}  # 1 on the path, 2 done
    for start in needs:
        if start in state:
            continue
        path: list[str] = [start]
        state[start] = 1
        todo = [iter(needs[start])]
        while todo:
            name = next(todo[-1], None)
            if name is None:
                todo.pop()
                state[path.pop()] = 2
            elif state.get(name) == 1:
                chain = path[path.index(name) :]
                if not any(set(chain) & set(known) for known in found):
                    found.append([*chain, name])
            elif name in needs and name not in state:
                state[name] = 1
                path.append(name)
                todo.append(iter(needs[name]))
    return found
