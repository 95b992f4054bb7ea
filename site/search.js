// How the search of this site ranks. Sphinx puts this file into language_data.js, which the page of
// results reads after searchtools.js and before anything is asked.
//
// A student asks in sentences, and Sphinx shows only pages that have every word, in no useful order. So
// what readers of the course look through is ranked here as everywhere else: pages.py puts `ranking`,
// which the home page in JupyterLab uses, and COURSE, its index, in front of these lines. Pages that are
// only here, such as the reference, follow in Sphinx's order.
"use strict";

const MOST = 12; // places
const sphinx = Search._performSearch;

Search._performSearch = (query, searchTerms, excludedTerms, highlightTerms, objectTerms) => {
  const { docnames, filenames } = Search._index;
  const places = ranking.find(COURSE, `${query} `, MOST).flatMap((at) => {
    const [page, title, place] = COURSE.passages[at];
    const file = docnames.indexOf(page);
    return file < 0 ? [] : [[page, title, place, null, 1, filenames[file], "text"]];
  });
  const ranked = new Set(COURSE.passages.map(([page]) => page));
  const others = sphinx(query, searchTerms, excludedTerms, highlightTerms, objectTerms);
  // The name of a function, typed alone or with its module, is a question about that function.
  const names = [...objectTerms].flatMap((word) => Search.performObjectSearch(word, objectTerms));
  const last = (name) => name.toLowerCase().trim().split(".").at(-1);
  const exact = names.filter((found) => last(found[1]) === last(query));
  exact.sort((one, other) => other[1].length - one[1].length);
  const where = ([page, , place]) => page + place;
  const known = new Set(exact.map(where));
  const more = others.filter((found) => !ranked.has(found[0]) && !known.has(where(found)));
  return [...more, ...places.reverse(), ...exact]; // the last one is shown first
};

// The words under a result are those of the page, not those of its buttons.
const textOf = Search.htmlToText;
Search.htmlToText = (html, anchor) =>
  textOf(html.replace(/<p class="(notebook-links|how)">[^]*?<\/p>/g, ""), anchor);
