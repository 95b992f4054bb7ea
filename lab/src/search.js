// @ts-check
/**
 * How questions are answered, on the home page and on the website: Okapi BM25 over the index that
 * search.py writes, as `find` ranks there. The last word may be unfinished.
 *
 * @typedef {{ silent: string[], signs: string[], meant: [string[], string[], number][],
 *   passages: [file: string, name: string, place: string, text: string, worth: number][],
 *   lengths: number[], postings: Record<string, number[]>, kinds: string[], most: number }} Known
 */

const SATURATION = 1.2;
const LENGTH = 0.75;

/**
 * The places among the passages that are about `words`, the best first.
 *
 * @param {Known} index
 * @param {string} words
 */
export function find(index, words, most = 8) {
  const { passages, lengths, postings } = index;
  const mean = lengths.reduce((a, b) => a + b, 0) / lengths.length;
  /** @type {Map<number, number>} */
  const scores = new Map();
  const wanted = asked(index, words);
  const last = /\w$/.test(words) ? terms(words, index).at(-1) : undefined;
  for (const [term, counts] of wanted) {
    for (const one of term === last && !postings[term] ? begun(term, postings) : [term]) {
      const among = postings[one] ?? [];
      const holders = among.length / 2;
      const rarity = counts * Math.log(1 + (passages.length - holders + 0.5) / (holders + 0.5));
      for (let i = 0; i < among.length; i += 2) {
        const [at, weight] = [among[i], among[i + 1]];
        const bound = SATURATION * (1 - LENGTH + (LENGTH * lengths[at]) / mean);
        const more = (rarity * weight * (SATURATION + 1)) / (weight + bound);
        scores.set(at, (scores.get(at) ?? 0) + more);
      }
    }
  }
  const worth = (/** @type {number} */ at) => (scores.get(at) ?? 0) * passages[at][4];
  const best = [...scores.keys()].sort((a, b) => worth(b) - worth(a));
  return mixed(index, best).slice(0, most);
}

/**
 * The places without those whose file, or whose kind, has enough before them.
 *
 * @param {Known} index
 * @param {number[]} found
 */
function mixed({ passages, kinds, most }, found) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return found.filter(at => {
    const file = passages[at][0];
    const kind = kinds.find(folder => file.startsWith(`${folder}/`)) ?? file;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= most;
  });
}

/**
 * The terms that an unfinished word may become.
 *
 * @param {string} word
 * @param {Known['postings']} postings
 */
function begun(word, postings) {
  return Object.keys(postings).filter(term => term.startsWith(word));
}

/**
 * The sentence with most of the words, shortened; no scrap or question if it can be.
 *
 * @param {Known} index
 * @param {string} text
 * @param {string} words
 */
export function excerpt(index, text, words) {
  const wanted = asked(index, words);
  let best = '';
  let most = -1;
  for (const raw of text.split(/(?<=[.:?!])\s|\n/)) {
    const one = raw.trim().replace(/\s+/g, ' ');
    const hits = new Set(terms(one, index, false).filter(term => wanted.has(term))).size;
    const worth = 4 * hits + (one.length >= 25 ? 2 : 0) + (one.endsWith('?') ? 0 : 1);
    if (worth > most) {
      [best, most] = [one, worth];
    }
  }
  return best.length > 150 ? best.slice(0, 150).replace(/\s\S*$/, ' …') : best;
}

/**
 * The terms of a question with how much each counts, those that it only means too.
 *
 * @param {Known} index
 * @param {string} words
 */
function asked(index, words) {
  const given = new Set(terms(words, index));
  const found = new Map([...given].map(term => [term, 1]));
  for (const [key, more, counts] of index.meant) {
    if (key.every(term => given.has(term))) {
      more.forEach(term => found.set(term, found.get(term) ?? counts));
    }
  }
  return found;
}

/**
 * @param {string} text
 * @param {Known} index
 */
function terms(text, { silent, signs }, withSigns = true) {
  const marks = withSigns ? signs.map(sign => sign.replace(/[^\w\s]/g, '\\$&')) : [];
  /** @type {string[]} */
  const found = [];
  for (const raw of text.toLowerCase().match(RegExp(['[a-z0-9_]+', ...marks].join('|'), 'g')) ?? []) {
    const word = raw.replace(/^_+|_+$/g, '');
    const parts = word.split('_');
    found.push(...(parts.length > 1 ? [word, ...parts.map(stem)] : [stem(word)]));
  }
  return found.filter(word => word && !silent.includes(word));
}

/** @param {string} word */
function stem(word) {
  if (word.endsWith('ies') && word.length > 4) {
    return word.slice(0, -3) + 'y';
  }
  if (/(ed|ing)$/.test(word) && word.length > 5) {
    const bare = word.replace(/ing$/, '').replace(/ed$/, '');
    return /(ang|ar|at|av|id|ov)$/.test(bare) ? bare + 'e' : bare;
  }
  return /s$/.test(word) && !/(ss|us|is)$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}
