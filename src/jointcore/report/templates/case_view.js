(async place => {
  "use strict";
  const packed = Uint8Array.from(atob(place.querySelector(".data").textContent), c => c.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const {cases, texts, start} = JSON.parse(await new Response(plain).text());
  const find = place.querySelector("[type=search]"), list = place.querySelector(".list");
  const count = place.querySelector(".count"), view = place.querySelector(".case");
  const make = (tag, attributes = {}, ...inside) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  };
  // Sets are hexadecimal, the lowest bit is the first record of the case.
  const positions = hex => {
    const found = new Set();
    [...hex].reverse().forEach((digit, i) => {
      for (let bit = 0, value = parseInt(digit, 16); bit < 4; bit++) if (value >> bit & 1) found.add(4 * i + bit);
    });
    return found;
  };
  const number = (value, digits) => value.toFixed(digits).replace("-", "−");
  const records = n => n === 1 ? "1 record" : `${n} records`;
  let filtered = [], method = start;

  // Filters: every facet that differs between cases, then method and its failures.
  const facets = [...new Set(cases.flatMap(c => Object.keys(c.facets)))];
  const methods = [...new Set(cases.flatMap(c => c.methods.map(m => m.name)))];
  const failures = [...new Set(cases.flatMap(c => c.methods.flatMap(m => m.marks)))].sort();
  const filters = place.querySelector(".filters"), chosen = {};
  const filter = (name, values, all) => {
    if (values.length < 2 && all === "any") return;
    const select = make("select", {}, make("option", {value: ""}, all), ...values.map(v => make("option", {}, v)));
    select.addEventListener("change", search);
    chosen[name] = select;
    filters.append(make("label", {}, name, select));
  };
  for (const facet of facets) {
    const values = [...new Set(cases.map(c => c.facets[facet]).filter(v => v !== undefined))];
    filter(facet, values.every(v => !isNaN(v)) ? values.sort((a, b) => a - b) : values, "any");
  }
  filter("Method", methods, "any");
  if (failures.length) filter("Found", failures, "anything");
  const words = cases.map(c => [c.title, c.condition, ...Object.values(c.facets), ...c.methods.map(m => m.name)]
    .join(" ").toLowerCase());

  function search() {
    const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const name = chosen.Method?.value ?? "", mark = chosen.Found?.value ?? "";
    const before = filtered[list.selectedIndex];
    filtered = cases.map((_, i) => i).filter(i => {
      if (!wanted.every(w => words[i].includes(w))) return false;
      if (!facets.every(f => !chosen[f] || !chosen[f].value || String(cases[i].facets[f]) === chosen[f].value)) return false;
      return !(name || mark) ||
        cases[i].methods.some(m => (!name || m.name === name) && (!mark || m.marks.includes(mark)));
    });
    list.replaceChildren(...filtered.map(i => make("option", {value: i}, cases[i].title)));
    count.textContent = `${filtered.length} of ${cases.length} cases`;
    if (!filtered.length) return view.replaceChildren(make("p", {}, "No case fits; widen the search or the filters."));
    list.selectedIndex = Math.max(0, filtered.indexOf(before));
    if (name) method = name;
    else if (mark) method = cases[filtered[list.selectedIndex]].methods.find(m => m.marks.includes(mark)).name;
    show();
  }

  function show() {
    const shown = cases[filtered[list.selectedIndex]], mark = chosen.Found?.value;
    if (mark && !chosen.Method?.value && !shown.methods.some(m => m.name === method && m.marks.includes(mark)))
      method = shown.methods.find(m => m.marks.includes(mark)).name;
    const own = shown.methods.find(m => m.name === method) || shown.methods[0];
    method = own.name;
    const tabs = make("div", {class: "tabs", role: "group", "aria-label": "Method"}, ...shown.methods.map(m => {
      const button = make("button", {type: "button", "aria-pressed": m === own},
        m.name, " ", make("small", {}, `${positions(m.kept).size} kept, ${m.calls} asked`));
      button.addEventListener("click", () => { method = m.name; show(); });
      return button;
    }));
    const details = shown.details.map(([title, id]) =>
      make("details", {}, make("summary", {}, title), make("pre", {tabindex: 0}, texts[id])));
    view.replaceChildren(make("h2", {}, shown.title), make("p", {}, shown.condition), ...details, tabs,
      verdict(shown, own), path(shown, own), memory(shown, own));
  }

  function verdict(shown, own) {
    const kept = positions(own.kept), ids = [...kept].map(i => shown.records[i].id);
    const cost = shown.records.reduce((sum, r) => sum + (r.cost ?? 0), 0);
    const keptCost = [...kept].reduce((sum, i) => sum + (shown.records[i].cost ?? 0), 0);
    const line = make("p", {}, make("b", {}, own.name), ` keeps {${ids.join(", ")}}`,
      cost ? `, cost ${keptCost} of ${cost}` : "", own.decision ? `; decided on it: ${own.decision}` : "", ".");
    for (const mark of own.marks) line.append(" ", make("span", {class: "badge mute"}, mark));
    return line;
  }

  function path(shown, own) {
    const part = make("section", {"aria-label": "Path"}, make("h3", {}, "Path: every set that was asked"));
    if (!own.steps.length) {
      part.append(make("p", {class: "note"}, `${own.name} asks nothing.`));
      return part;
    }
    const kept = positions(own.kept), n = shown.records.length;
    const head = make("tr", {}, make("th", {scope: "col", class: "step"}, "#"),
      ...shown.records.map((r, i) => make("th", {scope: "col", class: kept.has(i) ? "kept" : "", title: r.text}, r.id)),
      make("th", {scope: "col", class: "said", style: "text-align:left"}, "answer"));
    const gone = new Set();
    const rows = own.steps.map((step, number_) => {
      const [testedHex, groupHex, droppedHex, same, margin, decision] = step;
      const tested = positions(testedHex), group = positions(groupHex), dropped = positions(droppedHex);
      const cells = shown.records.map((_, i) => {
        if (tested.has(i)) return make("td", {class: "cell"});
        if (gone.has(i) && !group.has(i)) return make("td", {class: "cell gone"}, "·");
        return dropped.has(i) ? make("td", {class: "cell drop"}, "×") : make("td", {class: "cell stay"}, "?");
      });
      dropped.forEach(i => gone.add(i));
      const end = same ? (dropped.size ? `same: dropped ${records(dropped.size)}` : "same: nothing dropped")
        : group.size > 1 ? "differs: split or stays" : "differs: stays";
      const said = `${decision ? decision + ", " : ""}${end}` + (margin === null ? "" : `, margin ${number(margin, 2)}`);
      return make("tr", {}, make("th", {scope: "row", class: "step"}, number_ + 1), ...cells,
        make("td", {class: `said ${same ? "" : "mute"}`}, said));
    });
    const key = make("p", {class: "key"}, ...[["", "", "in the set asked"], ["drop", "×", "left out, then dropped"],
      ["stay", "?", "left out, not dropped by this"], ["gone", "·", "dropped before; underlined: kept in the end"]]
      .map(([look, sign, words]) => make("span", {}, make("i", {class: look}, sign), ` ${words}`)));
    part.append(key, make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `Path over ${records(n)}`},
      make("table", {class: "path"}, make("thead", {}, head), make("tbody", {}, ...rows))));
    return part;
  }

  function memory(shown, own) {
    const kept = positions(own.kept), has = key => shown.records.some(r => r[key] !== null && r[key] !== undefined);
    const columns = [["id", "Id"], ["text", "Record"], ["cost", "Cost"], ["relevance", "Relevance"]].filter(([k]) => has(k));
    const names = hex => `{${[...positions(hex)].map(i => shown.records[i].id).join(", ")}}`;
    const why = i => {
      if (!kept.has(i)) return "left out";
      const sets = own.needed[i];
      if (!sets) return "kept; no set that was asked shows that it is needed";
      const exact = positions(sets[1]).size === kept.size - 1;
      return `needed: ${names(sets[0])} is decided the same, ${names(sets[1])}` +
        (exact ? ", which lacks only it, is not" : ", which lacks it, is not");
    };
    const head = make("tr", {}, ...columns.map(([key, title]) =>
      make("th", {scope: "col", class: key === "cost" || key === "relevance" ? "number" : null}, title)),
    make("th", {scope: "col"}, `Why, ${own.name}`));
    const rows = shown.records.map((r, i) => make("tr", {class: kept.has(i) ? "kept" : null}, ...columns.map(([key]) =>
      make("td", {class: key === "cost" || key === "relevance" ? "number" : null},
        key === "relevance" && typeof r[key] === "number" ? number(r[key], 3) : String(r[key] ?? "–"))),
    make("td", {}, why(i))));
    return make("section", {"aria-label": "Records"}, make("h3", {}, "Records"),
      make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Records of the case"},
        make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))));
  }

  const step = (select, by) => {
    const next = list.selectedIndex + by;
    if (next >= 0 && next < filtered.length) { list.selectedIndex = next; show(); }
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !filtered.length) return;
    if (event.target.matches("input, select:not(.list)")) { if (event.key === "Escape") event.target.blur(); return; }
    const turn = by => {
      const names = cases[filtered[list.selectedIndex]].methods.map(m => m.name);
      method = names[(names.indexOf(method) + by + names.length) % names.length];
      show();
    };
    const keys = {j: () => step(list, 1), k: () => step(list, -1), n: () => turn(1), p: () => turn(-1), "/": () => find.focus()};
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  find.addEventListener("input", search);
  list.addEventListener("change", show);
  search();
  place.dataset.ready = "yes";
})(document.currentScript.closest(".cases"));
