"""The verification on small folders: a good one, and for every way to be wrong one that is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from headproof.proofs_check.formal.compilation import compile_all, copy_sources
from headproof.proofs_check.formal.manifest import FOLDER
from headproof.proofs_check.formal.sentences import sentences
from headproof.proofs_check.formal.statements import CERTIFICATES, read_statements
from headproof.proofs_check.formal.statements import FILES as STATEMENT_FILES
from headproof.proofs_check.formal.verification import Standing, TheoremResult, verify_formal
from headproof.proofs_check.formal.vernacular import objections
from headproof.symbolic.errors import InputError

STATEMENTS = """(* Small statements. *)
From Coq Require Import Arith.

(* Adding 0 changes nothing. *)
Definition zero : Prop := forall n : nat, n + 0 = n.

(* What no proof shows. *)
Definition odd : Prop := forall n : nat, n + 1 = n.
"""

OTHER = "Definition trivial : Prop := True.\n"

WITH_WORDS = """From Coq Require Import Arith.

(* Twice a number. *)
Definition twice (n : nat) : nat := n + n.

Definition doubled : Prop := forall n : nat, twice n = n + n.

Fixpoint thrice (n : nat) : nat := match n with O => O | S m => S (S (S (thrice m))) end.

Definition tripled : Prop := forall n : nat, thrice n = n + twice n.
"""

OPENING = "From Coq Require Import Arith.\nFrom Headproof Require Import StatementsAlgebra.\n"

GOOD = "Theorem holds : zero. Proof. intro n. symmetry. apply plus_n_O. Qed.\n"

FUNEXT = "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep"

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "proofs").mkdir()
    (tmp_path / "StatementsAlgebra.v").write_text(STATEMENTS)
    (tmp_path / "StatementsAnalysis.v").write_text(OTHER)
    (tmp_path / CERTIFICATES).write_text(WITH_WORDS)
    return tmp_path


def outcome(
    folder: Path,
    proof: str,
    *,
    statement: str = "zero",
    theorem: str = "holds",
    axioms: tuple[str, ...] = (),
    sha256: str | None = None,
    coq: str | None = "8.16.1",
) -> TheoremResult:
    (folder / "proofs" / "small.v").write_text(OPENING + proof)
    entry = {
        "proves": "s",
        "statement": statement,
        "theorem": theorem,
        "file": "proofs/small.v",
        "sha256": sha256 or read_statements(folder)[statement].sha256,
        "axioms": list(axioms),
    }
    manifest = {
        "format": "headproof-formal-manifest/1",
        "claims": {"topic.noun": [entry]},
        "unattached": [],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    verification = verify_formal(folder, coq=coq, jobs=1)
    (result,) = verification.results
    assert verification.failed == (result.standing is Standing.FAILED)
    return result


@needs_coq
def test_a_good_proof_is_checked(folder: Path) -> None:
    result = outcome(folder, GOOD)
    assert (result.standing, result.reasons, result.axioms) == (Standing.CHECKED, (), ())
    assert result.comment == "Adding 0 changes nothing."
    assert result.text == "Definition zero : Prop := forall n : nat, n + 0 = n."


WRONG = {
    "broken proof": (
        "Theorem holds : zero. Proof. intro n. reflexivity. Qed.\n",
        ("proofs/small.v does not compile",),
    ),
    "Admitted": (
        "Theorem holds : zero. Admitted.\n",
        (
            "small.v:3: Admitted: a gap",
            "holds is not opaque",
            "rests on Headproof.proofs.small.holds,",
        ),
    ),
    "top-level Hypothesis": (
        "Hypothesis h : zero.\nTheorem holds : zero. Proof. exact h. Qed.\n",
        (
            "small.v:3: Hypothesis: an assumption outside any section",
            "rests on Headproof.proofs.small.h,",
        ),
    ),
    "Defined for Qed": (
        GOOD.replace("Qed", "Defined"),
        ("holds is not opaque: its proof must end with Qed",),
    ),
    "missing theorem": (GOOD.replace("holds", "other"), ("no theorem holds in proofs/small.v",)),
    "another statement": (
        "Theorem holds : trivial_here. Proof. exact I. Qed.\n".replace("trivial_here", "True"),
        ("holds is not of the type zero",),
    ),
    "its own zero": (
        "Definition zero : Prop := True.\nTheorem holds : zero. Proof. exact I. Qed.\n",
        ("holds is not of the type zero",),
    ),
    "disabled universe check": (
        "Unset Universe Checking.\nDefinition T : Type := Type.\n"
        "Definition small : T := Type.\n" + GOOD,
        ("small.v:3: Universe Checking: a switch", "holds relies on an unsafe hierarchy"),
    ),
    "disabled guard check": (
        "#[bypass_check(guard)] Fixpoint loop (n : nat) : zero := loop n.\n"
        "Theorem holds : zero. Proof. exact (loop 0). Qed.\n",
        ("small.v:3: bypass_check: an attribute", "loop is assumed to be guarded"),
    ),
    "an axiom that a notation hides from a reader of comments": (
        'Notation "a +( * b" := (a + b) (at level 70).\n'
        "Definition one (a b : nat) : nat := a +(* b.\n"
        "Axiom given : zero. (* *)\n"
        'Notation "a *) b" := (a + b) (at level 70).\n'
        "Definition two (a b : nat) : nat := a *) b.\n"
        "Theorem holds : zero. Proof. exact given. Qed.\n",
        ("proofs/small.v does not compile: refused", "white space before a comment"),
    ),
    "a file that writes files": (
        'Redirect "../answers/type0" Print nat.\n' + GOOD,
        ("proofs/small.v does not compile: refused", "small.v:3: Redirect: a command with"),
    ),
    "code from elsewhere": (
        'Declare ML Module "extraction_plugin".\n' + GOOD,
        ("proofs/small.v does not compile: refused", "small.v:3: Declare ML: code from"),
    ),
    "a module with a parameter": (
        "Module Type T.\nParameter given : zero.\nEnd T.\nDeclare Module M : T.\n"
        "Theorem holds : zero. Proof. exact M.given. Qed.\n",
        (
            "proofs/small.v does not compile: refused",
            "small.v:3: Module: not among",
            "small.v:4: Parameter: an assumption",
            "small.v:6: Declare: not among",
        ),
    ),
    "a primitive of the kernel": (
        "From Coq Require Import PrimInt63.\n"
        "Theorem holds : zero. Proof. pose (x := add). intro n. symmetry. apply plus_n_O. Qed.\n",
        ("rests on Coq.Numbers.Cyclic.Int63.PrimInt63.add, Coq.",),
    ),
    "a coercion from what is proved": (
        "Inductive other : Prop := given.\n"
        "Definition to_zero (o : other) : zero := fun n => eq_sym (plus_n_O n).\n"
        "Coercion to_zero : other >-> zero.\n"
        "Theorem holds : other. Proof. exact given. Qed.\n",
        ("holds is not of the type zero",),
    ),
    "false statement from an axiom of the library": (
        "From Coq Require Import FunctionalExtensionality.\n"
        "Theorem holds : zero. Proof.\n"
        "pose proof (functional_extensionality (fun n => n + 0) (fun n => n)) as e.\n"
        "intro n. exact (f_equal (fun f => f n) (e (fun m => eq_sym (plus_n_O m)))). Qed.\n",
        (f"rests on {FUNEXT},",),
    ),
}


@pytest.mark.long
@needs_coq
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_proof_fails_for_its_own_reason(name: str, folder: Path) -> None:
    proof, reasons = WRONG[name]
    result = outcome(folder, proof)
    assert result.standing is Standing.FAILED
    assert len(result.reasons) == len(reasons), result.reasons
    for found, expected in zip(result.reasons, reasons, strict=True):
        assert expected in found


@needs_coq
def test_an_allowed_axiom_is_allowed(folder: Path) -> None:
    proof, _ = WRONG["false statement from an axiom of the library"]
    result = outcome(folder, proof, axioms=(FUNEXT,))
    assert (result.standing, result.axioms) == (Standing.CHECKED, (FUNEXT,))


@needs_coq
def test_an_axiom_that_is_called_like_an_allowed_one_is_another(folder: Path) -> None:
    proof = (
        "Axiom functional_extensionality_dep : forall n : nat, n + 1 = n.\n"
        "Theorem holds : odd. Proof. exact functional_extensionality_dep. Qed.\n"
    )
    result = outcome(folder, proof, statement="odd", axioms=(FUNEXT,))
    assert result.standing is Standing.FAILED
    assert result.reasons == (
        "small.v:3: Axiom: an assumption",
        "rests on Headproof.proofs.small.functional_extensionality_dep, which the manifest does "
        "not allow",
    )


@needs_coq
def test_a_statement_that_drifted_fails(folder: Path) -> None:
    before = read_statements(folder)["zero"].sha256
    drifted = STATEMENTS.replace("n + 0 = n", "n + (n - n) = n")
    (folder / "StatementsAlgebra.v").write_text(drifted)
    proof = "Theorem holds : zero. Proof. intro n. rewrite Nat.sub_diag. auto. Qed.\n"
    result = outcome(folder, proof, sha256=before)
    assert result.standing is Standing.FAILED
    assert len(result.reasons) == 1
    assert result.reasons[0].startswith("the statement drifted")


@needs_coq
def test_what_is_wrong_in_a_required_file_counts(folder: Path) -> None:
    (folder / "proofs" / "base.v").write_text(
        "From Headproof Require Import StatementsAlgebra.\nAxiom given : zero.\n"
    )
    proof = "From Headproof.proofs Require Import base.\n" + GOOD.replace(
        "intro n. symmetry. apply plus_n_O.", "exact given."
    )
    result = outcome(folder, proof)
    assert [reason.split(":")[0] for reason in result.reasons] == [
        "base.v",
        "rests on Headproof.proofs.base.given, which the manifest does not allow",
    ]


def test_without_rocq_nothing_passes(folder: Path) -> None:
    result = outcome(folder, GOOD, coq=None)
    assert (result.standing, result.reasons) == (Standing.NOT_RUN, ("coqc is missing",))


def test_the_digest_sees_scopes_and_not_comments(folder: Path) -> None:
    path = folder / "StatementsAlgebra.v"
    before = read_statements(folder)["zero"].sha256
    path.write_text(STATEMENTS.replace("(* Adding 0", "(* Adding nothing"))
    assert read_statements(folder)["zero"].sha256 == before
    path.write_text(STATEMENTS.replace("Arith.", "Arith.\nLocal Open Scope nat_scope."))
    assert read_statements(folder)["zero"].sha256 != before


@pytest.mark.parametrize(
    "more",
    [
        "Definition three : nat := 3.\n",
        "Notation f := 3.\n",
        "Lemma l : True. Proof. exact I. Qed.\n",
        "Local Open Scope nat_scope.\n",
        "Definition zero : Prop := True.\n",
        "Definition three : Prop := True (* a comment *).\n#[local] Axiom a : False.\n",
    ],
)
def test_a_statement_file_holds_statements_only(more: str, folder: Path) -> None:
    (folder / "StatementsAlgebra.v").write_text(STATEMENTS + more)
    with pytest.raises(InputError):
        read_statements(folder)


def test_a_digest_covers_the_words_defined_before(folder: Path) -> None:
    before = read_statements(folder)
    assert {"doubled", "tripled"} < set(before)
    path = folder / CERTIFICATES
    path.write_text(WITH_WORDS.replace("S (S (S (thrice m)))", "S (S (thrice m))"))
    after = read_statements(folder)
    assert before["doubled"] == after["doubled"]
    assert before["tripled"].text == after["tripled"].text
    assert before["tripled"].sha256 != after["tripled"].sha256
    path.write_text(WITH_WORDS.replace("n + n.\n\nDef", "n + n + 0.\n\nDef"))
    assert read_statements(folder)["doubled"].sha256 != before["doubled"].sha256


@pytest.mark.parametrize(
    "more",
    [
        "Axiom given : False.\n",
        "Parameter given : nat.\n",
        "Variable given : nat.\n",
        "Lemma l : True. Proof. exact I. Qed.\n",
        "Declare Module M : T.\n",
        "From Coq Require Import List.\n",
        "Definition doubled : Prop := True.\n",
    ],
)
def test_words_are_definitions_only(more: str, folder: Path) -> None:
    (folder / CERTIFICATES).write_text(WITH_WORDS + more)
    with pytest.raises(InputError):
        read_statements(folder)


@pytest.mark.parametrize("library", ["Headproof", "Headproof.proofs", "Elsewhere"])
def test_a_statement_file_imports_libraries_only(library: str, folder: Path) -> None:
    (folder / "StatementsAlgebra.v").write_text(f"From {library} Require Import a.\n{STATEMENTS}")
    with pytest.raises(InputError):
        read_statements(folder)


@pytest.mark.long
@needs_coq
def test_every_theorem_of_the_suite_is_checked() -> None:
    verification = verify_formal(coq="8.16.1")
    assert {r.entry.theorem: r.reasons for r in verification.results if r.reasons} == {}
    assert all(r.standing is Standing.CHECKED for r in verification.results)


@pytest.mark.long
@needs_coq
def test_the_hypotheses_of_the_statements_can_be_met(tmp_path: Path) -> None:
    scratch = tmp_path / "rocq"
    files = [file for file in copy_sources(FOLDER, scratch) if file in STATEMENT_FILES]
    name = "proofs/instances.v"
    source = Path(__file__).with_name("instances.v").read_text(encoding="utf-8")
    assert objections(sentences(source)) == ()
    (scratch / name).write_text(source)
    assert not any(compile_all(scratch, [*files, name], jobs=1).errors.values())
    (scratch / name).write_text(source.replace("norm 1 = 1", "norm 1 = 0"))
    assert compile_all(scratch, [*files, name], jobs=1).errors[name]
