"""The manifest and the claims: each theorem speaks for a statement that asks for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headproof.proofs_check.claim import Role
from headproof.proofs_check.evidence import Kind
from headproof.proofs_check.formal.manifest import FOLDER, read_manifest
from headproof.proofs_check.formal.sentences import sentences
from headproof.proofs_check.formal.statements import read_statements
from headproof.proofs_check.formal.vernacular import objections
from headproof.proofs_check.registry import load
from headproof.symbolic.errors import InputError

BOOLP = {
    "mathcomp.classical.boolp.constructive_indefinite_description",
    "mathcomp.classical.boolp.functional_extensionality_dep",
    "mathcomp.classical.boolp.propositional_extensionality",
}

ENTRY = {
    "proves": "s",
    "statement": "a",
    "theorem": "a_holds",
    "file": "proofs/a.v",
    "sha256": "",
    "axioms": [],
}


def test_claims_and_manifest_agree() -> None:
    asked = {
        (claim.id, producer.statement)
        for claim in load()
        for producer in claim.producers
        if producer.kind is Kind.FORMAL
    }
    listed = {(entry.claim, entry.proves) for entry in read_manifest() if entry.claim}
    assert asked == listed


def test_no_control_has_a_theorem() -> None:
    registry = load()
    for entry in read_manifest():
        if entry.claim:
            assert registry.claim(entry.claim).statement(entry.proves).role is not Role.CONTROL


def test_every_statement_has_its_theorem_and_digest() -> None:
    statements = read_statements(FOLDER)
    entries = read_manifest()
    assert {entry.statement for entry in entries} == set(statements)
    for entry in entries:
        assert entry.sha256 == statements[entry.statement].sha256, entry.statement
        assert statements[entry.statement].comment, entry.statement
        assert statements[entry.statement].text, entry.statement


def test_axioms_only_over_the_reals() -> None:
    statements = read_statements(FOLDER)
    for entry in read_manifest():
        analysis = statements[entry.statement].module == "StatementsAnalysis"
        assert set(entry.axioms) == (BOOLP if analysis else set()), entry.statement


def test_the_proofs_hold_only_what_they_may() -> None:
    paths = [*FOLDER.glob("*.v"), *(FOLDER / "proofs").glob("*.v")]
    assert len(paths) > 10
    for path in paths:
        assert objections(sentences(path.read_text(encoding="utf-8"), path.name)) == (), path.name


@pytest.mark.parametrize(
    "spoil",
    [
        {"format": "headproof-formal-manifest/2"},
        {"more": []},
        {"unattached": [{"statement": "a"}]},
        {"claims": {"a.b": [{"statement": "x"}]}},
        {"claims": []},
        {"claims": {"a.b": "text"}},
        {"claims": {"a.b": ["text"]}},
        {"claims": {"a.b": [ENTRY | {"more": ""}]}},
        {"claims": {"a.b": [ENTRY, ENTRY]}},
        {"claims": {"a.b": [ENTRY | {"axioms": "funext"}]}},
        {"claims": {"a.b": [ENTRY | {"axioms": ["funext"]}]}},
        {"claims": {"a.b": [ENTRY | {"axioms": ["a.funext", "a.funext"]}]}},
        {"claims": {"a.b": [ENTRY | {"sha256": 7}]}},
        {"claims": {"a.b": [ENTRY | {"file": "proofs/../a.v"}]}},
        {"claims": {"a.b": [ENTRY | {"theorem": "a_holds. Axiom b"}]}},
        {"unattached": [ENTRY]},
    ],
)
def test_another_form_is_refused(spoil: dict[str, object], tmp_path: Path) -> None:
    document = json.loads((FOLDER / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(document | spoil))
    with pytest.raises(InputError):
        read_manifest(tmp_path)


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(
        '{"format": "headproof-formal-manifest/1", "unattached": [],'
        ' "claims": {"a.b": [1], "a.b": []}}'
    )
    with pytest.raises(InputError, match="twice"):
        read_manifest(tmp_path)
