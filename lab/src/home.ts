/** The home page: where to go on, a search, and the map of the course. */

import { Ahead, Index, Lesson, Place, plural, Progress, time } from './course';
import { button, h, titled } from './dom';
import { excerpt, find } from './search.js';

export type Open = (place: Place) => void;

/** What changes with the progress, above the search and below it. */
export function top(index: Index, progress: Progress, open: Open): HTMLElement {
  const ahead = progress.ahead();
  const begun = progress.events.length > 0;
  const greeting = !begun ? 'Welcome' : ahead ? 'Welcome back' : 'You have finished the course';
  return h(
    'div',
    { class: 'course-top' },
    h('p', { class: 'course-over' }, 'Learn PyTorch from the inside'),
    h('h1', {}, greeting),
    h('p', { class: 'course-lately' }, begun ? progress.lately() : FIRST),
    ahead ? goOn(ahead, begun, open) : '',
    strip(index, progress, ahead?.lesson),
    begun ? figures(index, progress, ahead?.lesson) : ''
  );
}

const FIRST =
  'You will see what a tensor is made of, watch gradients flow, and build autograd yourself. ' +
  'The first lesson needs half an hour.';

function goOn(ahead: Ahead, begun: boolean, open: Open): HTMLElement {
  const to = ahead.file + (ahead.cell ? `#cell-id=${ahead.cell}` : '');
  return button(
    { class: 'course-go', 'data-to': to },
    () => open(ahead),
    h(
      'span',
      {},
      h('strong', {}, begun ? 'Continue' : 'Begin'),
      h('span', { class: 'course-go-title' }, titled(ahead.title)),
      h('span', { class: 'course-go-about' }, titled(ahead.about))
    ),
    h('span', { class: 'course-go-arrow', 'aria-hidden': 'true' }, '→')
  );
}

/** The course drawn as a storage: a cell for each lesson, filled as far as it is done. */
function strip(index: Index, progress: Progress, here?: Lesson): HTMLElement {
  const cells = index.lessons.map((one, at) => {
    const first = at > 0 && index.lessons[at - 1].stage !== one.stage;
    const named = [one === here && 'course-here', first && 'course-first'].filter(Boolean);
    const style = `--share: ${Math.round(100 * progress.share(one))}%`;
    return h('span', { class: named.join(' '), style });
  });
  return h('div', { class: 'course-strip', 'aria-hidden': 'true' }, ...cells);
}

function figures(index: Index, progress: Progress, here?: Lesson): HTMLElement {
  const sum = (of: (one: Lesson) => number) => index.lessons.reduce((s, one) => s + of(one), 0);
  const done = index.lessons.filter(one => progress.isDone(one)).length;
  const said: [string, string][] = [
    [`${done} of ${index.lessons.length}`, 'lessons done'],
    [`${sum(one => progress.made(one))} of ${sum(one => one.guesses.length)}`, 'guesses made'],
    [`${sum(one => progress.done(one))} of ${sum(one => one.questions.length)}`, 'questions solved']
  ];
  if (here) {
    const stage = index.lessons.filter(one => one.stage === here.stage);
    said.push([time(progress.minutesLeft(stage)), 'left in this stage']);
  }
  const pairs = said.map(([value, name]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)));
  return h('dl', { class: 'course-figures' }, ...pairs);
}

/** As one types: ↓ goes to the results, Enter opens the best, Escape empties the box. */
export function searchBox(index: Index, open: Open): HTMLElement {
  const id = 'course-search';
  const hint = 'view or copy, retain_graph, an error message …';
  const said = { id, type: 'search', autocomplete: 'off', placeholder: hint };
  const input = h('input', said) as HTMLInputElement;
  const count = h('p', { role: 'status', class: 'course-count' });
  const list = h('ol', { class: 'course-found', 'aria-label': 'Found' });
  const show = () => {
    const asked = Boolean(input.value.trim());
    const found = asked ? find(index, input.value) : [];
    list.replaceChildren(
      ...found.map(at => {
        const [file, name, place, text] = index.passages[at];
        const cell = place.replace(/^#(cell-id=)?/, '') || undefined;
        const to = file + (cell ? `#${cell}` : '');
        const told = h('span', { class: 'course-excerpt' }, excerpt(index, text, input.value));
        return h('li', {}, button({ 'data-to': to }, () => open({ file, cell }), titled(name), told));
      })
    );
    const nothing = 'Nothing in the course speaks of that. Try another word for it.';
    count.textContent = !asked ? '' : found.length ? plural(found.length, 'place') : nothing;
  };
  input.addEventListener('input', show);
  const label = h('label', { for: id }, 'Search the course');
  const box = h('search', { class: 'course-search' }, label, input, count, list);
  box.addEventListener('keydown', event => {
    const stops = [input, ...list.querySelectorAll('button')] as HTMLElement[];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus();
      event.preventDefault();
    } else if (event.key === 'Enter' && event.target === input) {
      list.querySelector('button')?.click();
    } else if (event.key === 'Escape') {
      input.value = '';
      show();
      input.focus();
    }
  });
  return box;
}

export function lookUp(index: Index, open: Open): HTMLElement {
  const links = index.pages.map(([label, file]) =>
    h('li', {}, button({ 'data-to': file }, () => open({ file }), label))
  );
  return h('nav', { class: 'course-look', 'aria-label': 'Look up' }, h('ul', {}, ...links));
}

export function map(index: Index, progress: Progress, open: Open): HTMLElement {
  const here = progress.ahead()?.lesson;
  const stages = index.stages.map(([title, afterwards], stage) => {
    const lessons = index.lessons.filter(one => one.stage === stage);
    const done = lessons.filter(one => progress.isDone(one)).length;
    const whole = done === lessons.length;
    const left = whole ? '' : ` · ${time(progress.minutesLeft(lessons))} left`;
    return h(
      'section',
      { class: 'course-stage' },
      h('h2', {}, title, h('span', {}, `${done} of ${lessons.length} done${left}`)),
      whole && afterwards ? h('p', { class: 'course-can' }, '✓ ', titled(afterwards)) : '',
      h('ol', {}, ...lessons.map(one => tile(one, progress, one === here, open)))
    );
  });
  const key = h(
    'p',
    { class: 'course-key' },
    h('span', { class: 'course-dots' }, h('i', { class: 'course-on' })),
    ' a guess made ',
    h('span', { class: 'course-dots course-squares' }, h('i', { class: 'course-on' })),
    ' a question solved. Minutes: the lesson + its exercises.'
  );
  return h('div', { class: 'course-map' }, ...stages, key);
}

function tile(one: Lesson, progress: Progress, here: boolean, open: Open): HTMLElement {
  const [made, done] = [progress.made(one), progress.done(one)];
  const guesses = one.guesses.length ? `${made} of ${plural(one.guesses.length, 'guess', 'guesses')}` : '';
  const solved = `${done} of ${plural(one.questions.length, 'question')} solved`;
  const sheet = { class: 'course-sheet', 'aria-label': `Exercises of ${bare(one)}: ${solved}` };
  return h(
    'li',
    { class: here ? 'course-tile course-here' : 'course-tile' },
    button(
      { class: 'course-name', title: [guesses, solved].filter(Boolean).join(', ') },
      () => open({ file: one.minutes.length ? one.file : one.sheet }),
      ...named(one, progress)
    ),
    h(
      'div',
      { class: 'course-foot' },
      dots(made, one.guesses.length, guesses),
      button(
        { ...sheet, title: solved },
        () => open({ file: one.sheet }),
        dots(done, one.questions.length, '', 'course-squares'),
        h('span', { 'aria-hidden': 'true' }, 'Exercises')
      ),
      h('span', { class: 'course-minutes' }, one.minutes.length ? `${one.minutes.join(' + ')} min` : '')
    )
  );
}

/** One mark for each guess or question; what they say is in `said`, or beside them. */
function dots(done: number, all: number, said: string, more = ''): HTMLElement {
  const marks = Array.from({ length: all }, (_, at) => h('i', at < done ? { class: 'course-on' } : {}));
  const told: Record<string, string> = said ? { role: 'img', 'aria-label': said, title: said } : {};
  return h('span', { class: `course-dots ${more}`, ...told }, ...marks);
}

/** A ring that closes as the lesson is done, and its name; the number is in the ring, then a tick. */
export function named(one: Lesson, progress: Progress): HTMLElement[] {
  const share = Math.round(100 * progress.share(one));
  const done = share === 100;
  const [, number = '', name] = /^(?:(\d+) · )?(.*)$/.exec(one.title)!;
  const ring = h(
    'span',
    { class: done ? 'course-ring course-done' : 'course-ring', style: `--share: ${share}%` },
    h('span', { 'aria-hidden': 'true' }, done ? '✓' : number || '·'),
    h('span', { class: 'course-said' }, done ? 'Done: ' : `${share ? 'Begun: ' : ''}${number} `)
  );
  const before = done && number ? h('span', { class: 'course-number' }, `${number}  `) : '';
  return [ring, h('span', {}, before, titled(name))];
}

function bare(one: Lesson): string {
  return one.title.replaceAll('`', '');
}

/** In a browser that is everything: who keeps the reader's work, and how to save it. */
export function kept(progress: Progress): HTMLElement {
  const save = button({}, () => {
    const url = URL.createObjectURL(new Blob([progress.lines], { type: 'application/json' }));
    h('a', { href: url, download: 'progress.jsonl' }).click();
    URL.revokeObjectURL(url);
  }, 'Save your progress');
  return h(
    'p',
    { class: 'course-kept' },
    'Only this browser keeps your notebooks and your progress, and clearing its data deletes them. ' +
      'To save a notebook to your computer, choose File → Download. ',
    ...(progress.lines ? [save, ': ', h('code', {}, 'course status --merge progress.jsonl'), ADDS] : [])
  );
}

const ADDS = ' adds it where the course is installed.';
