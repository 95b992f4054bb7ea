// Brings one picture to life: the figure that this script stands in (see alive.py).
//
// The drawing is taken out of the figure's own <img>, so it is stored once and nothing is fetched.
// It goes into a shadow root: its ids and its style meet neither the page nor another picture.
// Marks in the drawing: data-box, data-tail, data-head (what is joined), data-told (what a box
// tells), data-alike (names of parts that it stands for), data-from and data-to (the steps of a film
// in which something is to be seen).
(() => {
  const figure = document.currentScript.closest("figure");
  const img = figure.querySelector("img");
  const [kind, data] = img.src.split(/,(.*)/s);
  const source = kind.endsWith("base64")
    ? new TextDecoder().decode(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)))
    : decodeURIComponent(data);
  const drawing = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (drawing.localName !== "svg") return;
  const svg = document.importNode(drawing, true);
  const size = (of) => ["width", "height"].map((side) => parseFloat(of.getAttribute(side)));
  let [wide, high] = size(svg);
  const all = (selector) => [...svg.querySelectorAll(selector)];
  const steps = [...(figure.querySelector("ol")?.children ?? [])];

  const filled = (element, attributes, ...inside) => {
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.append(...inside);
    return element;
  };
  const make = (tag, ...all) => filled(document.createElement(tag), ...all);
  const shape = (tag, ...all) => filled(document.createElementNS(svg.namespaceURI, tag), ...all);
  const button = (sign, label, action) => {
    const element = make("button", { type: "button", "aria-label": label }, sign);
    element.onclick = action;
    return element;
  };

  // ---- the parts ----

  const style = make("style", {}, `
    .root { --paper: #fff; --ink: #1f2328; --line: #68717c; --mark: #1f5f9e; position: relative;
      color: var(--ink); font: 14px/1.45 system-ui, sans-serif; max-width: 100% }
    :host([data-dark]) .root { --paper: #14171c; --ink: #e9ebee; --line: #97a1ad; --mark: #6cb2f0 }
    .view { overflow: auto; max-width: 100%; max-height: max(85vh, 480px); width: fit-content }
    .view.large { cursor: grab; outline: 1px solid var(--line); outline-offset: -1px;
      padding-bottom: 36px }
    svg { display: block }
    [data-box] { cursor: pointer }
    [data-box], [data-tail] { transition: opacity 0.15s }
    [data-changes] { transition: fill 0.4s, stroke 0.4s }
    .dim { opacity: 0.2 }
    :focus-visible { outline: 2px solid var(--mark); outline-offset: 2px }
    button { font: inherit; min-width: 2em; min-height: 2em }
    button, .tip { color: var(--ink); background: var(--paper); border: 1px solid var(--line);
      border-radius: 4px }
    .tools { position: absolute; right: 4px; bottom: 4px; display: flex; gap: 3px; opacity: 0 }
    .root:hover .tools, .root:focus-within .tools, .large + .tools { opacity: 1 }
    .crumbs, .player, .words { max-width: 46em; padding: 4px; background: var(--paper) }
    .crumbs, .player { display: flex; flex-wrap: wrap; gap: 8px; align-items: center }
    input { flex: 1; accent-color: var(--mark) }
    .words { display: grid; overflow-wrap: anywhere }
    .words > * { grid-area: 1 / 1; visibility: hidden }
    .words > .now { visibility: visible }
    .sign { font: bold 14px monospace; fill: var(--mark) }
    .frame { cursor: pointer; font: 12px monospace; fill: var(--ink) }
    .frame rect { fill: var(--paper); stroke: var(--mark) }
    .tip { position: absolute; z-index: 1; max-width: 34em; padding: 4px 8px; pointer-events: none;
      white-space: pre-wrap; font: 12px/1.4 monospace }
    .heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
    [hidden] { display: none }
    dialog { width: 100vw; height: 100vh; max-width: none; max-height: none; padding: 12px;
      box-sizing: border-box; background: #fff }
    :host([data-dark]) dialog { background: #14171c }
    dialog .view { max-height: calc(100vh - 11em) }
    @media (prefers-reduced-motion: reduce) { * { transition: none !important } }
    @media print { .view { max-height: none } }`);
  const part = (name, ...inside) => make("div", { class: name }, ...inside);
  const [view, tip, tools] = [part("view", svg), part("tip"), part("tools")];
  const dialog = make("dialog", { "aria-label": img.alt });
  tip.hidden = true;
  const root = make("div", { class: "root", role: "group", "aria-label": img.alt }, view, tools, tip);
  // else JupyterLab takes the arrow keys for itself
  const host = make("div", { "data-lm-suppress-shortcuts": "true" });
  host.attachShadow({ mode: "open" }).append(style, root, dialog);
  svg.role = "group";

  // ---- light or dark, as the page is ----

  const rules = /^@media[^{]*dark\)\s*\{(.*)\}$/s;
  const night = all("style").filter((sheet) => rules.test(sheet.textContent));
  for (const sheet of night) sheet.textContent = sheet.textContent.replace(rules, "$1");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const themes = ["data-jp-theme-light", "data-theme", "data-vscode-theme-kind"];
  const theme = () => {
    const said = themes.map((key) => document.querySelector(`:is(html, body)[${key}]`)?.getAttribute(key));
    // such as ",dark,": JupyterLab says whether it is light
    const site = said.join();
    const dark = /false|dark/.test(site) || (!/true|light/.test(site) && system.matches);
    host.toggleAttribute("data-dark", dark);
    for (const sheet of night) sheet.media = dark ? "all" : "not all";
  };
  for (const element of [document.body, document.documentElement])
    new MutationObserver(theme).observe(element, { attributeFilter: themes });
  system.addEventListener("change", theme);
  theme();

  // ---- size: letters never under 11 pixels at first sight ----

  const letters = all("[font-size]").map((words) => parseFloat(words.getAttribute("font-size")));
  const readable = 11 / Math.min(12, ...letters);
  let scale = 1, chosen = false;
  const fit = (least) => Math.min(1, Math.max((root.clientWidth || wide) / wide, least));
  const zoom = (wanted, x = view.clientWidth / 2, y = view.clientHeight / 2) => {
    const next = Math.min(6, Math.max(0.05, wanted));
    const moved = (from, at) => (from + at) * next / scale - at;
    const [left, top] = [moved(view.scrollLeft, x), moved(view.scrollTop, y)];
    scale = next;
    svg.style.width = `${wide * scale}px`;
    svg.style.height = `${high * scale}px`;
    view.classList.toggle("large", view.scrollWidth > view.clientWidth + 1
      || view.scrollHeight > view.clientHeight + 1);
    view.scrollTo(left, top);
  };
  const choose = (wanted, x, y) => { chosen = true; zoom(wanted, x, y); };
  const full = () => {
    const open = !dialog.open;
    (open ? dialog : host.shadowRoot).append(root);
    if (open) dialog.showModal();
    else dialog.close();
    last.textContent = last.ariaLabel = open ? "Close" : "Full size";
    zoom(open ? 1 : fit(readable));
    last.focus();
  };
  const last = button("Full size", "Full size", full);
  dialog.oncancel = (event) => { event.preventDefault(); full(); };
  tools.append(
    button("\u2212", "Smaller", () => choose(scale / 1.25)),
    button("+", "Larger", () => choose(scale * 1.25)),
    button("Fit", "Fit into the width", () => choose(fit(0))),
    last,
  );
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const at = view.getBoundingClientRect();
    choose(scale * Math.exp(-event.deltaY / 300), event.clientX - at.x, event.clientY - at.y);
  }, { passive: false });
  let held = null, moved = false;
  view.onpointerdown = (event) => {
    moved = false;
    if (event.button === 0 && event.pointerType === "mouse" && view.classList.contains("large"))
      held = [event.clientX + view.scrollLeft, event.clientY + view.scrollTop];
  };
  view.onpointermove = (event) => {
    if (!held || !event.buttons) return;
    const [left, top] = [held[0] - event.clientX, held[1] - event.clientY];
    moved ||= Math.hypot(left - view.scrollLeft, top - view.scrollTop) > 4;
    if (moved) view.scrollTo(left, top);
  };
  addEventListener("pointerup", () => { held = null; });

  // ---- boxes: what they tell, and the way from them to the leaves ----

  const boxes = all("[data-box]"), arrows = all("[data-tail]");
  let lit = null;
  const light = (box) => {
    lit = box === lit ? null : box;
    const on = new Set(lit ? [lit.dataset.box] : boxes.map((one) => one.dataset.box));
    for (const name of on)
      for (const arrow of arrows) if (arrow.dataset.tail === name) on.add(arrow.dataset.head);
    for (const one of boxes) {
      one.classList.toggle("dim", !on.has(one.dataset.box));
      one.ariaPressed = one === lit;
    }
    for (const arrow of arrows) arrow.classList.toggle("dim", !on.has(arrow.dataset.tail));
  };
  const tell = (box) => {
    const lines = box?.dataset.told?.split("\n") ?? [];
    tip.hidden = lines.length < 2;
    tip.textContent = lines.join("\n");
    if (tip.hidden) return;
    const [at, home] = [box.getBoundingClientRect(), root.getBoundingClientRect()];
    const above = at.y - home.y - tip.offsetHeight - 4;
    tip.style.top = `${above > 0 ? above : at.bottom - home.y + 4}px`;
    tip.style.left = `${Math.max(0, Math.min(at.x - home.x, root.clientWidth - tip.offsetWidth))}px`;
  };
  const tab = (box) => boxes.forEach((one) => { one.tabIndex = one === box ? 0 : -1; });
  for (const box of boxes) {
    box.role = "button";
    box.ariaDescription = box.dataset.told.replaceAll("\n", ", ");
    box.onpointerenter = () => tell(box);
    box.onpointerleave = box.onblur = () => tell(null);
    box.onfocus = () => { tab(box); tell(box); };
    box.onclick = () => { if (!moved) press(box); };
  }
  const press = (box) => (inner.has(box.dataset.box) ? open(box.dataset.box) : light(box));
  light(null);
  tab(boxes[0]);

  // ---- modules that open where they stand, and shut again ----
  //
  // A drawing makes room for what is opened: right of the left edge of its box everything moves by
  // the width that is added, below the upper edge by the height, in the box itself by a part of it.
  // All places are computed anew from those in which Graphviz has put things.

  const inner = new Map(all("[data-inside]").map((one) => [one.dataset.inside, one]));
  const named = new Map(boxes.map((one) => [one.dataset.box, one]));
  // by box and by name: a leaf is in several drawings
  const home = new Map(boxes.flatMap((one) => {
    const name = one.closest("[data-inside]")?.dataset.inside ?? "";
    return [[one, name], [one.dataset.box, name]];
  }));
  // by the name of the box that opened: its drawing, where things were
  const levels = new Map();
  const opened = new Set(), TITLE = 18;
  // an arrow in short pieces: one of few points would cut through what is opened beside it
  const fine = (arrow) => {
    const points = [];
    for (let at = 0, long = arrow.getTotalLength(); at < long + 5; at += 5) {
      const { x, y } = arrow.getPointAtLength(at);
      points.push([x, y]);
    }
    return points;
  };
  const learn = (drawing, name) => {
    const graph = drawing.querySelector("g"), at = new Map();
    for (const box of graph.querySelectorAll("[data-box]")) {
      const { x, y, width, height } = box.getBBox();
      at.set(box.dataset.box, { x, y, width, height });
      if (!inner.has(box.dataset.box)) continue;
      box.ariaExpanded = false;
      box.append(shape("text", { class: "sign", x: x + width - 11, y: y + 13 }, "+"));
    }
    const parts = [...graph.querySelectorAll("path, polygon, polyline, text, rect, [data-box]")]
      .filter((one) => one.dataset.box || !one.closest("[data-box]"))
      .map((one) => {
        const { tail, head } = one.parentNode.dataset;
        const key = ["d", "points"].find((each) => one.hasAttribute(each)) ?? "x";
        const was = tail && key === "d" ? fine(one) : one.getAttribute(key);
        return { one, tail, head, key, was, y: one.getAttribute("y") };
      });
    // what is opened has a frame, at which arrows end; its title shuts it
    const title = "\u2212 " + named.get(name)?.dataset.told.split("\n")[0];
    const frame = shape("g", { class: "frame" }, shape("rect", { rx: 8 }), shape("text", {}, title));
    frame.onclick = () => { if (!moved) shut(name); };
    levels.set(name, { drawing, graph, name, at, parts, first: size(drawing), frame,
      least: 7.5 * title.length + 16 });
  };
  const arrange = ({ drawing, name, at, parts, first }) => {
    const rooms = [];
    // what is 3 pixels from an edge of a box, such as the end of an arrow, moves as the edge does
    const part = (value, from, length) => Math.min(1, Math.max(0, (value - from - 3) / (length - 6)));
    const moved = (x, y) => rooms.reduce(([a, b], room) => [
      a + room.more * part(x, room.x, room.width), b + room.longer * part(y, room.y, room.height),
    ], [x, y]);
    const middle = (box) => moved(box.x + box.width / 2, box.y + box.height / 2);
    for (const one of opened) {
      if (home.get(one) !== name) continue;
      const box = at.get(one), { drawing: inside, least } = levels.get(one), [w, h] = size(inside);
      const [from, to] = [moved(box.x, box.y), moved(box.x + box.width, box.y + box.height)];
      rooms.push({ ...box, one, more: Math.max(0, Math.max(w + 4, least) - to[0] + from[0]),
        longer: Math.max(0, h + TITLE + 2 - to[1] + from[1]) });
    }
    const taken = new Map([...at].map(([one, box]) => {
      const { x, y, width, height } = box, [a, b] = middle(box);
      return [one, opened.has(one) ? [...moved(x, y), ...moved(x + width, y + height)]
        : [a - width / 2, b - height / 2, a + width / 2, b + height / 2]];
    }));
    // a place near a shut box moves as that box does: so arrows still touch it
    const shift = (x, y, ends) => {
      const box = ends.map((end) => !opened.has(end) && at.get(end)).find((box) => box
        && Math.abs(x - box.x - box.width / 2) < box.width / 2 + 12
        && Math.abs(y - box.y - box.height / 2) < box.height / 2 + 12);
      if (!box) return moved(x, y);
      const [a, b] = middle(box);
      return [a + x - box.x - box.width / 2, b + y - box.y - box.height / 2];
    };
    // an arrow keeps its form, unless it would then run behind a box
    const bent = (points, ends) => {
      const far = points.map(([x, y]) => shift(x, y, ends));
      const last = points.length - 1, off = (k, side) => far[k][side] - points[k][side];
      const near = points.map((at, k) => at.map((value, side) =>
        value + off(0, side) + (off(last, side) - off(0, side)) * k / last));
      const behind = ([x, y]) => [...taken.values()].some(([left, top, right, low]) =>
        left + 4 < x && x < right - 4 && top + 4 < y && y < low - 4);
      return near.some(behind) ? far : near;
    };
    for (const { one, tail, head, key, was, y } of parts) {
      const box = at.get(one.dataset.box), ends = [tail, head];
      const stiff = (x, y, [a, b]) => one.setAttribute("transform", `translate(${a - x} ${b - y})`);
      if (box) stiff(box.x + box.width / 2, box.y + box.height / 2, middle(box));
      else if (key === "x") stiff(+was, +y, moved(+was, +y));
      else if (tail && key === "points") {
        const [a, b, , , c, d] = was.split(/[,\s]/).map(Number);
        // where the line ends
        const [x, y] = [(a + c) / 2, (b + d) / 2];
        stiff(x, y, shift(x, y, ends));
      } else if (tail) one.setAttribute(key, `M${bent(was, ends)}`);
      else one.setAttribute(key, was.replace(/(-?[\d.]+)[,\s](-?[\d.]+)/g,
        (_, x, y) => moved(+x, +y)));
    }
    for (const { one } of rooms) {
      const [left, top, right, low] = taken.get(one);
      const { drawing: inside, frame: { children: [edge, title] } } = levels.get(one);
      filled(inside, { x: (left + right - size(inside)[0]) / 2, y: top + TITLE });
      filled(edge, { x: left, y: top, width: right - left, height: low - top });
      filled(title, { x: left + 8, y: top + TITLE - 4 });
    }
    const end = moved(1e6, 1e6), [w, h] = first.map((side, k) => side + end[k] - 1e6);
    filled(drawing, { width: w, height: h, viewBox: `0 0 ${w} ${h}` });
    if (name) return arrange(levels.get(home.get(name)));
    [wide, high] = [w, h];
    zoom(scale);
  };
  const open = (name) => {
    if (!name || opened.has(name)) return;
    open(home.get(name));
    const outer = levels.get(home.get(name));
    inner.get(name).removeAttribute("display");
    if (!levels.has(name)) learn(inner.get(name).querySelector("svg"), name);
    outer.graph.append(levels.get(name).frame, levels.get(name).drawing);
    change(name, true);
    levels.get(name).drawing.querySelector("[data-box]").focus();
  };
  const clear = (name) => {
    for (const one of [...opened]) if (home.get(one) === name) shut(one);
  };
  const shut = (name) => {
    clear(name);
    for (const key of ["frame", "drawing"]) levels.get(name)[key].remove();
    change(name, false);
    named.get(name).focus();
  };
  const change = (name, on) => {
    opened[on ? "add" : "delete"](name);
    named.get(name).style.display = on ? "none" : "";
    arrange(levels.get(home.get(name)));
    way(on ? name : home.get(name));
  };
  const crumbs = part("crumbs");
  // from the overview to what was opened last; a press goes back there
  const way = (name) => {
    const names = [];
    for (let at = name; at; at = home.get(at)) names.unshift(at);
    const title = (at) => named.get(at)?.dataset.told.split("\n")[0] ?? "Overview";
    crumbs.replaceChildren(...["", ...names].map((at) =>
      button(title(at), `Back to ${title(at)}`, () => clear(at))), seek);
  };
  const seek = make("input", { type: "search", placeholder: "/ find", "aria-label": "Find a name" });
  // names of equal parts, behind that of the one that is drawn for all of them
  const alike = all("[data-alike]").flatMap((one) => one.dataset.alike.split(";"));
  let hit;
  seek.onkeydown = (event) => {
    event.stopPropagation();
    const wanted = alike.reduce((name, row) => {
      const [first, ...others] = row.split(" ");
      const same = others.find((other) => (name + ".").startsWith(other + "."));
      return same ? first + name.slice(same.length) : name;
    }, seek.value).toLowerCase();
    const found = boxes.filter((one) => one.dataset.told.toLowerCase().includes(wanted));
    seek.setCustomValidity("");
    if (event.key !== "Enter") return;
    if (!found.length) {
      seek.setCustomValidity("Not found");
      return seek.reportValidity();
    }
    hit = found[(found.indexOf(hit) + 1) % found.length];
    open(home.get(hit));
    hit.focus();
    hit.scrollIntoView({ block: "center", inline: "center" });
  };

  // ---- the steps of a film ----

  let now = 0, timer = 0;
  const passing = all("[data-from]");
  const changing = all("[data-changes]").flatMap((element) =>
    element.dataset.changes.split(";").map((change) => {
      const [name, ...values] = change.split("|");
      return [element, name, values.map((value) => value.split(":"))];
    }));
  const slider = make("input", { type: "range", min: 1, max: steps.length, "aria-label": "Step" });
  const count = make("span");
  const heard = part("heard");
  const words = part("words", ...steps.map((step) => part("", ...step.cloneNode(true).childNodes)));
  // what is new comes from where it was: a mark from the one above it, a gradient from its function
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const glide = (one, from) => {
    if (still.matches) return;
    const [a, b] = [from ?? one, one].map((each) => each.getBBox());
    const [x, y] = [a.x - b.x + (a.width - b.width) / 2, a.y - b.y + (a.height - b.height) / 2];
    one.animate([{ transform: `translate(${x}px,${y}px)`, opacity: 0 }, {}], 500);
  };
  const above = (one) => passing.findLast((other) => other.dataset.from < now
    && other.getAttribute("x") === (one.getAttribute("x") ?? ""));
  const show = (step) => {
    const next = step === now + 1;
    now = Math.max(0, Math.min(steps.length - 1, step));
    for (const element of passing) {
      // what comes later and stays is faint; of words that change, one version is there
      const { from, to = Infinity } = element.dataset, whole = element.localName !== "tspan";
      const seen = from <= now && now <= to, later = whole && from > now && to > steps.length;
      element.setAttribute("display", seen || later ? "inline" : "none");
      element.classList.toggle("dim", later);
      if (next && +from === now) glide(element, above(element));
    }
    for (const [element, name, values] of changing) {
      const [from, value] = values.findLast(([from]) => from <= now);
      element.setAttribute(name, value);
      const tail = element.localName === "text" && named.get(element.closest("[data-tail]")?.dataset.tail);
      if (next && tail && +from === now) glide(element, tail);
    }
    [...words.children].forEach((one, k) => one.classList.toggle("now", k === now));
    slider.value = now + 1;
    count.textContent = `${now + 1} of ${steps.length}`;
    slider.ariaValueText = `Step ${count.textContent}: ${steps[now].firstChild.textContent}`;
    heard.textContent = words.children[now].innerText;
  };
  const play = (on = !timer) => {
    clearInterval(timer);
    timer = 0;
    if (on && now === steps.length - 1) show(0);
    if (on) timer = setInterval(() => (now < steps.length - 1 ? show(now + 1) : play(false)), 1600);
    start.textContent = start.ariaLabel = on ? "Pause" : "Play";
    // a film that plays does not talk all the time
    heard.ariaLive = on ? "off" : "polite";
  };
  const start = button("", "Play", () => play());
  if (steps.length) {
    slider.oninput = () => { play(false); show(slider.value - 1); };
    root.prepend(part("player", start, slider, count), words, heard);
    play(false);
    show(0);
  }

  // ---- keys ----

  root.onkeydown = (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const box = target.closest("[data-box]");
    const jumps = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1 };
    const moves = { ArrowUp: -1, ArrowDown: 1, ...(steps.length ? {} : { ArrowLeft: -1, ArrowRight: 1 }) };
    const seen = boxes.filter((one) => one.getClientRects().length);
    if (key === "Escape" && opened.size) shut([...opened].pop());
    else if (key === "Escape" && (lit || !tip.hidden)) { light(lit); tell(null); }
    else if (key === "/" && inner.size) seek.focus();
    else if (box && key === "Enter") press(box);
    else if (key === "+" || key === "-") choose(scale * (key === "+" ? 1.25 : 0.8));
    else if (box && moves[key]) seen.at((seen.indexOf(box) + moves[key]) % seen.length).focus();
    else if (!steps.length || (key === " " && target.localName === "button")) return;
    else if (key === " ") play();
    else if (target !== slider && key in jumps) { play(false); show(jumps[key]); }
    else return;
    event.preventDefault();
  };

  figure.classList.add("alive");
  img.replaceWith(host);
  if (inner.size) {
    learn(svg, "");
    way("");
    root.prepend(crumbs);
  }
  new ResizeObserver(() => { if (!chosen && !dialog.open) zoom(fit(readable)); }).observe(figure);
})();
