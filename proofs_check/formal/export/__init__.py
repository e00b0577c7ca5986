"""Certificates as Rocq files: what a certificate states, proved by Rocq's kernel without axioms.

A program written in Rocq checks the certificate, a theorem says that what it accepts is true, and
the kernel runs the program (``vm_compute``). ``terms`` writes numbers and lists as Rocq reads
them; ``farkas``, ``hull`` and ``rank`` write one kind each; ``library`` cuts the definitions and
proofs out of the formal layer's own files; ``exported`` joins them into one file that needs nothing
beside Rocq's standard library; ``checking`` puts that file before coqc; ``collection`` does it for
folders and runs.
"""
