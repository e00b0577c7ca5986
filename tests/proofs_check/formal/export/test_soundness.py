"""A program that checks less than it must is not proved sound: each condition is needed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from headproof.proofs_check.formal.compilation import compile_all, copy_sources
from headproof.proofs_check.formal.manifest import FOLDER
from headproof.proofs_check.formal.statements import CERTIFICATES

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")

WEAKER = {
    "farkas: any sign": ("Equal => true | _ => (0 <=? m)%Z", "Equal => true | _ => true"),
    "farkas: a tie is enough": ("((b <? 0)%Z ||", "((b <=? 0)%Z ||"),
    "farkas: any row is strict": ("Below => (0 <? m)%Z", "Below => (0 <=? m)%Z"),
    "farkas: the rows need not cancel": ("forallb (Z.eqb 0) a &&", "true &&"),
    "hull: a tie wins": ("(product u q <? value)%Z", "(product u q <=? value)%Z"),
    "hull: up or down": ("(0 <? nth (pred m) u 0)%Z", "(-2 <? nth (pred m) u 0)%Z"),
    "hull: a repeated point is a vertex": (
        "&& negb (existsb (fun q => same_numbers q p) (firstn i points))",
        "",
    ),
    "hull: a combination of any points": (
        "&& is_vertex (nth j reasons (Repeats 0%Z))",
        "&& (j <? length reasons)%nat",
    ),
    "hull: a combination of itself": ("&& negb (same_numbers (nth j points []) p)", ""),
    "hull: negative weights": ("(0 <=? snd t)%Z && is_vertex", "is_vertex"),
    "hull: no weights": ("(0 <? total)%Z\n", "(0 <=? total)%Z\n"),
    "hull: above or below": ("Upper => (0 <=? a)%Z", "Upper => true"),
    "hull: another point is repeated": (
        "(Z.to_nat j <? i)%nat && same_numbers (nth (Z.to_nat j) points []) p",
        "(Z.to_nat j <? i)%nat",
    ),
    "hull: other vertices": (
        "&& (if list_eq_dec Nat.eq_dec vertices (vertices_from 0 reasons) then true else false)",
        "",
    ),
    "hull: points of any length": ("forallb (fun p => (length p =? m)%nat) points", "true"),
    "rank: dependent rows": ("&& independent_modulo p r chosen", ""),
    "rank: dependent vectors": ("&& independent_modulo p (length kernel) kernel", ""),
    "rank: too few of both": ("(length kernel + r =? n)%nat", "(length kernel + r <=? n)%nat"),
    "rank: no kernel": ("(product whole v =? 0)%Z", "(product whole v <=? 0)%Z"),
    "rank: any pivot": (
        "if (a mod p =? 0)%Z then pivot p rest (S c) else Some (c, a)",
        "Some (c, a)",
    ),
    "rank: vectors of any length": ("forallb (fun v => (length v =? n)%nat) kernel", "true"),
}


@pytest.mark.long
@needs_coq
@pytest.mark.parametrize("name", WEAKER)
def test_a_weaker_program_has_no_proof(name: str, tmp_path: Path) -> None:
    scratch = tmp_path / "rocq"
    proof = f"proofs/{name.split(':')[0]}.v"
    wanted = {CERTIFICATES, "proofs/ordered.v", proof}
    files = [file for file in copy_sources(FOLDER, scratch) if file in wanted]
    strong, weak = WEAKER[name]
    text = (scratch / CERTIFICATES).read_text()
    assert text.count(strong) == 1
    (scratch / CERTIFICATES).write_text(text.replace(strong, weak))
    errors = compile_all(scratch, files, jobs=1).errors
    assert [file for file in files if errors[file]] == [proof], errors
