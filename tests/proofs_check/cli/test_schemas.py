"""Every document that the program writes fits its schema, and a spoilt one does not."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import referencing

import headproof
from headproof.proofs_check.cli import main
from headproof.symbolic.cones.hull import convex_hull

SCHEMAS = Path(headproof.__file__).parent / "proofs_check" / "schemas"
CONTENTS = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text("utf-8"))
    for path in SCHEMAS.glob("*.schema.json")
}
REGISTRY: Any = referencing.Registry().with_resources(
    (schema["$id"], referencing.Resource.from_contents(schema)) for schema in CONTENTS.values()
)
CLAIMS = ("--registry", "fake_claims:good")
POINTS: dict[str, Any] = {"points": [[0, 0], ["1/2", 3], [4, 0]]}
NETWORK = {
    "dimension": 1,
    "layers": [{"heads": [{"keys": [[-1], [1]], "values": [[-1], [1]]}]}],
}

MATCH = ["--d-model", "8", "--layers", "2", "--heads", "2", "--ffn", "32", "--vocabulary", "5"]
COMMANDS = {
    "list": ["list"],
    "claim": ["show", "tropical.cells"],
    "verify": ["verify", "--jobs", "1", *CLAIMS],
    "report": ["report", "runs/quick-0", *CLAIMS],
    "check": ["check", "runs/quick-0"],
    "derivation": ["derive", "tropical.power-diagram"],
    "demos": ["demo"],
    "demo": ["demo", "power-diagram"],
    "hull": ["hull", "points.json"],
    "stability": ["stability", "network.json", "--at", "1", "--temperature", "1/8"],
    "budget": ["budget", "--n", "100", "--D", "12", "--alpha", "log 2", "--C", "2"],
    "match": ["match", *MATCH, "--tokens", "4"],
    "experiments": ["train", "--list"],
    "training": ["train", "order", "--profile", "smoke", "--jobs", "1"],
    "formal": ["formal", "recovery.algorithm"],
    "rocq": ["rocq", "hull.json"],
    "completion": ["completion", "zsh"],
    "error": ["show", "no.such-claim"],
}


def fits(name: str, document: Any) -> bool:
    validator = jsonschema.Draft202012Validator(CONTENTS[name], registry=REGISTRY)
    return bool(validator.is_valid(document))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points.json").write_text(json.dumps(POINTS))
    (tmp_path / "hull.json").write_text(json.dumps(convex_hull(POINTS["points"]).certificate("")))
    (tmp_path / "network.json").write_text(json.dumps(NETWORK))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_document_fits_and_a_spoilt_one_does_not(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "runs/quick-0" in COMMANDS[name]:
        main(COMMANDS["verify"])
        capsys.readouterr()
    main([*COMMANDS[name], "--json"])
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(CONTENTS[name], registry=REGISTRY).validate(document)
    assert document["format"] == f"headproof-{name}/1"
    assert not fits(name, document | {"format": f"headproof-{name}/2"})
    assert not fits(name, document | {"another": 1})
    for key in document:
        assert not fits(name, {k: v for k, v in document.items() if k != key}), key


def test_claims_with_a_result_fit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", "--jobs", "1", *CLAIMS])
    capsys.readouterr()
    run = str(folder / "runs" / "quick-0")
    main(["show", "fake.refuted", "--run", run, "--json", *CLAIMS])
    assert fits("claim", json.loads(capsys.readouterr().out))
    assert fits("run", json.loads((Path(run) / "run.json").read_text()))
    main(["report", run, "--json"])  # claims that this registry does not know
    assert fits("report", json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    ("points", "good"),
    [
        (POINTS, True),
        ({"points": [[0.5, 0]]}, False),
        ({"points": []}, False),
        ({"points": [["1.5"]]}, False),
        ({"points": [[1]], "more": 1}, False),
    ],
)
def test_input_of_hull(points: Any, good: bool) -> None:
    assert fits("hull-input", points) is good


@pytest.mark.parametrize("name", sorted(CONTENTS))
def test_a_schema_is_one_and_carries_its_own_name(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(CONTENTS[name])
    assert CONTENTS[name]["$id"].endswith(f"/{name}.schema.json")


def test_only_a_failure_has_an_error() -> None:
    """So a program may look for that key, whatever the command."""
    written = {name for name in CONTENTS if not name.startswith("certificate-")}
    with_error = {name for name in written if '"error"' in json.dumps(CONTENTS[name])}
    assert with_error == {"error"}
