"""Identity: what has to be the same here and on every worker for the results to be the same.

The sources are digested when a worker first imports this module, as well as when it is asked: a
process that began before an update runs the old modules, whatever lies on its disk by now.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..runner import components, environment, sources

_AT_IMPORT = sources.digest()


@dataclass(frozen=True)
class Identity:
    """What a process runs.

    Args:
        source: digest of the sources on its disk.
        loaded: digest of the sources when it began.
        versions: name -> version of what results depend on.
        components: name -> version of what producers may need.
    """

    source: str
    loaded: str
    versions: tuple[tuple[str, str | None], ...]
    components: tuple[tuple[str, str | None], ...]


def identity() -> Identity:
    """The identity of this process."""
    return Identity(
        sources.digest(),
        _AT_IMPORT,
        tuple(sorted(environment.versions().items())),
        tuple(sorted(components.detect().items())),
    )


def stale(source: str) -> str:
    """Why this process may not run a task of those sources; empty if it may.

    Example:
        >>> stale("0" * 64)
        'it began with other sources of headproof'
    """
    return "" if source == _AT_IMPORT else "it began with other sources of headproof"


def difference(here: Identity, there: Identity) -> str:
    """What another process has otherwise; empty if nothing.

    Args:
        here: of this process.
        there: of the other.

    Example:
        >>> one = Identity("a", "a", (("python", "3.11"),), (("flint", None),))
        >>> difference(one, Identity("a", "a", (("python", "3.12"),), (("flint", None),)))
        'python 3.12 instead of 3.11'
        >>> difference(one, Identity("b", "a", (), ()))
        'other sources of headproof'
        >>> difference(one, Identity("a", "b", (), ()))
        'sources of headproof that changed since it began'
    """
    if here.source != there.source:
        return "other sources of headproof"
    if there.loaded != here.source:
        return "sources of headproof that changed since it began"
    for mine, others in ((here.versions, there.versions), (here.components, there.components)):
        found = dict(others)
        for name, version in mine:
            if found.get(name) != version:
                return f"{name} {found.get(name) or 'missing'} instead of {version or 'none'}"
    return ""
