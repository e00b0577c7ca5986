"""A producer by its name: its module is imported when it runs.

A claim is data that ``headproof list`` shows at once, while the functions that settle it load torch
and sympy, which takes seconds. A `Deferred` stands for such a function in the declaration; it is
compared, hashed and sent to other processes by its name alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .claim import Context
    from .evidence import Outcome


@dataclass(frozen=True)
class Deferred:
    """A producer that is imported when it is called.

    Args:
        module: the full name of its module.
        function: its name there.

    Example:
        >>> Deferred("headproof.proofs_check.producers.tropical.cells", "attained").function
        'attained'
    """

    module: str
    function: str

    def __call__(self, context: Context) -> Outcome:
        """Import the function and call it."""
        return self.resolve()(context)

    def resolve(self) -> Callable[[Context], Outcome]:
        """The function itself.

        Raises:
            ImportError: there is no such module, or something that it imports is missing.
            AttributeError: the module has no function of that name.
        """
        function: Callable[[Context], Outcome] = getattr(import_module(self.module), self.function)
        return function

    def source_file(self) -> str | None:
        """The file of the module, which is not imported (its package is); None if not found."""
        try:
            spec = find_spec(self.module)
        except ModuleNotFoundError:
            return None
        return spec.origin if spec else None
