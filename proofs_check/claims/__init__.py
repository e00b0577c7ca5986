"""The claims: what is stated, in one package per topic, each of which exports ``CLAIMS``.

To add one, write ``claims/<topic>/<noun>.py`` with a ``CLAIM``: its id ``<topic>.<noun>``, its
statements (as stated, as verified, and a deliberately false control) with the verdict expected of
each, and a `Producer` for every piece of evidence; then list it in the topic's ``CLAIMS``. The
functions that settle it go into ``producers/<topic>/<noun>.py`` and are named there by `Deferred`,
because a declaration imports nothing but what declares: ``headproof list`` shows all claims without
loading torch or sympy. A plain module-level function works too where its module loads quickly, as
in a registry of one's own. ``tests/proofs_check/claims`` checks that every name leads to a function
and that each control is refuted.
"""
