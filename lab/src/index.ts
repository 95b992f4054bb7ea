/** The course's home in JupyterLab and in JupyterLite: no kernel, no server of its own. */

import { ILabShell, JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, MainAreaWidget } from '@jupyterlab/apputils';
import { PageConfig, URLExt } from '@jupyterlab/coreutils';
import { IDocumentManager } from '@jupyterlab/docmanager';
import {
  INotebookCellExecutor,
  INotebookTracker,
  NotebookActions,
  runCell
} from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { LabIcon } from '@jupyterlab/ui-components';
import { Widget } from '@lumino/widgets';
import { Index, Place, Progress } from './course';
import { h } from './dom';
import { guesses } from './guess';
import { kept, lookUp, map, searchBox, top } from './home';
import { asItWas, makeRoom, open } from './open';
import { mark, panel } from './panel';

const ID = 'course-home:plugin';
const PROGRESS = '.course/progress.jsonl';
const NO_KERNEL = 20_000; // ms: where none was found by then, JupyterLab asks for one
const AFTER_A_CELL = 500; // ms: a kernel writes the progress, of which no signal tells

/** The cell in an address such as `…/lab/index.html?path=notebooks/a.ipynb#cell-id=b`, before it goes. */
const LINKED = linked(new URL(window.location.href));

function linked({ searchParams, hash }: URL): Place | undefined {
  const [file, cell] = [searchParams.get('path'), /^#cell-id=(.+)$/.exec(hash)?.[1]];
  return file && cell ? { file, cell } : undefined;
}

const icon = new LabIcon({
  name: 'course:home',
  svgstr:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path class="jp-icon3 ' +
    'jp-icon-selectable" fill="#616161" d="M12 3 2 11h3v9h5v-6h4v6h5v-9h3z"/></svg>'
});

/** The index lies beside the built code: the same address in JupyterLab and in JupyterLite. */
async function readIndex(): Promise<Index> {
  const root = PageConfig.getOption('fullLabextensionsUrl');
  const reply = await fetch(URLExt.join(root, 'course-home', 'index.json'));
  if (!reply.ok) {
    throw new Error(`The list of lessons cannot be read (${reply.status}).`);
  }
  return (await reply.json()) as Index;
}

/** The reader's journal; empty where nothing was done yet. */
async function readProgress(contents: Contents.IManager): Promise<string> {
  try {
    const options = { type: 'file', format: 'text', content: true } as const;
    const content: unknown = (await contents.get(PROGRESS, options)).content;
    return typeof content === 'string' ? content : '';
  } catch {
    return ''; // no such file: a new reader
  }
}

class Course {
  readonly list = new Widget();
  private page = new Widget();
  private home: MainAreaWidget | undefined;
  private index: Promise<Index> | undefined;
  private known: string | undefined;
  private alone = true;
  private narrow = window.matchMedia('(max-width: 760px)'); // there the panel leaves no room

  constructor(
    private app: JupyterFrontEnd,
    private documents: IDocumentManager,
    private notebooks: INotebookTracker,
    private shell: ILabShell
  ) {
    this.list.id = 'course-list';
    this.list.addClass('course-List');
    this.list.title.icon = icon;
    this.list.title.caption = 'Course';
    shell.add(this.list, 'left', { rank: 0 });
    NotebookActions.executed.connect(() => window.setTimeout(this.refresh, AFTER_A_CELL));
    window.addEventListener('focus', this.refresh);
    void app.restored.then(() => this.begin());
  }

  async follow(settings: ISettingRegistry): Promise<void> {
    const ours = await settings.load(ID);
    const take = () => (this.alone = ours.get('oneLesson').composite as boolean);
    ours.changed.connect(take);
    take();
  }

  /** Show the page; `focus` puts the reader into the search. */
  show(focus = false): void {
    this.add(true);
    if (focus) {
      this.page.node.querySelector<HTMLElement>('#course-search')?.focus();
    }
  }

  /** Home comes after what was restored: where an address names a notebook, that is in front. */
  private begin(): void {
    const { notebooks, shell } = this;
    this.add(notebooks.size === 0);
    if (LINKED) {
      this.open(LINKED);
    }
    shell.activateById(this.list.id);
    this.narrow.addEventListener('change', this.giveRoom);
    this.giveRoom(); // opened again, it is the map and not the list of files
    shell.currentChanged.connect(() => {
      this.mark();
      if (this.home?.isVisible) {
        this.refresh();
      }
    });
    notebooks.forEach(asItWas);
    notebooks.widgetAdded.connect((_, opened) => {
      void asItWas(opened);
      if (this.alone) {
        makeRoom(notebooks, opened);
      }
    });
  }

  private add(activate: boolean): void {
    if (!this.home || this.home.isDisposed) {
      this.page = new Widget();
      this.page.addClass('course-Home');
      this.home = new MainAreaWidget({ content: this.page });
      this.home.id = 'course-home';
      this.home.title.label = 'Home';
      this.home.title.icon = icon;
      this.home.title.closable = false;
      this.home.toolbar.hide();
    }
    if (!this.home.isAttached) {
      this.shell.add(this.home, 'main', { activate, mode: 'tab-before' });
      this.known = undefined;
      this.refresh();
    } else if (activate) {
      this.shell.activateById(this.home.id);
    }
  }

  private refresh = (): void => {
    this.read().catch((error: unknown) => {
      this.index = undefined; // the next time it is asked for again
      this.page.node.textContent = String(error);
    });
  };

  /** Read what was done, and draw if it is something new; a search stays as it is. */
  private async read(): Promise<void> {
    const index = await (this.index ??= readIndex());
    const lines = await readProgress(this.app.serviceManager.contents);
    if (lines === this.known) {
      return;
    }
    this.known = lines;
    const progress = new Progress(lines, index);
    const { node } = this.page;
    const search = node.querySelector('.course-search') ?? searchBox(index, this.open);
    const parts = [search, lookUp(index, this.open), map(index, progress, this.open)];
    const own = index.browser ? [kept(progress)] : [];
    const about = { class: 'course-page', role: 'region', 'aria-label': 'Home' };
    node.replaceChildren(h('div', about, top(index, progress, this.open), ...parts, ...own));
    this.list.node.replaceChildren(panel(index, progress, this.open, () => this.show()));
    this.mark();
  }

  private giveRoom = (): void => {
    if (this.narrow.matches) {
      this.shell.collapseLeft();
    }
  };

  private open = (place: Place): void => {
    this.giveRoom();
    void open(this.documents, place);
  };

  private mark(): void {
    const current = this.shell.currentWidget;
    mark(this.list.node, (current && this.documents.contextForWidget(current)?.path) ?? '');
  }
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: 'Where to go on, a map of the lessons, and a search.',
  autoStart: true,
  requires: [IDocumentManager, INotebookTracker, ILabShell],
  optional: [ICommandPalette, ISettingRegistry],
  activate: (
    app: JupyterFrontEnd,
    documents: IDocumentManager,
    notebooks: INotebookTracker,
    shell: ILabShell,
    palette: ICommandPalette | null,
    settings: ISettingRegistry | null
  ): void => {
    const course = new Course(app, documents, notebooks, shell);
    void (settings && course.follow(settings));
    guesses(notebooks);
    const none = { args: { type: 'object', properties: {} } };
    const commands: [string, string, () => void][] = [
      ['course:home', 'Home of the Course', () => course.show()],
      ['course:search', 'Search the Course', () => course.show(true)]
    ];
    for (const [command, label, execute] of commands) {
      app.commands.addCommand(command, { label, icon, execute, describedBy: none });
      palette?.addItem({ command, category: 'Course' });
    }
  }
};

/** JupyterLab drops a cell that is run before its kernel is found: here it waits, in place of theirs. */
const executor: JupyterFrontEndPlugin<INotebookCellExecutor> = {
  id: 'course-home:cell-executor',
  description: 'Runs a cell when its kernel is there, also if the reader was quicker.',
  autoStart: true,
  provides: INotebookCellExecutor,
  activate: () => ({
    async runCell(options) {
      if (options.cell.model.type === 'code') {
        const late = new Promise(done => window.setTimeout(done, NO_KERNEL));
        await Promise.race([options.sessionContext?.ready, late]);
      }
      return runCell(options);
    }
  })
};

export default [plugin, executor];
