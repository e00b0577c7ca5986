"""The formal layer: Rocq proofs compiled, questioned and held against the manifest.

``sentences`` splits a file into sentences, ``vernacular`` says which of them a proof may use,
``statements`` reads the statement files, ``manifest`` says what each claim rests on;
``compilation`` and ``audit`` put coqc and coqtop to work, ``verification`` joins them, ``shared``
does it once for all claims, and ``evidence`` hands it over to a run.
"""
