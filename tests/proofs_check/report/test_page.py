"""The page: complete, well formed, self-contained, and deaf to markup in what it shows."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.registry import Registry, build
from headproof.proofs_check.report.page import html, render
from headproof.symbolic.errors import InputError

VOID = {"meta", "input", "br", "img", "link"}
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


class Page(HTMLParser):
    """The elements of a page; fails on tags that do not close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute twice in <{tag}>"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def all(self, name: str) -> list[str]:
        return [
            value or "" for _, attrs in self.elements for key, value in attrs.items() if key == name
        ]


def test_the_page_is_well_formed_and_every_jump_lands(sample: Path, registry: Registry) -> None:
    page = Page(html(sample, registry=registry))
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    for target in page.all("href"):
        if target.startswith("#"):
            assert target[1:] in ids
    for name in ("aria-labelledby",):
        assert set(page.all(name)) <= set(ids)


def test_nothing_is_asked_of_the_network(sample: Path, registry: Registry) -> None:
    text = html(sample, registry=registry)
    page = Page(text)
    loading = {"link", "img", "iframe", "object", "embed", "video", "audio", "base", "image"}
    assert not [tag for tag, _ in page.elements if tag in loading]
    assert page.all("src") == []
    assert "@import" not in text
    assert "@font-face" not in text
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", text))
    outside = {target for target in page.all("href") if "//" in target}
    assert outside == {"https://arxiv.org/abs/2604.14727"}
    assert re.findall(r"https?://", text) == ["https://"] * text.count("https://arxiv.org/abs/")


def test_only_our_own_script_may_run(sample: Path, registry: Registry) -> None:
    text = html(sample, registry=registry)
    scripts = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    (policy,) = [a["content"] for _, a in Page(text).elements if a.get("http-equiv")]
    assert policy == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    )


def test_a_topic_is_written_as_words_and_its_label_lies_over_the_arrows(
    sample: Path, registry: Registry
) -> None:
    text = html(sample, registry=registry)
    graph = text[text.index('id="claim-graph"') :]
    graph = graph[: graph.index("</svg>")]
    assert graph.rindex('class="arrow') < graph.index("<text")
    headings = re.findall(r'<h3 id="pictures-([^"]*)">([^<]*)</h3>', text)
    assert headings
    assert all(shown == topic.replace("_", "-") for topic, shown in headings)


def test_everything_is_there_without_the_script(sample: Path, registry: Registry) -> None:
    text = html(sample, registry=registry)
    page = Page(text)
    folds = [attrs for tag, attrs in page.elements if tag == "details"]
    assert folds
    assert all("open" in attrs for attrs in folds)
    for told in (
        "2 of 10 verdicts differ",
        "2026-01-05 09:30:00 UTC",
        "headproof verify --seed 0",
        "headproof check",
        "9f1b6c2f0e5a4d7788aa03c1b54de2f6a1c09e7733d25b18c6f4e0a9d8b7c655",
        "ZeroDivisionError: division by zero",
        "weights sum to 5/6, not to 1",
        "our reading",
        "Amended by",
        "coqc is missing",
        "1 step argued in words",
        "17446744073709551557",
    ):
        assert told in text
    assert text.count('display="block"') == 10


def test_the_same_run_gives_the_same_bytes(sample: Path, registry: Registry) -> None:
    assert html(sample, registry=registry) == html(sample, registry=registry)


def test_markup_in_a_result_is_harmless(sample: Path, registry: Registry, amend: Any) -> None:
    def spoil(line: dict[str, Any]) -> None:
        for statement in line["statements"]:
            statement["reason"] = HOSTILE
        for piece in line["evidence"]:
            piece.update(scope=HOSTILE, detail=HOSTILE, reason=HOSTILE)
            piece["numbers"] = {HOSTILE: HOSTILE}
            piece["certificates"] = ["javascript:alert(1)", f"certificates/{HOSTILE}.json"]

    amend(sample, spoil)
    (sample / "javascript:alert(1)").write_text("{}", encoding="utf-8")
    page = Page(html(sample, registry=registry))
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert not [tag for tag, _ in page.elements if tag == "img"]
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
    links = [target for target in page.all("href") if "javascript" in target]
    assert links
    assert all(target.startswith("./") for target in links)


def test_formulas_of_scopes_and_labels_are_set_and_names_of_theorems_are_not(
    sample: Path, registry: Registry, amend: Any
) -> None:
    def name(line: dict[str, Any]) -> None:
        for piece in line["evidence"]:
            piece["scope"] = "formal_scope" if piece["kind"] == "formal" else "all N <= 7"
            piece["numbers"] = {"best d_k": 3}

    amend(sample, name)
    text = html(sample, registry=registry)
    scopes = re.findall(r'<p class="scope">(.*?)</p>', text)
    assert any(re.match(r"all <math.*<mn>7</mn>", scope) for scope in scopes)
    assert all("<math" in scope or scope == "formal_scope" for scope in scopes)
    assert '<th scope="row">best <math' in text


def test_markup_in_a_claim_is_harmless(sample: Path, registry: Registry) -> None:
    from dataclasses import replace

    def spoilt() -> Any:
        for claim in registry:
            statements = tuple(
                replace(s, text=HOSTILE, latex=rf"\text{{{HOSTILE}}}", hypotheses=(HOSTILE,))
                for s in claim.statements
            )
            paper = replace(claim.paper, title=HOSTILE, reference=HOSTILE)
            yield replace(
                claim,
                title=HOSTILE,
                statements=statements,
                paper=paper,
                place=HOSTILE,
                omitted=HOSTILE,
            )

    page = Page(html(sample, registry=build(spoilt())))
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert not [tag for tag, _ in page.elements if tag == "img"]
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]


def test_markup_in_the_manifest_and_in_names_is_harmless(
    sample: Path, registry: Registry, amend: Any
) -> None:
    import json

    path = sample / "run.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for name in ("profile", "seed", "source", "started", "finished"):
        manifest[name] = HOSTILE
    for name in ("versions", "components", "environment"):
        manifest[name] = {HOSTILE: HOSTILE}
    manifest["selection"] = manifest["require"] = manifest["undeclared"] = [HOSTILE]
    path.write_text(json.dumps(manifest), encoding="utf-8")

    def rename(line: dict[str, Any]) -> None:
        line["claim"] = f"{HOSTILE}{line['claim']}"
        for entry in line["statements"]:
            entry["name"] = HOSTILE + entry["name"]
        for piece in line["evidence"]:
            piece["statement"] = HOSTILE + piece["statement"]
            piece["producer"] = HOSTILE

    amend(sample, rename)
    page = Page(html(sample, registry=registry))
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert not [tag for tag, _ in page.elements if tag == "img"]
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]


def test_a_bare_manifest_is_enough(sample: Path, registry: Registry) -> None:
    (sample / "run.json").write_text('{"format": "headproof-run/1"}', encoding="utf-8")
    (sample / "results.jsonl").unlink()
    text = html(sample, registry=registry)
    Page(text)
    assert "No verdict yet" in text
    assert "not complete" in text


def test_links_to_certificates_are_relative_to_the_page(
    sample: Path, registry: Registry, tmp_path: Path
) -> None:
    output = tmp_path / "some where" / "report.html"
    render(sample, output, registry=registry)
    targets = [t for t in Page(output.read_text(encoding="utf-8")).all("href") if "certif" in t]
    assert targets
    for target in targets:
        assert target.startswith("../quick-0/certificates/")
        assert (output.parent / target).resolve().is_file()


def test_a_folder_that_is_no_run_writes_nothing(tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    with pytest.raises(InputError):
        render(tmp_path, output, registry=build([]))
    assert not output.exists()


def test_sixty_claims(large: tuple[Path, Registry]) -> None:
    run, registry = large
    text = html(run, registry=registry)
    assert len(text) < 2_000_000
    page = Page(text)
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    assert sum(attrs.get("class") == "claim" for _, attrs in page.elements) == 60
    nodes = [a for t, a in page.elements if t == "a" and "data-claim" in a]
    assert len(nodes) == 60
