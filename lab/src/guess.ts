/** A field below each cell that waits for a guess. What is typed there is written into the cell. */

import type { Cell } from '@jupyterlab/cells';
import { INotebookTracker, NotebookActions, NotebookPanel } from '@jupyterlab/notebook';
import { PanelLayout, Widget } from '@lumino/widgets';
import { button, h, titled } from './dom';
import { literal, plain } from './literal';
import { placeAt } from './places';

const BEFORE = /^\s*guess\("([\w-]+)",\s*/;
const ASKED = 'What will the next cell show?';
const HELP = 'Press Enter to keep it, or Esc to go on without one. Words need no quotation marks.';
const RAN =
  'The next cell has already run, so a guess is not judged now. To be judged, choose Kernel → ' +
  'Restart Kernel, and run the cells from the top.';

interface Guess {
  from: number; // where the value stands in the cell
  to: number;
  value: string; // "" where the dots still are
  question: string;
}

/** What a cell says, if it is one with a guess. */
function guessIn(source: string): Guess | undefined {
  const from = BEFORE.exec(source)?.[0].length;
  if (from === undefined) {
    return undefined;
  }
  const inside = /^(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[^"'\n])*?(?=\)\s*(?:#[^\n]*)?\s*$)/;
  const value = inside.exec(source.slice(from))?.[0];
  if (value === undefined) {
    return undefined;
  }
  const to = from + value.length;
  const said = source.slice(to).replace(/^\)\s*#?\s*/, '').trim();
  const question = said.replace(/\s*Type it in place of the dots\.?$/, '') || ASKED;
  return { from, to, value: /^(\.{3})?$/.test(value.trim()) ? '' : value.trim(), question };
}

/** The answers that a question offers: `"first" or "second"?`, `True or False`. */
function offered(question: string): string[] {
  const quoted = [...question.matchAll(/"([^"]+)"/g)].map(found => found[1]);
  if (quoted.length > 1 && !/such as|example/.test(question)) {
    return quoted;
  }
  return /(^|[:?] )True or False\??$/.test(question) ? ['True', 'False'] : [];
}

class Field extends Widget {
  private guess: Guess | undefined;
  private changing = false;
  private input = h('input', {
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: '200'
  }) as HTMLInputElement;

  constructor(
    readonly cell: Cell,
    private desk: Desk
  ) {
    super();
    this.addClass('course-guess');
    this.input.id = `course-guess-${cell.model.id}`;
    this.input.setAttribute('aria-describedby', `${this.input.id}-help`);
    this.node.addEventListener('keydown', event => this.press(event));
    this.input.addEventListener('focusout', () => {
      if (document.activeElement !== this.input) {
        this.keep(); // who clicks elsewhere keeps what was typed, and who looks at another window goes on
      }
    });
    this.follow();
  }

  /** Whether a guess can be typed now. */
  get isOpen(): boolean {
    return Boolean(this.guess) && (this.changing || !this.guess!.value);
  }

  get asksForAPlace(): boolean {
    return this.isOpen && /\bplace\b|\bwhere\b/.test(this.guess!.question);
  }

  /** Draw what the cell says, if that is something new. */
  follow(): void {
    const before = JSON.stringify(this.guess);
    this.guess = guessIn(this.cell.model.sharedModel.getSource());
    this.setHidden(!this.guess);
    if (this.guess && (JSON.stringify(this.guess) !== before || !this.node.firstChild)) {
      this.draw();
    }
  }

  /** Draw it anew: it may have become too late for a guess. */
  draw(): void {
    const { value, question } = this.guess!;
    const late = this.desk.hasRun(this.desk.answer(this.cell)) ? RAN : '';
    if (!this.isOpen) {
      const change = { class: 'course-guess-change', 'aria-label': 'Change your guess' };
      const kept = h('p', {}, 'Your guess: ', h('strong', {}, plain(value)), ' ');
      kept.append(button(change, () => this.open(), 'Change'));
      this.node.replaceChildren(kept);
      return;
    }
    const typed = this.input.value;
    const label = h('label', { for: this.input.id }, h('strong', {}, 'Your guess'), ' ');
    label.append(titled(question));
    const choices = offered(question).map(one =>
      this.pressed(one, 'course-guess-choice', () => this.keep(one, true))
    );
    const keep = this.pressed('Keep', 'course-guess-keep', () => this.keep(this.input.value, true));
    const help = h('p', { id: `${this.input.id}-help`, class: 'course-guess-help' }, late || HELP);
    const row = h('div', { class: 'course-guess-row' }, ...choices, this.input, keep);
    this.node.replaceChildren(label, row, help);
    this.input.value = typed;
  }

  /** Let a guess be typed. */
  open(): void {
    this.changing = true;
    this.input.value = plain(this.guess!.value);
    this.draw();
    this.focus();
    this.input.select();
  }

  focus(): void {
    this.desk.select(this.cell);
    this.input.focus();
  }

  fill(text: string): void {
    this.input.value = text;
    this.focus();
  }

  /** A button that does not take the focus from the field, which would keep what stands there. */
  private pressed(text: string, className: string, press: () => void): HTMLElement {
    const made = button({ class: className }, press, text);
    made.addEventListener('mousedown', event => event.preventDefault());
    return made;
  }

  private press(event: KeyboardEvent): void {
    const inField = event.target === this.input && !event.isComposing;
    if (inField && event.key === 'Enter') {
      event.preventDefault();
      this.keep(this.input.value, true);
    } else if (event.key === 'Escape') {
      this.input.value = '';
      this.keep('', true);
    }
    event.stopPropagation(); // no key is one of the notebook's here
  }

  /** Write a guess into the cell and run it; without one nothing changes. */
  private keep(typed = this.input.value, goOn = false): void {
    const guess = this.guess;
    if (!guess || this.isDisposed) {
      return;
    }
    const value = typed === plain(guess.value) ? guess.value : literal(typed);
    this.changing = false;
    this.input.value = '';
    if (value && value !== guess.value) {
      const { sharedModel } = this.cell.model;
      const source = sharedModel.getSource();
      sharedModel.setSource(source.slice(0, guess.from) + value + source.slice(guess.to));
      this.desk.run(this.cell);
    } else if (guess.value || typed) {
      this.draw();
    }
    if (goOn) {
      this.desk.select(this.desk.answer(this.cell) ?? this.cell, true);
    }
  }
}

/** The fields of one notebook. */
class Desk {
  private fields = new Map<Cell, Field>();
  private ran = new WeakSet<object>(); // models of cells, since the kernel began

  constructor(private panel: NotebookPanel) {
    const { sessionContext } = panel;
    sessionContext.kernelChanged.connect(() => this.forget());
    sessionContext.statusChanged.connect((_, now) => /restarting/.test(now) && this.forget());
    panel.content.modelContentChanged.connect(() => this.update());
    panel.node.addEventListener('click', event => this.point(event));
    void panel.context.ready.then(() => this.update());
  }

  /** A cell has run: a field below it gets the focus, and one above the answer says that it is late. */
  after(cell: Cell): void {
    this.ran.add(cell.model);
    const { content } = this.panel;
    const place = content.widgets.indexOf(cell);
    const field = this.fields.get(cell);
    const stayed = [place, place + 1].includes(content.activeCellIndex);
    if (field?.isOpen && stayed && content.mode === 'command') {
      field.focus();
    }
    this.fields.forEach(one => one.isOpen && this.answer(one.cell) === cell && one.draw());
  }

  hasRun(cell: Cell | undefined): boolean {
    return cell !== undefined && this.ran.has(cell.model);
  }

  /** The code cell that follows. */
  answer(cell: Cell): Cell | undefined {
    const { widgets } = this.panel.content;
    return widgets.slice(widgets.indexOf(cell) + 1).find(one => one.model.type === 'code');
  }

  select(cell: Cell, activate = false): void {
    const { content } = this.panel;
    content.deselectAll();
    content.activeCellIndex = content.widgets.indexOf(cell);
    if (activate) {
      content.mode = 'command';
      content.activate();
      void content.scrollToItem(content.activeCellIndex);
    }
  }

  /** Run a cell with a guess, after the one that imports `guess` if that has not run yet. */
  run(cell: Cell): void {
    const { content, sessionContext } = this.panel;
    const above = content.widgets.slice(0, content.widgets.indexOf(cell));
    const first = above.find(
      one => one.model.type === 'code' && /\bimport\b.*\bguess\b/.test(one.model.sharedModel.getSource())
    );
    const needed = first && !this.hasRun(first) ? [first, cell] : [cell];
    void NotebookActions.runCells(content, needed, sessionContext);
  }

  private forget(): void {
    this.ran = new WeakSet();
    this.fields.forEach(one => one.isOpen && one.draw());
  }

  private update(): void {
    for (const cell of this.panel.content.widgets) {
      const field = this.fields.get(cell);
      if (field) {
        field.follow();
      } else if (cell.model.type === 'code' && guessIn(cell.model.sharedModel.getSource())) {
        this.add(cell);
      }
    }
  }

  private add(cell: Cell): void {
    const field = new Field(cell, this);
    this.fields.set(cell, field);
    field.disposed.connect(() => this.fields.delete(cell));
    void cell.ready.then(() => (cell.layout as PanelLayout).insertWidget(2, field));
  }

  /** A click on a cell of a storage picture answers the next question about a place. */
  private point(event: MouseEvent): void {
    const place = placeAt(event);
    if (place !== undefined) {
      const open = [...this.fields.values()].filter(field => field.asksForAPlace);
      const below = (one: Field) =>
        event.target instanceof Node &&
        event.target.compareDocumentPosition(one.node) & Node.DOCUMENT_POSITION_FOLLOWING;
      open.find(below)?.fill(place);
    }
  }
}

/** Give every cell that waits for a guess its field. */
export function guesses(notebooks: INotebookTracker): void {
  const desks = new WeakMap<object, Desk>();
  const add = (panel: NotebookPanel) => desks.set(panel.content, new Desk(panel));
  notebooks.forEach(add);
  notebooks.widgetAdded.connect((_, panel) => void add(panel));
  NotebookActions.executed.connect((_, { notebook, cell }) => desks.get(notebook)?.after(cell));
}
