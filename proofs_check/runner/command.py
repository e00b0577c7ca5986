"""The command that settles claims again as a run did, ready to be copied into a shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ..claim import Profile


def verify_command(
    names: Sequence[str],
    *,
    profile: str,
    seed: int | None,
    require: Sequence[str] = (),
    registry: str = "",
) -> str:
    """The command, with every word quoted that a shell would read otherwise.

    Args:
        names: ids or topics; none for all claims.
        profile: of the run; the default one is left out, as is an empty one.
        seed: of the run; None leaves it out.
        require: kinds of evidence that had to run.
        registry: ``"module:function"`` if the claims are not the suite's.

    Example:
        >>> verify_command(["tropical.cells"], profile="full", seed=3)
        'headproof verify tropical.cells --profile full --seed 3'
    """
    words = ["headproof", "verify", *names]
    if profile not in ("", Profile.QUICK.value):
        words += ["--profile", profile]
    if seed is not None:
        words += ["--seed", str(seed)]
    for kind in require:
        words += ["--require", kind]
    if registry:
        words += ["--registry", registry]
    return shlex.join(words)
