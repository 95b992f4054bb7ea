// What a page does besides being read. Without it, every word and every output is still there.
"use strict";

// A guess and an answer mean the same if they differ in spaces, quotation marks, brackets or zeros only.
const plain = (text) =>
  text
    .toLowerCase()
    .replace(/torch\.(tensor|size)\(([^]*)\)/g, "$2")
    .replace(/["'`\s]/g, "")
    .replace(/\(/g, "[")
    .replace(/\)/g, "]")
    .replace(/,(?=\])/g, "")
    .replace(/(\d)\.0*(?=\D|$)/g, "$1")
    .replace(/^torch\./, "");

const verdict = (typed, about) => {
  if (!typed.trim()) return "";
  if (!about.right) return "Compare it with what the cell shows:";
  const isError = (text) => /^\w*error$/.test(plain(text));
  if (plain(typed) === plain(about.right) || (plain(typed) === "error" && isError(about.right)))
    return "✓ Your guess is right.";
  for (const [wrong, message] of Object.entries(about.wrong ?? {}))
    if (plain(typed) === plain(wrong)) return `◐ Not quite. ${message}`;
  return "◐ The cell shows something else. Compare it with your guess:";
};

const addGuess = (box, number) => {
  const about = JSON.parse(box.dataset.about);
  let after = box.nextElementSibling;
  while (after && !after.querySelector("details.hide")) after = after.nextElementSibling;
  const details = after?.querySelector("details.hide");
  const form = document.createElement("form");
  const [input, button, said] = ["input", "button", "output"].map((tag) => document.createElement(tag));
  input.setAttribute("aria-label", "Your guess");
  input.autocomplete = "off";
  input.spellcheck = false;
  input.id = `guess-${number}`;
  said.htmlFor = input.id;
  button.textContent = "Guess and show";
  form.append(input, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    said.replaceChildren();
    verdict(input.value, about).split("`").forEach((words, place) => {
      const part = document.createElement(place % 2 ? "code" : "span");
      part.textContent = words;
      said.append(part);
    });
    if (details) details.open = true;
  });
  box.append(form, said);
};

const addShowAll = () => {
  const bar = document.querySelector(".notebook-links");
  const all = [...document.querySelectorAll("details.hide")];
  if (!bar || !all.length) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Show all outputs";
  button.addEventListener("click", () => {
    const open = button.textContent.startsWith("Show");
    for (const one of all) one.open = open;
    button.textContent = open ? "Fold all outputs" : "Show all outputs";
  });
  bar.append(button);
};

// What scrolls sideways has to be reachable from the keyboard.
const makeFocusable = () => {
  const wide = "pre, .table-wrapper, .cell_output table, .cell_output figure > div, div.math";
  for (const one of document.querySelectorAll(wide))
    if (one.scrollWidth > one.clientWidth + 1) one.tabIndex = 0;
};

const addVersions = async (place) => {
  try {
    const { versions } = await (await fetch(place.dataset.versions)).json();
    const here = location.pathname.split("/");
    const at = here.findIndex((part) => versions.includes(part));
    if (at < 0) return;
    const label = document.createElement("label");
    const list = document.createElement("select");
    for (const version of versions) list.add(new Option(version, version, false, version === here[at]));
    list.addEventListener("change", async () => {
      const address = (page) => [...here.slice(0, at), list.value, page].join("/");
      const same = address(here.slice(at + 1).join("/"));
      const { ok } = await fetch(same, { method: "HEAD" });
      location.href = ok ? same : address("index.html"); // a page that the other version lacks
    });
    label.append("Version ", list);
    place.append(label);
  } catch {
    // opened from a disk, or alone: there are no other versions to go to
  }
};

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".guess").forEach(addGuess);
  addShowAll();
  makeFocusable();
  document.addEventListener("toggle", makeFocusable, true); // what is folded has no width
  document.querySelectorAll("[data-versions]").forEach(addVersions);
});
