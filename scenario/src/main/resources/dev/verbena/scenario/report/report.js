"use strict";
(() => {
  const { data, root, byId, charts, encode, add, colours, us, bytes, table, number, chart, base, axis, tall, theme, begin } = verbenaParts;

  // ---- words

  function words() {
    byId("title").textContent = data.title;
    byId("about").textContent = data.about;
    const verdict = byId("verdict");
    const isLook = !data.good || data.verdict.remedy !== "";
    verdict.classList.toggle("look", isLook);
    add(verdict, "p", data.verdict.headline, "headline");
    const list = add(verdict, "ul");
    data.verdict.details.forEach((each) => add(list, "li", each));
    if (data.verdict.remedy) add(verdict, "p", data.verdict.remedy, "remedy");
    add(verdict, "p", data.fabric + " · " + data.topology + " · seed " + data.seed, "note");
    data.kpis.forEach((each) => {
      const card = add(byId("kpis"), "div", undefined, "kpi");
      add(card, "div", each.label, "label");
      add(card, "div", each.value, "value");
      if (each.before) add(card, "div", "without faults " + each.before, "before");
    });
    if (data.asserts.length) add(byId("asserts"), "h2", "What must hold");
    data.asserts.forEach((each) => {
      const row = add(byId("asserts"), "div", undefined, each.holds ? "assert" : "assert failed");
      add(row, "span", each.holds ? "holds" : "FAILED", "mark");
      add(row, "span", each.text);
      add(row, "span", "it is " + each.found, "note");
    });
    again();
  }

  function again() {
    const part = byId("again");
    add(part, "pre", data.command);
    const commit = data.commit ? ", commit " + data.commit : "";
    add(part, "p", data.version + commit + ", seed " + data.seed +
      ". The same version and seed give the same run.", "note");
    const more = add(part, "details");
    add(more, "summary", "The scenario, " + data.file);
    add(more, "pre", data.source);
  }

  // ---- tables

  function tables() {
    table(byId("works"), [
      { name: "workload", value: (row) => row.name, text: (row) => row.name + ": " + row.kind },
      { name: "over", value: (row) => row.over, text: (row) => row.over + " of " + row.wanted },
      number("failed", "failed"), number("p50", "p50", us), number("p99", "p99", us),
      number("max", "max", us), number("delivered", "bytes", bytes),
      number("Gb/s", "goodput", (value) => value.toFixed(2))], data.works);
    if (!data.ports) return;
    byId("ports-part").hidden = false;
    const held = data.infiniband ? "no credit %" : "paused %";
    const busiest = [...data.ports].sort((a, b) => b.busy - a.busy || b.held - a.held).slice(0, 200);
    byId("ports-note").textContent = "The " + busiest.length + " busiest of " + data.ports.length + " ports. Click a heading to sort.";
    table(byId("ports"), [
      { name: "port", value: (row) => row.node + " " + row.port, text: (row) => row.node + " port " + row.port + " to " + row.neighbour },
      number("load %", "busy"), number(held, "held"), number("lost or dropped", "errors"),
      number("longest queue", "queued", bytes)], busiest);
  }

  // ---- charts

  function marks(c) {
    const times = (data.faults || []).flatMap((fault) => fault.times).slice(0, 60);
    return { silent: true, itemStyle: { color: c.bad, opacity: 0.13 },
      data: times.map((each) => [{ xAxis: each[1] }, { xAxis: each[2] }]) };
  }

  function cdf(c) {
    const lines = [];
    const put = (works, suffix, type) => works.forEach((work) => {
      const count = work.times.length;
      if (!count) return;
      lines.push({ name: work.name + suffix, type: "line", step: "end", showSymbol: count < 3, progressive: 0,
        lineStyle: { type, width: 2 }, data: work.times.map((time, i) => [time, 100 * (i + 1) / count]) });
    });
    put(data.works, "", "solid");
    put(data.works_without_faults || [], " without faults", "dashed");
    const all = data.works.flatMap((work) => work.times);
    const isWide = Math.max(...all) > 20 * Math.min(...all);
    return Object.assign(base(c), { series: lines,
      tooltip: { trigger: "axis", formatter: (points) => points.map((p) => encode(p.seriesName) + ": " + p.value[1].toFixed(1) + " % within " + us(p.value[0])).join("<br>") },
      xAxis: axis(c, isWide ? "time in us, logarithmic" : "time in us", { type: isWide ? "log" : "value", scale: true, min: isWide ? Math.min(...all) / 1.2 : undefined }),
      yAxis: tall(c, "% over", { type: "value", min: 0, interval: 20, axisLabel: { color: c.dim } }) });
  }

  function rates(c) {
    const lines = Object.entries(data.rates).map(([name, values]) => ({ name, type: "line", step: "end",
      showSymbol: false, progressive: 0, lineStyle: { width: 2 },
      data: values.map((value, i) => [data.until_us[i], value]) }));
    if (lines.length) lines[0].markArea = marks(c);
    return Object.assign(base(c), { series: lines, tooltip: { trigger: "axis", valueFormatter: (v) => v + " Gb/s" },
      xAxis: axis(c, "time in us", { type: "value", max: data.until_us.at(-1) }), yAxis: tall(c, "Gb/s", { type: "value" }) });
  }

  const portName = (port) => { const p = data.ports[port]; return p.node + " port " + p.port + " to " + p.neighbour; };

  function overTime(c, kind, form) {
    const rows = [...data.over_time[kind]].sort((a, b) => Math.max(...b[1]) - Math.max(...a[1])).slice(0, 6);
    const every = data.over_time.every;
    const lines = rows.map(([port, values]) => ({ name: portName(port), type: "line", step: "end", showSymbol: false,
      progressive: 0, lineStyle: { width: 1.6 },
      data: values.map((value, i) => [data.until_us[Math.min((i + 1) * every, data.until_us.length) - 1], value]) }));
    if (lines.length) lines[0].markArea = marks(c);
    const option = base(c);
    option.grid.left = 74;
    return Object.assign(option, { series: lines, tooltip: { trigger: "axis", confine: true, valueFormatter: form },
      xAxis: axis(c, "time in us", { type: "value", max: data.until_us.at(-1) }),
      yAxis: axis(c, "", { type: "value", axisLabel: { color: c.dim, formatter: form } }) });
  }

  const KINDS = { forward: "#8fa3b8", backward: "#5f7891", "own work": "#d97706" };

  function waterfall(c) {
    const job = data.job;
    const slow = job.straggler.replace("rank ", "");
    const rows = job.ranks.map((rank) => "rank " + rank);
    const groups = {};
    job.spans.forEach((span) => (groups[span[1]] ||= []).push([span[0], span[2], span[3]]));
    const order = Object.keys(groups).sort((a, b) => (a === "own work") - (b === "own work"));
    const series = order.map((kind) => ({ name: kind, type: "custom", progressive: 0, encode: { x: [1, 2], y: 0 },
      itemStyle: { color: KINDS[kind] || c.accent, opacity: kind === "own work" ? 0.95 : 0.75 }, data: groups[kind],
      renderItem: (params, api) => {
        const from = api.coord([api.value(1), api.value(0)]);
        const until = api.coord([api.value(2), api.value(0)]);
        const height = api.size([0, 1])[1] * (kind === "own work" ? 0.3 : 0.72);
        const shape = echarts.graphic.clipRectByRect({ x: from[0], y: from[1] - height / 2, width: Math.max(0.6, until[0] - from[0]), height },
          { x: params.coordSys.x, y: params.coordSys.y, width: params.coordSys.width, height: params.coordSys.height });
        return shape && { type: "rect", shape, style: { fill: api.visual("color"), opacity: kind === "own work" ? 0.95 : 0.75 } };
      } }));
    const option = base(c);
    option.grid = { left: 84, right: 18, top: 34, bottom: 62 };
    return Object.assign(option, { series, dataZoom: [{ type: "inside", filterMode: "none" }, { type: "slider", height: 14, bottom: 4, filterMode: "none" }],
      tooltip: { formatter: (p) => encode(rows[p.value[0]]) + ": " + encode(p.seriesName) + ", " + us(p.value[2] - p.value[1]) },
      xAxis: axis(c, "time in us", { type: "value", scale: true }),
      yAxis: axis(c, "", { type: "category", data: rows, inverse: true,
        axisLabel: { color: (name) => name === "rank " + slow ? c.bad : c.dim,
          formatter: (name) => name === "rank " + slow ? "\u25b6 " + name : name } }) });
  }

  // ---- the topology

  const SCALES = {
    load: { name: "load", colour: "#1f6fe0", full: 100, text: (v) => v + " %" },
    held: { name: data.infiniband ? "waits for credits" : "pauses", colour: "#d97706", full: 100, text: (v) => v + " %" },
    errors: { name: "lost or dropped packets", colour: "#d92d20", full: 1, text: (v) => v + " packets" },
  };
  const values = {};
  let lines = [];

  function mix(from, to, share) {
    const part = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
    const channel = (i) => Math.round(part(from, i) + (part(to, i) - part(from, i)) * share);
    return "rgb(" + channel(0) + "," + channel(1) + "," + channel(2) + ")";
  }

  function svg(tag, attributes, parent) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (parent) parent.appendChild(made);
    return made;
  }

  function topology() {
    byId("fabric").hidden = false;
    const width = 1180;
    const tiers = Math.max(...data.nodes.map((node) => node[1]));
    const height = Math.max(150, 40 + 130 * tiers);
    const picture = svg("svg", { viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "Topology" });
    const at = (node) => [14 + node[2] * (width - 28), height - 26 - node[3] * (height - 56)];
    const parallel = new Map();
    const seen = new Map();
    const pair = (a, b) => a + "-" + b;
    data.cables.forEach(([a, b]) => parallel.set(pair(a, b), (parallel.get(pair(a, b)) || 0) + 1));
    lines = data.cables.map(([a, b]) => {
      const number = seen.get(pair(a, b)) || 0;
      seen.set(pair(a, b), number + 1);
      const aside = Math.max(-12, Math.min(12, 4 * (number - (parallel.get(pair(a, b)) - 1) / 2)));
      let [x1, y1] = at(data.nodes[a]);
      let [x2, y2] = at(data.nodes[b]);
      x1 += aside;
      x2 += aside;
      const line = svg("line", { x1, y1, x2, y2 }, picture);
      svg("title", {}, line);
      return line;
    });
    const named = data.cables.findIndex((_, i) => {
      const [one, other] = [data.ports[2 * i], data.ports[2 * i + 1]];
      const text = one.node + " port " + one.port + " to " + other.node;
      return data.verdict.culprit === text + " port " + other.port || data.verdict.culprit === text ||
        data.verdict.culprit === other.node + " port " + other.port + " to " + one.node;
    });
    if (named >= 0) {
      const halo = lines[named].cloneNode();
      halo.setAttribute("class", "culprit");
      picture.insertBefore(halo, picture.firstChild);
    }
    const slow = /^rank (\d+)$/.exec(data.verdict.culprit);
    const host = slow && data.nodes.find((node) => node[0] === "host " + slow[1]);
    if (host) svg("circle", { cx: at(host)[0], cy: at(host)[1], r: 9, class: "culprit" }, picture);
    const perTier = {};
    data.nodes.forEach((node) => { perTier[node[1]] = (perTier[node[1]] || 0) + 1; });
    data.nodes.forEach((node) => {
      const [x, y] = at(node);
      const room = (width - 28) / perTier[node[1]];
      const size = Math.max(1.5, Math.min(node[1] ? 9 : 5, room / 3));
      const shape = node[1]
        ? svg("rect", { x: x - 1.6 * size, y: y - size, width: 3.2 * size, height: 2 * size, rx: 2, class: "node" }, picture)
        : svg("circle", { cx: x, cy: y, r: size, class: "host" }, picture);
      svg("title", {}, shape).textContent = node[0];
      if (room > 9 * node[0].length * 0.75) {
        svg("text", { x, y: node[1] ? y - size - 5 : y + size + 13, "text-anchor": "middle" }, picture).textContent = node[0];
      }
    });
    byId("topology").appendChild(picture);
    ["load", "held", "errors"].forEach((kind) => {
      values[kind] = new Map(data.over_time[kind].map(([port, row]) => [port, row]));
      const option = add(byId("colour"), "option", SCALES[kind].name);
      option.value = kind;
    });
    SCALES.errors.full = Math.max(1, ...data.over_time.errors.flatMap(([, row]) => row));
    const steps = Math.ceil(data.until_us.length / data.over_time.every);
    byId("time").max = steps; // the last place is the whole run
    byId("time").value = steps;
    byId("time").addEventListener("input", paint);
    byId("colour").addEventListener("change", paint);
    byId("play").addEventListener("click", play);
  }

  function value(kind, port, step, steps) {
    const row = values[kind].get(port);
    if (!row) return 0;
    if (step < steps) return row[step];
    return kind === "errors" ? row.reduce((a, b) => a + b, 0) : kind === "load" ? data.ports[port].busy : Math.round(data.ports[port].held);
  }

  function paint() {
    const kind = byId("colour").value;
    const scale = SCALES[kind];
    const step = Number(byId("time").value);
    const steps = Number(byId("time").max);
    const every = data.over_time.every;
    const c = colours();
    const full = kind === "errors" && step === steps ? Math.max(1, ...data.ports.map((p) => p.errors)) : scale.full;
    lines.forEach((line, i) => {
      const most = Math.max(value(kind, 2 * i, step, steps), value(kind, 2 * i + 1, step, steps));
      const share = Math.min(1, most / full);
      line.setAttribute("stroke", share === 0 ? c.wire : mix(toHex(c.wire), scale.colour, 0.2 + 0.8 * share));
      line.setAttribute("stroke-width", (0.8 + 3.2 * share).toFixed(2));
      line.firstChild.textContent = portName(2 * i) + ": " + scale.text(most);
    });
    const from = step === 0 ? 0 : data.until_us[step * every - 1];
    const until = data.until_us[Math.min((step + 1) * every, data.until_us.length) - 1];
    byId("when").textContent = step === steps ? "the whole run" : us(from) + " to " + us(until);
    byId("topology").querySelectorAll(".node").forEach((each) => each.setAttribute("fill", c.node));
    byId("topology").querySelectorAll(".host").forEach((each) => each.setAttribute("fill", c.host));
    const legend = byId("legend");
    legend.replaceChildren();
    add(legend, "span", "0");
    add(legend, "span", "", "bar").style.background = "linear-gradient(to right, " + c.wire + ", " + scale.colour + ")";
    add(legend, "span", scale.text(full) + (kind === "errors" ? "" : " of the time") + "; colour of a cable: the busier direction");
  }

  const toHex = (colour) => colour.length === 7 ? colour : "#d5dbe2";

  let timer = 0;
  function play() {
    const slider = byId("time");
    const stop = () => { clearInterval(timer); timer = 0; byId("play").textContent = "Play"; };
    if (timer) { stop(); return; }
    if (Number(slider.value) >= Number(slider.max)) slider.value = 0;
    byId("play").textContent = "Pause";
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      paint();
      if (Number(slider.value) >= Number(slider.max)) stop();
    }, 120);
  }

  words();
  tables();
  if (data.nodes) topology();
  if (data.works.some((work) => work.times.length)) chart(byId("cdf"), cdf); else byId("cdf-part").hidden = true;
  if (data.rates && Object.keys(data.rates).length) { byId("rates-part").hidden = false; chart(byId("rates"), rates); }
  if (data.over_time && data.over_time.queued.length) { byId("queues-part").hidden = false; chart(byId("queues"), (c) => overTime(c, "queued", bytes)); }
  if (data.over_time && data.over_time.held.length) {
    byId("held-part").hidden = false;
    byId("held-title").textContent = data.infiniband ? "Waits for credits over time" : "Pauses over time";
    chart(byId("held"), (c) => overTime(c, "held", (v) => v + " %"));
  }
  if (data.job) {
    byId("waterfall-part").hidden = false;
    byId("waterfall").style.height = Math.max(200, 110 + 17 * data.job.ranks.length) + "px";
    const some = data.job.ranks.length < data.job.all ? data.job.ranks.length + " of " + data.job.all + " ranks. " : "";
    byId("straggler").textContent = some + (data.job.straggler
      ? "The straggler is " + data.job.straggler + ": the others wait for it."
      : "No rank stands out.");
    chart(byId("waterfall"), waterfall);
  }
  begin(() => { if (data.nodes) paint(); });
  window.verbenaReport = { charts, theme, paint };
})();
