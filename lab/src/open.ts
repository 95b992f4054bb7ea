/** Open a file at a place, and put away the lessons that were open before. */

import { PathExt } from '@jupyterlab/coreutils';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Place } from './course';

export async function open(documents: IDocumentManager, place: Place): Promise<void> {
  const widget = documents.openOrReveal(place.file);
  await widget?.revealed; // without a widget JupyterLab itself has said why
  if (widget instanceof NotebookPanel) {
    await toCell(widget, place.cell);
  } else if (place.cell) {
    await (widget?.content as { ready?: Promise<void> } | undefined)?.ready;
    widget?.setFragment(`#${place.cell}`); // a heading of a page, which has to be there
  }
}

async function toCell(panel: NotebookPanel, id?: string): Promise<void> {
  await panel.context.ready;
  const at = panel.content.widgets.findIndex(cell => cell.model.id === id);
  if (at >= 0) {
    panel.content.deselectAll();
    panel.content.activeCellIndex = at;
    await panel.content.setFragment(`#cell-id=${id}`);
  }
  panel.content.activate(); // the keyboard works in the notebook now
}

/** A kernel writes its name and version into a notebook, which alone is nothing to save. */
export async function asItWas(panel: NotebookPanel): Promise<void> {
  await panel.context.ready;
  const { model } = panel.context;
  const cells = () => JSON.stringify(model.sharedModel.cells.map(cell => cell.toJSON()));
  const before = cells();
  const look = () => {
    if (cells() === before) {
      model.dirty = false;
    } else {
      model.stateChanged.disconnect(look); // from the reader's first change on, JupyterLab decides
    }
  };
  model.stateChanged.connect(look);
  look();
}

/** Close every other lesson, in whichever way this one was opened; its own exercises stay. */
export function makeRoom(notebooks: INotebookTracker, opened: NotebookPanel): void {
  const lesson = lessonOf(opened);
  if (lesson) {
    const others = notebooks.filter(panel => ![undefined, lesson].includes(lessonOf(panel)));
    others.forEach(panel => void putAway(panel));
  }
}

/** What a lesson and its exercises have in common; undefined for the reader's own notebooks. */
function lessonOf(panel: NotebookPanel): string | undefined {
  const { path } = panel.context;
  const ours = /^(notebooks|exercises)$/.test(PathExt.dirname(path));
  return ours ? PathExt.basename(path).replace(/^ex(?=\d)/, '') : undefined;
}

/** Save what was typed, then close: nobody is asked anything. What still runs is left to run. */
async function putAway(panel: NotebookPanel): Promise<void> {
  if (panel.sessionContext.session?.kernel?.status === 'busy') {
    return;
  }
  if (panel.context.model.dirty) {
    await panel.context.save();
  }
  if (!panel.context.model.dirty) {
    panel.close(); // and its kernel with it: a setting of the course
  }
}
