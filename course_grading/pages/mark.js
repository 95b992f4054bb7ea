// What students wrote goes into the page as text only: by `textContent`, never as HTML.
const $ = id => document.getElementById(id);
const TOGETHER = 12;  // answers beside one another
const KINDS = { essay: "essays", flag: "flags", request: "regrade requests", other: "all others" };
const facts = {}, seen = {};  // by the place of an answer: what is known, the decision last shown
const undone = [];  // what was decided here: the answer, what stood there before, and after
let work, queue = [], at = 0;
let unsaved = false;  // something in the form
let saving = Promise.resolve(), acting = Promise.resolve();  // decisions and keys, in their order

async function ask(path, body) {
  const post = body && { method: "POST", body: JSON.stringify(body) };
  try {
    const reply = await fetch(path, { headers: { "X-Token": location.hash.slice(1) }, ...post });
    return { status: reply.status, ...(await reply.json()) };
  } catch {
    return { said: "the desk does not answer; start `course mark` again" };
  }
}

function make(tag, text = "", name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = name;
  return made;
}

function say(text, wrong = false) {
  $("said").textContent = wrong ? `Not saved: ${text}. Esc drops it.` : text;
  $("said").classList.toggle("wrong", wrong);
}

const current = () => queue[at];
const isOn = made => made.getAttribute("aria-pressed") === "true";
const turn = (made, on) => made.setAttribute("aria-pressed", on);
const own = place => (work.decided[place]?.all ? null : work.decided[place] ?? null);
const graded = one => (one.override ? one.override.was : one.points);
const points = count => `${count} ${Number(count) === 1 ? "point" : "points"}`;
const places = test => [...work.answers.keys()].filter(place => test(work.answers[place]));
const named = ({ student, members }) => [student, ...members].join(" · ");

// ---- which answer is shown ----------------------------------------------------------------------

function choose() {
  const list = $("list").value, stay = current();
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  queue = places(one => {
    const text = `${named(one)} ${one.question}`.toLowerCase();
    if (words.length) return words.every(word => text.includes(word));
    return one.kind === list || (one.kind !== "other" && ["", one.question].includes(list));
  });
  const open = queue.findIndex(place => !work.decided[place]);
  $("none").hidden = queue.length > 0;
  $("desk").hidden = !queue.length;
  count();
  const next = Math.max(0, queue.includes(stay) ? queue.indexOf(stay) : open);
  if (queue.length) acting = acting.finally(() => show(next));
}

function count() {
  const waits = places(one => one.kind !== "other");
  const done = waits.filter(place => work.decided[place]).length;
  $("counted").textContent = `${done} of ${waits.length} decided`;
  document.title = `${done} of ${waits.length} · Marking`;
  [$("bar").max, $("bar").value] = [waits.length || 1, done];
}

async function show(next) {
  facts[queue[next]] ??= await ask(`/answer/${queue[next]}`);
  at = next;
  const one = work.answers[current()], asked = work.questions[one.question];
  $("title").textContent = one.question;
  $("asks").textContent = asked.asks;
  $("model").textContent = asked.model;
  $("more").hidden = !asked.model;
  $("student").textContent = named(one);
  $("place").textContent = `${at + 1} of ${queue.length}: ${one.kind}`;
  fill(asked);
  await cards();
  const block = isOn($("beside")) ? "nearest" : "start";
  document.querySelector(".current").scrollIntoView({ block });
}

async function cards() {
  const place = current(), { question } = work.answers[place];
  const alike = queue.filter(other => work.answers[other].question === question);
  const start = Math.floor(alike.indexOf(place) / TOGETHER) * TOGETHER;
  const shown = isOn($("beside")) ? alike.slice(start, start + TOGETHER) : [place];
  await Promise.all(shown.map(async one => { facts[one] ??= await ask(`/answer/${one}`); }));
  if (place !== current()) return;
  $("answers").classList.toggle("beside", isOn($("beside")));
  $("answers").replaceChildren(...shown.map(card));
}

function card(place) {
  const one = facts[place], about = work.answers[place], found = work.decided[place];
  const made = make("article", "", place === current() ? "answer current" : "answer");
  const head = make("h3"), name = make(isOn($("beside")) ? "button" : "span", named(about));
  name.onclick = () => go(queue.indexOf(place));
  const state = found ? `${points(found.gives)} by ${found.who}` : "open";
  head.append(name, make("span", ` ${state}`, "soft"));
  made.append(head);
  if (about.request) made.append(make("p", `The student asks: ${about.request}`, "quote"));
  for (const why of one.review) made.append(make("p", `Flagged: ${why}`, "note"));
  const essay = one.word === "for a person";
  const was = `The grader: ${one.word}, ${graded(one)} of ${points(one.possible)}. `;
  if (!essay) made.append(make("p", was + (one.message || one.reason)));
  for (const [, text] of one.cells) {
    const written = essay ? text.replace(/^# Answer to \S+\s*/, "") : text;
    const shown = make(essay ? "p" : "pre", written, "prose");
    [shown.dir, shown.tabIndex] = ["auto", 0];
    made.append(shown);
  }
  if (!one.cells.length) made.append(make("p", "Nothing was written.", "soft"));
  const sign = number => ({ true: "✓ ", false: "✗ " })[one.marks[number]] ?? "";
  const values = one.values.map(([label, value], number) => `${sign(number)}${label} → ${value}`);
  if (values.length) made.append(make("pre", values.join("\n")));
  return made;
}

async function go(next) {
  await saving;
  if (unsaved) return;
  const reply = await ask("/decided");
  work.decided = reply.decided ?? work.decided;
  count();
  if (next in queue) await show(next);
  if (reply.said || !(next in queue)) say(reply.said ?? "The list ends here.");
}

async function goOpen() {
  await saving;
  const order = queue.map((_, step) => (at + 1 + step) % queue.length);
  await go(order.find(other => !work.decided[queue[other]]) ?? queue.length);
}

// ---- the decision -------------------------------------------------------------------------------

const buttons = () => [...$("items").children];

function fill({ rubric, points: most }) {
  const found = own(current()), before = found?.items.split(/[\s,;]+/) ?? [];
  seen[current()] = found;
  unsaved = false;
  const texts = rubric.map(([worth, words]) => `${points(worth)}: ${words}`);
  if (texts.length) texts.unshift("none of these");
  $("items").replaceChildren(...texts.map((text, number) => {
    const made = make("button");
    made.append(make("kbd", number), ` ${text}`);
    made.onclick = () => press(number);
    turn(made, before.includes(`${number}`));
    return made;
  }));
  $("points").value = found?.points ?? "";
  $("reason").value = found?.reason ?? "";
  $("most").textContent = `of ${most}`;
  $("graded").hidden = graded(facts[current()]) === null;
  $("conflict").hidden = true;
  $("undo").disabled = !undone.length;
  const { gives, who, all } = work.decided[current()] ?? {};
  say(who ? `${points(gives)} by ${who}${all ? ", for everybody" : ""}.` : "Not decided yet.");
}

function press(number) {
  if (!(number in buttons())) return;
  buttons().forEach((made, other) => {
    if (other === number) turn(made, !isOn(made));
    else if (!number || !other) turn(made, false);
  });
  $("points").value = "";
  save();
}

function give(worth) {
  $("points").value = worth;
  $("reason").value ||= "A person has looked at this answer.";
  save();
}

function save() {
  const worth = $("points").value.trim(), reason = $("reason").value.trim();
  if (worth) buttons().forEach(made => turn(made, false));
  const items = buttons().flatMap((made, number) => (isOn(made) ? [number] : [])).join(" ");
  const who = $("who").value.trim();
  unsaved = true;
  if (!who) return $("who").focus(), say("write your name at the top", true);
  if (worth && !reason) return say("say why, in the comment", true);
  if (reason && !worth && !items) return say("points are missing", true);
  decide(current(), worth || items ? { items, points: worth, reason, who } : null);
}

function decide(place, wanted) {
  saving = saving.then(async () => {
    const before = seen[place] ?? null;
    unsaved = false;
    const reply = await ask("/decide", { answer: place, seen: before, wanted });
    work.decided = reply.decided ?? work.decided;
    unsaved ||= reply.status !== 200;
    count();
    if (reply.status === 409) return conflict(place, wanted);
    if (reply.status !== 200) return say(reply.said, true);
    seen[place] = own(place);
    undone.push([place, before, seen[place]]);
    $("undo").disabled = !undone.length;
    say(wanted ? `Saved: ${points(seen[place].gives)}.` : "Not decided any more.");
    await cards();
  });
  return saving;
}

function conflict(place, wanted) {
  const found = own(place);
  say("somebody else has decided meanwhile", true);
  $("theirs").textContent = found ? `${found.who} has given ${points(found.gives)}: ${found.reason}`
    : "The decision has been taken back.";
  $("conflict").hidden = false;
  $("keep").onclick = () => show(at);
  $("replace").onclick = () => {
    seen[place] = found;
    $("conflict").hidden = true;
    decide(place, wanted);
  };
  $("keep").focus();
}

async function undo() {
  await saving;
  if (unsaved || !undone.length) return;
  const [place, before, after] = undone.pop(), left = undone.length;
  if (!queue.includes(place)) queue.push(place);
  await show(queue.indexOf(place));
  seen[place] = after;
  await decide(place, before);
  undone.length = left;
  if (!unsaved) await show(at);
}

// ---- keys ---------------------------------------------------------------------------------------

const KEYS = {
  b: () => { turn($("beside"), !isOn($("beside"))); return go(at); },
  c: () => $("reason").focus(), p: () => $("points").focus(), "/": () => $("find").focus(),
  f: () => give(work.questions[work.answers[current()].question].points),
  g: () => $("graded").hidden || give(graded(facts[current()])),
  j: () => go(at + 1), k: () => go(at - 1), u: undo, Enter: goOpen, Escape: () => show(at),
};

document.addEventListener("keydown", event => {
  const { key, target } = event, field = target.closest("input, textarea, select");
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (field && !["Escape", "Enter"].includes(key)) return;
  if (key === "Enter" && target.closest("button, summary, select")) return;
  if (key.length === 1 && !$("keys").checked) return;
  const act = /^\d$/.test(key) ? () => press(Number(key)) : KEYS[key];
  if (!act || (!field && !queue.length && key !== "/")) return;
  event.preventDefault();
  field?.blur();  // which saves what was written there
  if (!field || (key === "Enter" && field.closest("#decision"))) acting = acting.finally(act);
});

document.addEventListener("click", event => {
  if (event.detail) event.target.closest("button")?.blur();  // so that Enter goes on
});

for (const made of document.querySelectorAll("[data-key]")) made.onclick = KEYS[made.dataset.key];
$("points").oninput = $("reason").oninput = () => { unsaved = true; };
$("points").onchange = $("reason").onchange = save;
for (const id of ["list", "find"]) $(id).onchange = choose;
$("who").onchange = () => unsaved && save();

work = await ask("/work");
if (work.answers) {
  $("who").value = work.who;
  const waits = new Set(work.answers.filter(one => one.kind !== "other").map(one => one.question));
  for (const [kind, text] of Object.entries(KINDS)) $("list").append(new Option(text, kind));
  for (const question of waits) $("list").append(new Option(question));
  choose();
} else $("counted").textContent = `Nothing can be shown: ${work.said}.`;
