"use strict";
// What pages of one run and of comparisons share: words, tables, charts, light and dark, print.
const verbenaParts = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const charts = [];
  const encode = (text) => echarts.format.encodeHTML(String(text));

  // Texts of the scenario are only ever set as text, never as HTML.
  function add(parent, tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    parent.appendChild(made);
    return made;
  }

  function colours() {
    const style = getComputedStyle(root);
    const of = (name) => style.getPropertyValue("--" + name).trim();
    return { ink: of("ink"), dim: of("dim"), line: of("line"), card: of("card"), accent: of("accent"),
      bad: of("bad"), good: of("good"), host: of("host"), node: of("node"), wire: of("wire") };
  }

  function us(value) {
    if (value >= 1e6) return (value / 1e6).toFixed(2) + " s";
    if (value >= 1e4) return (value / 1e3).toFixed(2) + " ms";
    return value.toFixed(value < 100 ? 2 : 1) + " us";
  }

  function bytes(value) {
    if (value >= 1048576) return (value / 1048576).toFixed(1) + " MiB";
    return value >= 1024 ? (value / 1024).toFixed(1) + " KiB" : value + " B";
  }

  // ---- tables

  function table(body, columns, rows) {
    const head = add(add(body, "thead"), "tr");
    const lines = add(body, "tbody");
    const fill = (sorted) => {
      lines.replaceChildren();
      sorted.forEach((row) => {
        const line = add(lines, "tr");
        columns.forEach((column) => add(line, "td", column.text(row)));
      });
    };
    columns.forEach((column) => {
      const cell = add(head, "th");
      add(cell, "button", column.name).type = "button";
      cell.addEventListener("click", () => {
        const up = cell.getAttribute("aria-sort") === "descending";
        head.querySelectorAll("th").forEach((each) => each.removeAttribute("aria-sort"));
        cell.setAttribute("aria-sort", up ? "ascending" : "descending");
        const order = (a, b) => typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
        fill([...rows].sort((a, b) => (up ? 1 : -1) * order(column.value(a), column.value(b))));
      });
    });
    fill(rows);
  }

  const number = (name, key, form) => ({ name, value: (row) => row[key] ?? -1,
    text: (row) => row[key] === undefined ? "–" : form ? form(row[key]) : String(row[key]) });

  // ---- charts

  function chart(place, option) {
    const made = echarts.init(place, null, { renderer: "svg" });
    charts.push({ made, option });
    return made;
  }

  function base(c) {
    return {
      animation: false, backgroundColor: "transparent", textStyle: { color: c.ink, fontFamily: getComputedStyle(document.body).fontFamily },
      color: [c.accent, "#d97706", "#0f9d8a", "#a855c7", "#b4531c", "#64748b", "#c2417c", "#5b8c2a"],
      grid: { left: 62, right: 18, top: 34, bottom: 42 },
      legend: { textStyle: { color: c.dim, fontFamily: getComputedStyle(document.body).fontFamily }, top: 0, type: "scroll", itemGap: 16, itemWidth: 18, itemHeight: 8 },
    };
  }

  function axis(c, name, more) {
    return Object.assign({ name, nameLocation: "middle", nameGap: 27, nameTextStyle: { color: c.dim },
      axisLabel: { color: c.dim, hideOverlap: true, showMaxLabel: more && more.max === undefined, formatter: (v) => typeof v === "number" ? v.toLocaleString("en", { maximumFractionDigits: 2 }) : v }, axisLine: { lineStyle: { color: c.line } },
      splitLine: { lineStyle: { color: c.line } } }, more);
  }

  const tall = (c, name, more) => axis(c, name, Object.assign({ nameGap: 44 }, more));

  // ---- light, dark, print

  let redraw = () => {};

  function theme(name) {
    root.dataset.theme = name;
    redraw();
  }

  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const preferred = () => prefersDark.matches ? "dark" : "light";

  // Draws for the first time, and whenever colours change.
  function begin(draw) {
    redraw = () => {
      const c = colours();
      charts.forEach((each) => each.made.setOption(each.option(c), true));
      draw();
    };
    root.dataset.theme = preferred();
    redraw();
    byId("theme").addEventListener("click", () => theme(root.dataset.theme === "dark" ? "light" : "dark"));
    prefersDark.addEventListener("change", () => theme(preferred()));
    addEventListener("resize", () => charts.forEach((each) => each.made.resize()));
    let shown = "light";
    addEventListener("beforeprint", () => { shown = root.dataset.theme; theme("light"); charts.forEach((each) => each.made.resize()); });
    addEventListener("afterprint", () => { theme(shown); charts.forEach((each) => each.made.resize()); });
  }

  return { data, root, byId, charts, encode, add, colours, us, bytes, table, number, chart, base, axis, tall, theme, begin };
})();
