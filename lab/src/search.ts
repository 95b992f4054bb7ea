/** Okapi BM25 over the index that search.py made; the last word may be unfinished. */

import type { Index, Place } from './course';

const SATURATION = 1.2;
const LENGTH = 0.75;

export interface Found extends Place {
  name: string;
  excerpt: string;
}

export function find(index: Index, words: string, most = 8): Found[] {
  const { passages, lengths, postings } = index;
  const mean = lengths.reduce((a, b) => a + b, 0) / lengths.length;
  const wanted = terms(words, index.silent);
  const scores = new Map<number, number>();
  wanted.forEach((term, place) => {
    const last = place === wanted.length - 1 && /\w$/.test(words);
    for (const one of last && !postings[term] ? begun(term, postings) : [term]) {
      const among = postings[one] ?? [];
      const holders = among.length / 2;
      const rarity = Math.log(1 + (passages.length - holders + 0.5) / (holders + 0.5));
      for (let i = 0; i < among.length; i += 2) {
        const [at, weight] = [among[i], among[i + 1]];
        const bound = SATURATION * (1 - LENGTH + (LENGTH * lengths[at]) / mean);
        const more = (rarity * weight * (SATURATION + 1)) / (weight + bound);
        scores.set(at, (scores.get(at) ?? 0) + more);
      }
    }
  });
  const worth = (at: number) => scores.get(at)! * passages[at][4];
  const best = [...scores.keys()].sort((a, b) => worth(b) - worth(a)).slice(0, most);
  return best.map(at => {
    const [file, name, place, text] = passages[at];
    const cell = place.replace(/^#(cell-id=)?/, '') || undefined;
    return { file, cell, name, excerpt: excerpt(text, new Set(wanted), index.silent) };
  });
}

/** The terms that an unfinished word may become. */
function begun(word: string, postings: Record<string, number[]>): string[] {
  return Object.keys(postings).filter(term => term.startsWith(word));
}

/** The sentence with most of the words, shortened; no scrap or question if it can be. */
function excerpt(text: string, wanted: Set<string>, silent: string[]): string {
  let best = '';
  let most = -1;
  for (const raw of text.split(/(?<=[.:?!])\s|\n/)) {
    const one = raw.trim().replace(/\s+/g, ' ');
    const hits = new Set(terms(one, silent).filter(term => wanted.has(term))).size;
    const worth = 4 * hits + (one.length >= 25 ? 2 : 0) + (one.endsWith('?') ? 0 : 1);
    if (worth > most) {
      [best, most] = [one, worth];
    }
  }
  return best.length > 150 ? best.slice(0, 150).replace(/\s\S*$/, ' …') : best;
}

function terms(text: string, silent: string[]): string[] {
  const found: string[] = [];
  for (const raw of text.toLowerCase().match(/[a-z0-9_]+/g) ?? []) {
    const word = raw.replace(/^_+|_+$/g, '');
    const parts = word.split('_');
    found.push(...(parts.length > 1 ? [word, ...parts.map(stem)] : [stem(word)]));
  }
  return found.filter(word => word && !silent.includes(word));
}

function stem(word: string): string {
  if (word.endsWith('ies') && word.length > 4) {
    return word.slice(0, -3) + 'y';
  }
  if (/(ed|ing)$/.test(word) && word.length > 5) {
    const bare = word.replace(/ing$/, '').replace(/ed$/, '');
    return /(ar|id|at|av)$/.test(bare) ? bare + 'e' : bare;
  }
  return /s$/.test(word) && !/(ss|us|is)$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}
