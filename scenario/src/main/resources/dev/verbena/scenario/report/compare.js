"use strict";
(() => {
  const { data, byId, charts, encode, add, us, bytes, table, chart, base, axis, tall, theme, begin } = verbenaParts;
  const COLOURS = (c) => [c.accent, "#d97706"];
  const both = (pair) => [pair.a, pair.b];

  function section(parent, title, className) {
    const made = add(parent, "section", undefined, className);
    if (title) add(made, "h2", title);
    return made;
  }

  function picture(parent, title, option) {
    const place = add(section(parent, title), "div", undefined, "chart");
    chart(place, option);
  }

  // ---- words and tables

  function verdict(parent, pair) {
    const made = section(parent, "", pair.good ? "verdict" : "verdict look");
    add(made, "p", pair.headline, "headline");
    const list = add(made, "ul");
    pair.reasons.forEach((each) => add(list, "li", each));
    both(pair).forEach((side) => side.failed.forEach((each) => add(made, "p", side.label + " FAILED " + each, "failed")));
    const sides = add(made, "div", undefined, "sides");
    both(pair).forEach((side, i) => {
      const card = add(sides, "div", undefined, "side " + "ab"[i]);
      add(card, "div", side.label, "label");
      add(card, "div", side.title);
      add(card, "p", side.verdict);
      if (side.details.length) {
        const list = add(card, "ul");
        side.details.forEach((each) => add(list, "li", each));
      }
      if (side.remedy) add(card, "p", side.remedy, "remedy");
      add(card, "div", side.fabric + " · " + side.topology + " · seed " + side.seed, "note");
    });
  }

  function settings(parent, pair) {
    if (!pair.settings.length) return;
    const place = add(add(section(parent, "What is set differently"), "div", undefined, "scroll"), "table");
    const text = (at) => (row) => row[at] || "–";
    table(place, [{ name: "setting", value: (row) => row[0], text: (row) => row[0] },
      { name: pair.a.label, value: text(1), text: text(1) }, { name: pair.b.label, value: text(2), text: text(2) }], pair.settings);
  }

  function figures(parent, pair) {
    const place = add(add(section(parent, "Figures"), "div", undefined, "scroll"), "table");
    const plain = (key) => ({ name: pair[key].label, value: (row) => parseFloat(row[key].replace(/,/g, "")) || 0, text: (row) => row[key] });
    table(place, [{ name: "figure", value: (row) => row.metric, text: (row) => row.metric + ": " + row.meaning }, plain("a"), plain("b"),
      { name: pair.b.label + " by " + pair.a.label, value: (row) => row.ratio ?? -1, text: (row) => row.ratio === undefined ? "–" : row.ratio.toFixed(2) }], pair.figures);
    if (pair.seconds) {
      add(place.parentNode.parentNode, "p", "Both runs together took " + pair.seconds.toFixed(1) + " s of this machine; the process then had " + bytes(pair.heap_bytes) + " of heap.", "note");
    }
  }

  // ---- charts

  // How many times as much: what lies right of 1 is more in the second.
  function ratios(pair) {
    const rows = pair.figures.filter((each) => each.ratio !== undefined && each.ratio > 0).reverse();
    const most = Math.max(2, ...rows.map((each) => Math.max(each.ratio, 1 / each.ratio)));
    const edge = Math.pow(2, Math.ceil(Math.log2(Math.min(1000, most)) + 0.9));
    return (c) => {
      const option = base(c);
      option.grid = { left: 150, right: 64, top: 14, bottom: 46 };
      const x = (ratio) => Math.log2(Math.min(edge, Math.max(1 / edge, ratio)));
      const scale = Math.log2(edge);
      return Object.assign(option, {
        tooltip: { formatter: (p) => { const row = rows[p.dataIndex]; return encode(row.metric) + ": " + encode(row.a) + " and " + encode(row.b); } },
        xAxis: axis(c, pair.b.label + " by " + pair.a.label, { type: "value", min: -scale, max: scale, axisLabel: { color: c.dim, hideOverlap: true, showMinLabel: false, showMaxLabel: false, formatter: (v) => { const r = Math.pow(2, v); return r >= 10 ? r.toFixed(0) : r.toPrecision(2); } } }),
        yAxis: axis(c, "", { type: "category", data: rows.map((each) => each.metric), axisLabel: { color: c.dim } }),
        series: [{ type: "bar", progressive: 0, barWidth: "62%", label: { show: true, position: "right", color: c.dim, formatter: (p) => rows[p.dataIndex].ratio.toFixed(2) + "x" },
          data: rows.map((each) => ({ value: x(each.ratio), itemStyle: { color: each.ratio >= 1 ? COLOURS(c)[1] : COLOURS(c)[0] }, label: { position: each.ratio >= 1 ? "right" : "left" } })) }] });
    };
  }

  function cdf(pair) {
    return (c) => {
      const lines = [];
      both(pair).forEach((side, i) => side.works.forEach((work, w) => {
        const count = work.times.length;
        if (count) lines.push({ name: side.label + (side.works.length > 1 ? " " + work.name : ""), type: "line", step: "end", showSymbol: count < 3, progressive: 0,
          color: COLOURS(c)[i], lineStyle: { width: 2, type: ["solid", "dashed", "dotted"][w % 3] },
          data: work.times.map((time, k) => [time, 100 * (k + 1) / count]) });
      }));
      const all = both(pair).flatMap((side) => side.works.flatMap((work) => work.times));
      const isWide = Math.max(...all) > 20 * Math.min(...all);
      return Object.assign(base(c), { series: lines,
        tooltip: { trigger: "axis", formatter: (points) => points.map((p) => encode(p.seriesName) + ": " + p.value[1].toFixed(1) + " % within " + us(p.value[0])).join("<br>") },
        xAxis: axis(c, isWide ? "time in us, logarithmic" : "time in us", { type: isWide ? "log" : "value", scale: true }),
        yAxis: tall(c, "% over", { type: "value", min: 0, max: 100, axisLabel: { color: c.dim } }) });
    };
  }

  function load(pair) {
    return (c) => Object.assign(base(c), { color: COLOURS(c), tooltip: { trigger: "axis", valueFormatter: (v) => v + " %" },
      series: both(pair).map((side) => ({ name: side.label, type: "line", showSymbol: false, progressive: 0, lineStyle: { width: 2 }, areaStyle: { opacity: 0.08 },
        data: side.load.map((value, i) => [100 * i / Math.max(1, side.load.length - 1), value]) })),
      xAxis: axis(c, "% of links, the busiest first", { type: "value", max: 100 }),
      yAxis: tall(c, "% of the time busy", { type: "value", max: 100 }) });
  }

  function series(pair, key, form) {
    return (c) => {
      const option = base(c);
      option.grid.left = 74;
      option.grid.top = 56;
      option.legend = Object.assign({}, option.legend, { type: "plain", orient: "vertical", itemGap: 6 });
      return Object.assign(option, { color: COLOURS(c), tooltip: { trigger: "axis", confine: true, valueFormatter: form },
        series: both(pair).map((side) => ({ name: side.label + ", " + side[key].port, type: "line", step: "end", showSymbol: false, progressive: 0, lineStyle: { width: 1.8 },
          data: side[key].values.map((value, i) => [side.until_us[i], value]) })),
        xAxis: axis(c, "time in us", { type: "value" }), yAxis: axis(c, "", { type: "value", axisLabel: { color: c.dim, formatter: form } }) });
    };
  }

  function one(pair) {
    const parent = add(byId("pairs"), "div");
    if (data.pairs.length > 1) add(parent, "h1", pair.title);
    verdict(parent, pair);
    const charted = add(parent, "div", undefined, "pair");
    if (both(pair).some((side) => side.works.some((work) => work.times.length > 1))) picture(charted, "Completion times", cdf(pair));
    if (pair.a.load && pair.b.load) {
      picture(charted, "Load of all links", load(pair));
      if (both(pair).some((side) => side.queued.values.some((v) => v > 0))) picture(charted, "The longest queue over time", series(pair, "queued", bytes));
      if (both(pair).some((side) => side.held.values.some((v) => v > 0))) picture(charted, "The port that was held back the longest", series(pair, "held", (v) => v + " %"));
    }
    picture(parent, "What is more, and what is less", ratios(pair));
    charts.at(-1).made.getDom().style.height = 70 + 24 * pair.figures.length + "px";
    charts.at(-1).made.resize();
    settings(parent, pair);
    figures(parent, pair);
  }

  function summary() {
    if (data.pairs.length < 2) return;
    byId("summary").hidden = false;
    const longest = (side) => Math.max(0, ...side.works.map((work) => work.max ?? 0));
    const time = (key) => ({ name: data.pairs[0][key].label, value: (row) => longest(row[key]), text: (row) => us(longest(row[key])) });
    table(byId("all"), [{ name: "work", value: (row) => row.title, text: (row) => row.title }, time("a"), time("b"),
      { name: "took here", value: (row) => row.seconds, text: (row) => row.seconds.toFixed(1) + " s" },
      { name: "heap after", value: (row) => row.heap_bytes, text: (row) => bytes(row.heap_bytes) }], data.pairs);
  }

  function again() {
    const part = byId("again");
    add(part, "pre", data.command);
    add(part, "p", data.version + (data.commit ? ", commit " + data.commit : "") + ". The same version and seeds give the same runs.", "note");
    data.pairs.forEach((pair) => both(pair).forEach((side) => {
      const more = add(part, "details");
      add(more, "summary", side.file);
      add(more, "pre", side.source);
    }));
  }

  byId("title").textContent = document.title;
  summary();
  data.pairs.forEach(one);
  again();
  begin(() => {});
  window.verbenaReport = { charts, theme };
})();
