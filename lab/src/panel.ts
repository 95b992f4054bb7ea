/** The small map at the left. */

import type { Index, Progress } from './course';
import { button, h } from './dom';
import { named, Open } from './home';

export function panel(index: Index, progress: Progress, open: Open, home: () => void): HTMLElement {
  const stages = index.stages.map(([title], stage) => {
    const lessons = index.lessons.filter(one => one.stage === stage);
    const rows = lessons.map(one => {
      const lesson = one.minutes.length ? one.file : one.sheet;
      const solved = `${progress.done(one)} of ${one.questions.length}`;
      return h(
        'li',
        { 'data-files': JSON.stringify([lesson, one.sheet]) },
        button({ 'data-file': lesson }, () => open({ file: lesson }), ...named(one, progress)),
        button(
          { 'data-file': one.sheet, class: 'course-sheet' },
          () => open({ file: one.sheet }),
          `Exercises, ${solved} solved`
        )
      );
    });
    return h('section', {}, h('h2', {}, title), h('ol', {}, ...rows));
  });
  return h(
    'nav',
    { class: 'course-panel', 'aria-label': 'Lessons' },
    button({ class: 'course-to-home' }, home, 'Home and search'),
    ...stages
  );
}

/** Say which lesson is open, and bring it into view; the links to its exercises are there too. */
export function mark(node: HTMLElement, path: string): void {
  for (const row of node.querySelectorAll<HTMLElement>('[data-files]')) {
    const here = (JSON.parse(row.dataset.files!) as string[]).includes(path);
    row.classList.toggle('course-here', here);
    if (here) {
      row.scrollIntoView({ block: 'nearest' });
    }
  }
  for (const one of node.querySelectorAll<HTMLElement>('[data-file]')) {
    one.setAttribute('aria-current', one.dataset.file === path ? 'page' : 'false');
  }
}
