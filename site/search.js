// How the search of this site ranks pages. Sphinx puts this file into language_data.js, which
// the page of results reads after searchtools.js and before anything is asked.
//
// A student asks in sentences, and Sphinx shows only pages that have every word, in no useful order.
// Here a page counts for each word that it has: much for a rare word, little for one that is on every
// page, and more the more often a lesson has it for its length (the formula is BM25). LESSON_WORDS,
// which pages.py writes, says how often that is, also of the pages about errors; a word in a title, an
// aim, a rule, or a term that the glossary says the lesson defines, counts as several. Of other pages
// Sphinx knows only which words they have.
"use strict";

const SOON_ENOUGH = 30; // how soon more of the same word says nothing new
const BY_LENGTH = 0.8; // how much a long lesson has to have more of a word than a short one
const IN_HEADING = 3;
const PART_OF_A_WORD = 0.3;

const AN_ERROR = /^docs\/errors\/(?!README)/;
const A_MESSAGE = 3; // words
const BEFORE_ERRORS = 3;

const KINDS = [
  [/^notebooks\//, 1.3],
  [/^exercises\//, 0.9],
  [AN_ERROR, 1],
  [/^docs\/(glossary|cheat_sheet|gallery)$/, 1.1],
  [/^api\//, 0.9],
  [/^docs\/decisions\/|^CHANGELOG$|^CONTRIBUTING$|^docs\/lessons$/, 0.5],
  [/./, 0.8],
];

const kindOf = (name) => KINDS.find(([pattern]) => pattern.test(name))[1];
const isError = (index, file) => AN_ERROR.test(index.docnames[file]);
const asList = (files) => (files === undefined ? [] : Array.isArray(files) ? files : [files]);

// How often each page has a word, as [file, count]; a word that no page has may be part of others.
const countsOf = (word, index, known) => {
  const counts = new Map();
  const note = (files, count) => {
    for (const file of asList(files)) counts.set(file, Math.max(counts.get(file) ?? 0, count));
  };
  const own = (table) => (Object.hasOwn(table, word) ? table[word] : undefined);
  note(own(index.terms), 1);
  note(own(index.titleterms), IN_HEADING);
  for (const [file, words] of known) if (Object.hasOwn(words, word)) note(file, words[word]);
  if (!counts.size && word.length > 3) {
    for (const table of [index.terms, index.titleterms])
      for (const [term, files] of Object.entries(table))
        if (term.includes(word)) note(files, PART_OF_A_WORD);
  }
  return counts;
};

// Signs that stand alone in a question, such as * and @: Sphinx gives its words only.
const signsIn = (query) => query.match(/(?<=^|\s)[^\w\s]+(?=$|\s)/g) ?? [];

const rankPages = (words, index) => {
  const known = new Map();
  const lengths = new Map();
  for (const [name, words] of Object.entries(LESSON_WORDS)) {
    const file = index.docnames.indexOf(name);
    known.set(file, words);
    const length = Object.values(words).reduce((sum, count) => sum + count, 0);
    if (!AN_ERROR.test(name)) lengths.set(file, length);
  }
  const usual = [...lengths.values()].reduce((sum, length) => sum + length, 0) / lengths.size;
  const pages = index.docnames.filter((name) => !AN_ERROR.test(name)).length;
  const scores = new Map();
  for (const word of words) {
    const counts = countsOf(word, index, known);
    const having = [...counts.keys()].filter((file) => !isError(index, file)).length;
    const rarity = Math.log(1 + (pages - having + 0.5) / (having + 0.5));
    for (const [file, count] of counts) {
      const length = (lengths.get(file) ?? usual) / usual;
      const slow = SOON_ENOUGH * (1 - BY_LENGTH + BY_LENGTH * length);
      const score = (rarity * count * (SOON_ENOUGH + 1)) / (count + slow);
      scores.set(file, (scores.get(file) ?? 0) + score);
    }
  }
  const ranked = [...scores].map(([file, score]) => [file, score * kindOf(index.docnames[file])]);
  return inOrder(ranked.sort((one, other) => other[1] - one[1]), words, index);
};

// The page of an error goes first if its sentence has all the words, or if it fits three words or more
// better than all other pages. Further errors, which share many words, come after a few other results.
const inOrder = (ranked, words, index) => {
  const has = (file, word) => index.titles[file].toLowerCase().includes(word); // words are stems
  const errors = ranked.filter(([file]) => isError(index, file));
  const others = ranked.filter(([file]) => !isError(index, file));
  const best = others.length ? others[0][1] : 0;
  const asked = ([file, score]) =>
    (words.size >= A_MESSAGE && score > best) || [...words].every((word) => has(file, word));
  const first = errors.filter(asked).slice(0, 1);
  const later = errors.filter((found) => !first.includes(found));
  return [...first, ...others.slice(0, BEFORE_ERRORS), ...later, ...others.slice(BEFORE_ERRORS)];
};

const MOST = 40; // results that anybody reads

Search._performSearch = (query, searchTerms, excludedTerms, highlightTerms, objectTerms) => {
  const index = Search._index;
  const words = new Set([...searchTerms, ...signsIn(query)]);
  const ranked = rankPages(words, index).slice(0, MOST).reverse();
  const pages = ranked.map(([file, score]) => {
    const name = index.filenames[file];
    return [index.docnames[file], index.titles[file], "", null, score, name, "text"];
  });
  // The name of a function, typed alone or with its module, is a question about that function.
  const names = [...objectTerms].flatMap((word) => Search.performObjectSearch(word, objectTerms));
  const last = (name) => name.toLowerCase().trim().split(".").at(-1);
  const exact = names.filter((found) => last(found[1]) === last(query));
  exact.sort((one, other) => other[1].length - one[1].length);
  return [...pages, ...exact]; // the last one is shown first
};

// The words under a result are those of the page, not those of its buttons.
const textOf = Search.htmlToText;
Search.htmlToText = (html, anchor) =>
  textOf(html.replace(/<p class="(notebook-links|how)">[^]*?<\/p>/g, ""), anchor);
