"use strict";
(() => {
  const form = document.getElementById("filter");
  const bodies = [...document.querySelectorAll("table.verdicts tbody")];
  const claims = [...document.querySelectorAll("details.claim")];
  const graph = document.getElementById("claim-graph");
  const nodes = [...graph.querySelectorAll("a.node")];
  const arrows = [...graph.querySelectorAll(".arrow")];
  const toggles = [...document.querySelectorAll("button.toggle")];
  const dimmed = document.getElementById("dimmed");
  const found = document.getElementById("found");
  const nothing = document.getElementById("nothing");
  const total = bodies.reduce((sum, body) => sum + body.querySelectorAll("tr[data-role]").length, 0);

  function apply() {
    const wanted = new FormData(form);
    const words = wanted.get("text").toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = wanted.getAll("verdict");
    const kept = new Set();
    let shown = 0;
    for (const body of bodies) {
      const heading = body.querySelector(".claim-row").textContent.toLowerCase();
      const paper = (!wanted.get("paper") || body.dataset.paper === wanted.get("paper"))
        && (!wanted.get("topic") || body.dataset.topic === wanted.get("topic"));
      let any = false;
      for (const row of body.querySelectorAll("tr[data-role]")) {
        const text = heading + " " + (row.dataset.words + " " + row.textContent).toLowerCase();
        const fits = paper && words.every((word) => text.includes(word))
          && (!verdicts.length || verdicts.includes(row.dataset.verdict))
          && (!wanted.get("role") || row.dataset.role === wanted.get("role"))
          && (!wanted.has("differs") || "differs" in row.dataset);
        row.hidden = !fits;
        any = any || fits;
        shown += fits ? 1 : 0;
      }
      body.hidden = !any;
      if (any) kept.add(body.dataset.claim);
    }
    for (const claim of claims) claim.hidden = bodies.length > 0 && !kept.has(claim.dataset.claim);
    for (const node of nodes) node.classList.toggle("dim", !kept.has(node.dataset.claim));
    for (const arrow of arrows) {
      const both = kept.has(arrow.dataset.source) && kept.has(arrow.dataset.target);
      arrow.classList.toggle("dim", !both);
    }
    found.textContent = shown + " of " + total + " statements shown";
    nothing.hidden = shown > 0;
    dimmed.textContent = kept.size < nodes.length
      ? nodes.length - kept.size + " of " + nodes.length + " claims dimmed by the filter" : "";
    for (const toggle of toggles) {
      toggle.setAttribute("aria-pressed", verdicts.includes(toggle.dataset.verdict));
    }
  }

  function light(node, on) {
    for (const arrow of arrows) {
      const touches = [arrow.dataset.source, arrow.dataset.target].includes(node.dataset.claim);
      arrow.classList.toggle("lit", on && touches);
    }
  }

  function reveal() {
    let target = null;
    try {
      target = document.getElementById(location.hash.slice(1))
        || document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
    const claim = target && target.closest("details.claim");
    if (claim && claim.hidden) form.reset();
    for (let fold = target; fold; fold = fold.parentElement) {
      if (fold instanceof HTMLDetailsElement) fold.open = true;
    }
    if (target) target.scrollIntoView();
  }

  for (const node of nodes) {
    node.addEventListener("pointerenter", () => light(node, true));
    node.addEventListener("pointerleave", () => light(node, false));
    node.addEventListener("focus", () => light(node, true));
    node.addEventListener("blur", () => light(node, false));
  }
  for (const toggle of toggles) {
    toggle.disabled = false;
    toggle.addEventListener("click", () => {
      const box = [...form.querySelectorAll("input[name=verdict]")]
        .find((input) => input.value === toggle.dataset.verdict);
      box.checked = !box.checked;
      apply();
    });
  }
  const folds = [...claims, ...document.querySelectorAll("details.paper"), ...document.querySelectorAll("details.more, details.legend")];
  let open = [];
  window.addEventListener("beforeprint", () => {
    open = folds.filter((fold) => fold.open);
    for (const fold of folds) {  // lists of files and long details print if they are open
      if (!fold.matches(".piece details")) fold.open = true;
    }
  });
  window.addEventListener("afterprint", () => {
    for (const fold of folds) fold.open = open.includes(fold);
  });
  window.addEventListener("hashchange", reveal);
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));

  for (const fold of folds) fold.open = "differs" in fold.dataset;
  form.hidden = false;
  apply();
  reveal();
})();
