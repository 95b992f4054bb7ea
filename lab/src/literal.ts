/** What somebody typed as a guess, as Python writes it: whatever it is, it runs without an error. */

const WHOLE = /^[+-]?\d[\d_]*$/;
const DECIMAL = /^[+-]?(\d+\.\d*|\.\d+|\d+(?=e))(e[+-]?\d{1,4})?$/i;
const OF_TWO = /^([^/*]+?)\s*(\/|\*\*)\s*([^/*]+)$/; // 4 / 3 or 2**60
const THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})*,0\d\d(,\d{3})*$/; // 4,000,000 is no tuple
const CALL = /^(torch\.)?(tensor|Size|size)$/; // as PyTorch prints it: the brackets are what counts
const DEEP = 20;

/** The Python for a typed guess; "" where nothing was typed. */
export function literal(typed: string): string {
  const text = typed
    .trim()
    .replaceAll('−', '-')
    .replace(THOUSANDS, number => number.replaceAll(',', ''))
    .replace(/^\d+(\s*[x×]\s*\d+)+$/, shape => shape.replace(/[x×]/g, ','));
  if (/^(\.{3}|…)?$/.test(text)) {
    return '';
  }
  const row = new Reader(text).row(0);
  const several = row && (row.commas > 0 || row.items.length > 1);
  return several ? bracketed(row.items, ')') : (row?.items[0] ?? quoted(text)); // or only words
}

/** A guess as its field shows it: a text without its quotation marks. */
export function plain(value: string): string {
  return value.replace(/^"([^"\\]*)"$/, '$1').replace(/^float\("([^"]*)"\)$/, '$1');
}

interface Row {
  items: string[];
  commas: number;
}

class Reader {
  private at = 0;

  constructor(private text: string) {}

  /** The values up to the closing bracket or the end; undefined where they are only words. */
  row(depth: number): Row | undefined {
    const row: Row = { items: [], commas: 0 };
    let parts = 0;
    this.at += depth && 1; // the bracket
    for (; depth <= DEEP; this.take(/\s*/y)) {
      const sign = this.text[this.at];
      if (sign === ',') {
        this.at++;
        row.commas++;
      } else if (sign === undefined || /[)\]]/.test(sign)) {
        this.at++;
        if (depth || this.at >= this.text.length) {
          return depth || parts < 2 || row.commas ? row : undefined;
        }
      } else {
        const more = this.values(sign, depth);
        if (!more) {
          return undefined;
        }
        row.items.push(...more);
        parts++;
      }
    }
    return undefined;
  }

  /** One value, or several numbers with nothing but spaces between them. */
  private values(sign: string, depth: number): string[] | undefined {
    if (sign === '(' || sign === '[') {
      const row = this.row(depth + 1);
      const one = sign === '(' && row?.items.length === 1 && !row.commas;
      return row && (one ? row.items : [bracketed(row.items, sign === '[' ? ']' : ')')]);
    }
    const said = this.take(/["'“‘]([^"'“”‘’]*)["'”’](?=\s*([,)\]]|$))/y);
    if (said) {
      return [quoted(said[1])];
    }
    const words = this.take(/[^,()[\]{}"“”]+/y)?.[0].trim() ?? '';
    if (this.text[this.at] === '(') {
      return CALL.test(words) ? this.row(depth + 1)?.items.slice(0, 1) : undefined;
    }
    const numbers = words.split(/\s+/).map(number);
    if (numbers.every(Boolean)) {
      return numbers;
    }
    const value = number(words) || (/^(True|False|None)$/.test(words) ? words : '');
    const isOne = words && (depth || !/\s/.test(words));
    return value ? [value] : isOne ? [quoted(words)] : undefined;
  }

  private take(what: RegExp): RegExpExecArray | null {
    what.lastIndex = this.at;
    const found = what.exec(this.text);
    this.at += found?.[0].length ?? 0;
    return found;
  }
}

function bracketed(items: string[], end: string): string {
  const inside = items.join(', ');
  return end === ']' ? `[${inside}]` : `(${inside}${items.length === 1 ? ',' : ''})`;
}

const quoted: (text: string) => string = JSON.stringify; // what JSON escapes, Python does too

/** The number, so that Python takes it; "" where it is none. */
function number(raw: string): string {
  const word = raw.trim();
  const whole = WHOLE.test(word) && word.replaceAll('_', '').replace(/^([+-]?)0+(?=\d)/, '$1');
  const unusual = /^[+-]?(nan|inf)$/i.test(word) && `float("${word}")`;
  const one = whole || (DECIMAL.test(word) && word) || unusual;
  const [, left, sign, right] = OF_TWO.exec(word) ?? [];
  if (one || !sign || !number(left) || !number(right)) {
    return one || '';
  }
  const small = /^\d{1,9}$/.test(left) && /^\d{1,3}$/.test(right);
  return (sign === '/' ? Number(right) : small) ? `${number(left)} ${sign} ${number(right)}` : '';
}
