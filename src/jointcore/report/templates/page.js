for (const section of document.querySelectorAll("section")) {
  const bodies = [...section.querySelectorAll("tbody")];
  const rows = bodies.flatMap(body => [...body.rows]).filter(row => !row.classList.contains("block"));
  const number = text => parseFloat(text.replace("−", "-"));
  section.querySelectorAll("thead th").forEach((head, i) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    section.querySelectorAll("thead th").forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = head.classList.contains("number");
    const key = row => numeric ? number(row.cells[i].textContent) : row.cells[i].textContent;
    const order = (a, b) => {
      const x = key(a), y = key(b);
      if (numeric) return (isNaN(x) - isNaN(y)) || (down ? y - x : x - y) || 0;
      return down ? y.localeCompare(x) : x.localeCompare(y);
    };
    for (const body of bodies) body.append(...rows.filter(row => row.parentNode === body).sort(order));
  }));
  const find = section.querySelector("[type=search]"), only = section.querySelector("[type=checkbox]");
  if (!find && !only) continue;
  const shown = section.querySelector(".find span");
  const texts = rows.map(row => row.textContent.toLowerCase());
  const search = () => {
    const words = (find ? find.value : "").toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every(word => texts[i].includes(word)) || Boolean(only && only.checked && row.dataset.identical);
      count += !row.hidden;
    });
    shown.textContent = `${count} of ${rows.length} rows`;
  };
  for (const control of [find, only]) if (control) control.addEventListener("input", search);
  search();
}
