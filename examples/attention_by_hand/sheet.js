// Every number of a sheet opens: its sum is shown, and what it is made of is framed.
{
  const make = (tag, parent, properties = {}) => parent.appendChild(Object.assign(document.createElement(tag), properties));
  const panel = make("section", document.querySelector("main"), {className: "sum", ariaLabel: "The sum of the open number", hidden: true, tabIndex: -1});
  const bodyOf = table => table.tBodies[0];
  const cellAt = (id, row, column) => bodyOf(document.getElementById(id)).rows[row].cells[Number(column) + 1];
  const placeOf = cell => ({table: cell.closest("table"), row: cell.parentNode.rowIndex - 1, column: cell.cellIndex - 1});
  const rowName = (table, row) => bodyOf(table).rows[row].cells[0].textContent;
  const columnName = (table, column) => table.tHead.rows[0].cells[column + 1].textContent;
  const symbolOf = table => table.caption.textContent.split(" = ")[0];
  const parts = /\{(\w+)\.(\d+)\.(\d+)\|([^}]*)\}/g;
  let current = null;

  const only = values => new Set(values).size === 1;
  // "Q, row fait" for the cells of a table that a sum is made of.
  function whereFrom(cells) {
    const {table, row, column} = placeOf(cells[0]), places = cells.map(placeOf);
    const inOneRow = only(places.map(each => each.row)), inOneColumn = only(places.map(each => each.column));
    return symbolOf(table) + (inOneRow ? ", row " + rowName(table, row) : "") + (inOneColumn ? ", column " + columnName(table, column) : "");
  }

  function close() {
    for (const each of document.querySelectorAll(".sheet .lit, .sheet .open")) each.classList.remove("lit", "open");
    panel.hidden = true;
    panel.replaceChildren();
  }

  function open(cell) {
    show(cell);
    const covered = cell.getBoundingClientRect().bottom + 8 - panel.getBoundingClientRect().top;
    if (covered > 0) scrollBy(0, covered);
  }

  function show(cell) {
    close();
    const {table, row, column} = placeOf(cell);
    for (const each of table.querySelectorAll("td[tabindex='0']")) each.tabIndex = -1;
    cell.tabIndex = 0;
    cell.classList.add("open");
    current = cell;
    panel.hidden = false;
    make("button", panel, {type: "button", className: "close", textContent: "×", ariaLabel: "Close", onclick: () => { current.focus(); close(); }});
    make("p", panel, {className: "from", textContent: `${table.caption.textContent}: row ${rowName(table, row)}, column ${columnName(table, column)}`});
    const sum = make("p", panel, {className: "worked", ariaLive: "polite"});
    if (!cell.dataset.sum) {
      sum.textContent = `${cell.textContent}: learned in training, and frozen`;
      return;
    }
    const used = new Map();
    let end = 0;
    for (const match of cell.dataset.sum.matchAll(parts)) {
      const [whole, id, atRow, atColumn, number] = match, source = cellAt(id, atRow, atColumn);
      const before = cell.dataset.sum.slice(end, match.index), raised = before.endsWith("e^");
      sum.append(raised ? before.slice(0, -2) : before);
      const place = raised ? make("sup", make("span", sum, {className: "power", textContent: "e"})) : sum;
      make("button", place, {type: "button", textContent: number, title: whereFrom([source]), onclick: () => source.focus()});
      end = match.index + whole.length;
      source.classList.add("lit");
      used.set(id, [...used.get(id) ?? [], source]);
    }
    sum.append(cell.dataset.sum.slice(end), cell.dataset.step ? ` = ${cell.dataset.step}` : "", ` = ${cell.textContent}`);
    if (used.size) make("p", panel, {className: "from", textContent: "from " + [...used.values()].map(whereFrom).join("; ")});
  }

  const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
  for (const table of document.querySelectorAll("table.sheet")) {
    [...table.querySelectorAll("tbody td")].forEach((cell, i) => { cell.tabIndex = i ? -1 : 0; });
    table.addEventListener("focusin", ({target}) => target.matches("tbody td") && open(target));
    table.addEventListener("click", ({target}) => target.matches("tbody td") && open(target));
    table.addEventListener("keydown", event => {
      const step = steps[event.key], {row, column} = placeOf(event.target);
      if (!step) return;
      event.preventDefault();
      bodyOf(table).rows[row + step[0]]?.cells[column + 1 + step[1]]?.focus();
    });
  }
  document.addEventListener("keydown", event => event.key === "Escape" && close());
}
