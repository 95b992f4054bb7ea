/** A field below each cell that waits for a guess. What is typed there is written into the cell. */

import type { Cell } from '@jupyterlab/cells';
import { INotebookTracker, NotebookActions, NotebookPanel } from '@jupyterlab/notebook';
import { PanelLayout, Widget } from '@lumino/widgets';
import { button, h, titled } from './dom';
import { literal, plain } from './literal';
import { placeAt } from './places';

// guess("name", VALUE)  # question
const LINE =
  /^(\s*guess\("[\w-]+",\s*)((?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[^"'\n])*?)\s*\)\s*(?:#\s*(.*?)\s*)?$/;
const ASKED = 'What will the next cell show?';
const HELP = 'Press Enter to keep it, or Esc to go on without one. Words need no quotation marks.';
const RAN =
  'The next cell has already run. To be judged, choose Kernel → Restart Kernel, and begin at the top.';
const DRAWN = 200; // ms: until a picture has its size

interface Guess {
  source: string;
  before: string; // what stands in the cell before the value
  value: string;
  question: string;
}

/** What a cell says, if it is one with a guess. */
function guessIn(cell: Cell): Guess | undefined {
  const source = cell.model.type === 'code' ? cell.model.sharedModel.getSource() : '';
  const [, before, value, said] = LINE.exec(source) ?? [];
  return before === undefined ? undefined : { source, before, value, question: said || ASKED };
}

/** The answers that a question offers: `"first" or "second"?`, `True or False`. */
function offered(question: string): string[] {
  const quoted = [...question.matchAll(/"([^"]+)"/g)].map(found => found[1]);
  const isChoice = quoted.length > 1 && !/such as|example/.test(question);
  return isChoice ? quoted : /(^|[:?] )True or False\??$/.test(question) ? ['True', 'False'] : [];
}

class Field extends Widget {
  guess: Guess;
  private changing = false;
  private input: HTMLInputElement;

  constructor(
    readonly cell: Cell,
    private desk: Desk
  ) {
    super();
    this.guess = guessIn(cell)!;
    const id = `course-guess-${cell.model.id}`;
    const look = { id, maxlength: '200', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' };
    this.input = h('input', { ...look, 'aria-describedby': `${id}-help` }) as HTMLInputElement;
    this.addClass('course-guess');
    this.node.addEventListener('keydown', event => this.press(event));
    this.node.addEventListener('mousedown', event => {
      if (event.target !== this.input) {
        event.preventDefault(); // a button leaves the focus in the field
      }
    });
    this.node.addEventListener('focusout', event => {
      const leaves = document.activeElement !== event.target; // this, and not the whole window
      if (leaves && this.isOpen && !this.node.contains(event.relatedTarget as Node | null)) {
        this.keep(this.input.value);
      }
    });
    this.draw();
  }

  /** Whether a guess can be typed now. */
  get isOpen(): boolean {
    return !this.isHidden && (this.changing || this.guess.value === '...');
  }

  /** Follow what now stands in the cell. */
  follow(): void {
    const now = guessIn(this.cell);
    this.setHidden(!now);
    if (now && now.source !== this.guess.source) {
      this.guess = now;
      this.draw();
    }
  }

  draw(): void {
    const { value, question } = this.guess;
    const { id } = this.input;
    if (!this.isOpen) {
      const change = button({ 'aria-label': 'Change your guess' }, () => this.open(), 'Change');
      this.node.replaceChildren('Your guess: ', h('strong', {}, plain(value)), ' ', change);
      return;
    }
    const late = this.desk.hasRun(this.desk.answer(this.cell));
    const label = h('label', { for: id }, h('strong', {}, 'Your guess'), ': ', titled(question));
    const choices = offered(question).map(one => button({}, () => this.keep(one, true), one));
    const typed = () => this.keep(this.input.value, true);
    const keep = button({ class: 'course-guess-keep' }, typed, 'Keep');
    const help = { id: `${id}-help`, class: late ? 'course-guess-late' : 'course-guess-help' };
    const row = h('div', {}, ...choices, this.input, keep);
    this.node.replaceChildren(label, row, h('p', help, late ? RAN : HELP));
  }

  /** Let a guess be typed; `text` stands there already. */
  open(text = plain(this.guess.value)): void {
    this.changing = true;
    this.draw();
    this.desk.select(this.cell);
    this.input.value = text.replace(/^\.{3}$/, '');
    this.input.focus();
    this.input.select();
  }

  private press(event: KeyboardEvent): void {
    event.stopPropagation(); // no key is one of the notebook's here
    if (event.key === 'Escape') {
      this.keep('', true);
    } else if (event.key === 'Enter' && event.target === this.input && !event.isComposing) {
      event.preventDefault();
      this.keep(this.input.value, true);
    }
  }

  /** Write a guess into the cell and run it; without one, all stays as it is. */
  private keep(typed: string, goOn = false): void {
    const { source, before, value } = this.guess;
    const number = /\bdecimal/.test(this.guess.question) ? typed.replace(',', '.') : typed; // 0,57
    const written = typed === plain(value) ? value : literal(number);
    this.changing = false;
    this.input.value = '';
    if (written && written !== value) {
      const after = source.slice(before.length + value.length);
      this.cell.model.sharedModel.setSource(before + written + after);
      this.desk.run(this.cell);
    } else if (value !== '...') {
      this.draw();
    }
    if (goOn) {
      this.desk.select(this.desk.answer(this.cell) ?? this.cell);
    }
  }
}

/** The fields of one notebook. */
class Desk {
  private fields = new Map<Cell, Field>();
  private ran = new WeakSet<object>(); // models of cells, since the kernel began

  constructor(private panel: NotebookPanel) {
    const forget = () => {
      this.ran = new WeakSet();
      this.fields.forEach(one => one.isOpen && one.draw());
    };
    panel.sessionContext.kernelChanged.connect(forget);
    panel.sessionContext.statusChanged.connect((_, now) => /restarting/.test(now) && forget());
    panel.content.modelContentChanged.connect(() => this.update());
    panel.node.addEventListener('click', event => this.point(event));
    void panel.context.ready.then(() => this.update());
  }

  /** A cell has run: the field below it is next, and the one above an answer comes too late. */
  after(cell: Cell): void {
    this.ran.add(cell.model);
    const { content } = this.panel;
    const field = this.fields.get(cell);
    const moved = content.activeCellIndex - content.widgets.indexOf(cell);
    if (field?.isOpen && [0, 1].includes(moved) && content.mode === 'command') {
      field.open();
    }
    this.fields.forEach(one => one.isOpen && this.answer(one.cell) === cell && one.draw());
    window.setTimeout(() => content.activeCell === cell && this.reveal(cell), DRAWN);
  }

  /** What a cell shows may begin below the window: then nothing seems to have happened. */
  private reveal(cell: Cell): void {
    const shown = cell.node.querySelector('.jp-Cell-outputWrapper');
    shown?.scrollIntoView({ block: 'nearest' });
  }

  hasRun(cell: Cell | undefined): boolean {
    return cell !== undefined && this.ran.has(cell.model);
  }

  /** The code cell that follows. */
  answer(cell: Cell): Cell | undefined {
    const { widgets } = this.panel.content;
    return widgets.slice(widgets.indexOf(cell) + 1).find(one => one.model.type === 'code');
  }

  select(cell: Cell): void {
    const { content } = this.panel;
    content.deselectAll();
    content.activeCellIndex = content.widgets.indexOf(cell);
    content.mode = 'command';
    content.activate();
    void content.scrollToItem(content.activeCellIndex);
  }

  /** Run a cell with a guess, after the one that imports `guess` if that has not run yet. */
  run(cell: Cell): void {
    const { content, sessionContext } = this.panel;
    const imports = (one: Cell) => /\bimport\b.*\bguess\b/.test(one.model.sharedModel.getSource());
    const first = content.widgets.find(one => one.model.type === 'code' && imports(one));
    const needed = first && !this.hasRun(first) ? [first, cell] : [cell];
    void NotebookActions.runCells(content, needed, sessionContext);
  }

  private update(): void {
    this.fields.forEach(one => one.follow());
    for (const cell of this.panel.content.widgets) {
      if (!this.fields.has(cell) && guessIn(cell)) {
        const field = new Field(cell, this);
        this.fields.set(cell, field);
        cell.disposed.connect(() => this.fields.delete(cell));
        void cell.ready.then(() => (cell.layout as PanelLayout).insertWidget(2, field));
      }
    }
  }

  /** A click on a cell of a storage picture answers the next question, if it asks for a place. */
  private point(event: MouseEvent): void {
    const place = placeAt(event);
    const isBelow = (one: Field) =>
      (event.target as Node).compareDocumentPosition(one.node) & Node.DOCUMENT_POSITION_FOLLOWING;
    const next = [...this.fields.values()].filter(isBelow).find(one => one.isOpen);
    if (place !== undefined && /\bplace of\b/.test(next?.guess.question ?? '')) {
      next!.open(place);
    }
  }
}

/** Give every cell that waits for a guess its field. */
export function guesses(notebooks: INotebookTracker): void {
  const desks = new WeakMap<object, Desk>();
  const add = (panel: NotebookPanel) => void desks.set(panel.content, new Desk(panel));
  notebooks.forEach(add);
  notebooks.widgetAdded.connect((_, panel) => add(panel));
  NotebookActions.executed.connect((_, { notebook, cell }) => desks.get(notebook)?.after(cell));
}
