"""The scanner: what is a sentence, and which sentences a proof file may hold."""

from __future__ import annotations

import pytest

from headproof.proofs_check.formal.sentences import sentences
from headproof.proofs_check.formal.vernacular import objections
from headproof.symbolic.errors import InputError

REFUSED = {
    "Lemma a : True. Admitted.": "Admitted",
    "Lemma a : True. Proof. admit. Qed.": "admit",
    "Lemma a : True. Proof. by give_up. Qed.": "give_up",
    "Axiom a : False.": "Axiom",
    "Axioms a b : False.": "Axioms",
    "Parameter a : nat.": "Parameter",
    "Local Parameters a : nat.": "Parameters",
    "#[local] Conjecture a : False.": "Conjecture",
    "Hypothesis a : False.": "Hypothesis",
    "#[local] Variable a : False.": "Variable",
    "Context (a : False).": "Context",
    "Section S. Variable n : nat. End S. Variable a : False.": "Variable",
    "Unset Universe Checking.": "Universe Checking",
    "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.": "bypass_check",
    "Unset Guard Checking.": "Guard Checking",
    "Global Unset Positivity Checking.": "Positivity Checking",
    'Load "other".': "Load",
    'Declare ML Module "plugin".': "Declare ML",
    'Extraction "file" nat.': "Extraction",
    'Redirect "file" Print nat.': "Redirect",
    "Module M. End M.": "Module",
    "Set Nonrecursive Elimination Schemes.": "Set Nonrecursive",
    "From Elsewhere Require Import a.": "From Elsewhere",
    "Succeed Declare Module M.": "Declare",
    "Lemma a : True. Proof. { - Axiom b : False. } Qed.": "Axiom",
    "Local Axiom a : False.": "Axiom",
    "Declare Module M : T.": "Declare",
    "Module Type T. Parameter a : False. End T.": "Module",
    "Primitive f := #int63_add.": "Primitive",
    "Register f as kernel.ind_bool.": "Register",
    "#[local] Unset Guard Checking.": "Guard Checking",
    "#[export] Unset Universe Checking.": "Universe Checking",
    "Set Universe Polymorphism.": "Set Universe Polymorphism",
    "Fail Fail Lemma a : True.": "Fail",
    'Cd "/".': "Cd",
    "Lemma a : 1 = 1. Proof. native_compute. reflexivity. Qed.": "native_compute",
    "Print Module M.": "Print",
    "Opaque a.": "Opaque",
    "Add Ring r : t (preprocess [idtac]).": "Add",
    "Add Field f : t.": "Add",
    "Add Ring r : t. Add Setoid r.": "Add",
    "Declare Scope s (* *) t.": "Declare",
    "Declare Instance i : c.": "Declare",
}

ALLOWED = (
    "(* Admitted. (* Axiom a : False. *) still. *) Lemma a : True. Proof. by []. Qed.",
    '(* "*)" Admitted. *) Lemma a : "Admitted. ""Axiom" = b. Proof. by []. Qed.',
    "Section S. Variable n : nat. Hypothesis h : n = n. Lemma a : n = n. Proof. by []. Qed. End S.",
    "From mathcomp Require Import all_ssreflect. Local Open Scope ring_scope.",
    "Lemma axiom_of_admitted : True. Proof. exact: I. Qed.",
    "Declare Scope s. Add Ring r : (t F). Local Add Ring q : t.",
)


@pytest.mark.parametrize("source", REFUSED)
def test_refused(source: str) -> None:
    found = objections(sentences(source))
    if source.startswith("Module Type"):
        assert found[1].reason == "Parameter: an assumption"
        found = found[:1]
    assert len(found) == 1
    assert found[0].reason.startswith(REFUSED[source])


@pytest.mark.parametrize("source", ALLOWED)
def test_allowed(source: str) -> None:
    assert objections(sentences(source)) == ()


@pytest.mark.parametrize(
    ("source", "runs"),
    [
        ('Redirect "file" Print nat.', True),
        ('Redirect "Axiom" Print Axiom.', True),
        ('Declare ML Module "plugin".', True),
        ("Fail Axiom a : False.", True),
        ("Module M.", True),
        ("Axiom a : False.", False),
        ("Lemma a : False. Admitted.", False),
        ("Unset Universe Checking.", False),
    ],
)
def test_what_might_do_more_than_prove_is_not_compiled(source: str, runs: bool) -> None:
    assert any(objection.runs for objection in objections(sentences(source))) is runs


@pytest.mark.parametrize("word", ["+", "hid(", "{", "b", ".", ")"])
def test_a_comment_begins_after_white_space(word: str) -> None:
    """For Rocq, ``+(`` is one word after `Notation "a +( * b"`, and what follows is no comment."""
    hidden = f"Definition d a b := a {word}(* b. Axiom f : False. (* *) Definition e a b := a *) b."
    with pytest.raises(InputError, match="white space before a comment"):
        sentences(hidden)
    assert len(sentences("(* a *)(* b *) Qed. (* c *)\n(* d *)")) == 1


@pytest.mark.parametrize("source", ["(* (* *)", 'Check "a', "Lemma a : True. Proof"])
def test_an_unfinished_file_is_an_error(source: str) -> None:
    with pytest.raises(InputError):
        sentences(source, "a.v")


def test_lines_and_text() -> None:
    found = sentences('Check\n  "a  b".\n(* one\n two *)\nQed.')
    assert [(s.line, s.text) for s in found] == [(1, 'Check "a b"'), (5, "Qed")]


def test_a_qualified_name_is_no_end() -> None:
    assert [s.words for s in sentences("exact: Order.le_refl. by [].")] == [
        "exact: Order.le_refl",
        "by []",
    ]
