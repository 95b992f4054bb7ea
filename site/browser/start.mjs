// Pyodide with the course in it: what JupyterLite's kernel imports in place of pyodide.mjs.
//
// Packages and course come as one archive, which this file unpacks: Pyodide's own loader would let
// Python unpack two dozen wheels. Each look into the folder of the notebook is a question to the page,
// so Python looks there last, and imports what a first cell needs before it goes there.
import { loadPyodide as bare } from "./pyodide.mjs";

const FIRST = `
import importlib, sys
importlib.invalidate_caches()
sys.path.remove("")
sys.path.append("")
import bdb, piplite.piplite, pyodide_kernel
import course_lib.classroom, course_lib.ops.make, course_lib.viz
from course_lib.classroom.jupyter_home import STARTUP

def no_program(command):
    print("A line that begins with ! starts a program, and a browser does not allow that.")

shell = pyodide_kernel.ipython_shell
shell.system = shell.getoutput = no_program
shell.ex(STARTUP)
`;
const started = start(); // at once, whenever the kernel asks
const tell = (news) => globalThis.postMessage?.(news); // page.js, which shows how far Python is
started.then(
  () => tell({ course: "ready" }),
  (problem) => tell({ course: "failed", words: `${problem.message ?? problem}.` }),
);

export async function loadPyodide({ stdout, stderr }) {
  const pyodide = await started;
  pyodide.setStdout({ batched: stdout });
  pyodide.setStderr({ batched: stderr });
  return pyodide;
}

async function start() {
  const archive = unzipped(new URL("course.bin.gz", import.meta.url));
  const pyodide = await bare();
  unpack(await archive, pyodide);
  pyodide.runPython(FIRST, { globals: pyodide.toPy({}) }); // no name of it is the reader's
  return pyodide;
}

async function unzipped(url) {
  const packed = await body(url);
  const stream = packed.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function body(url) {
  if (url.protocol === "file:") { // under Node, where fetch reads no files
    const { openAsBlob } = await import("node:fs");
    return (await openAsBlob(url)).stream();
  }
  const answer = await fetch(url);
  if (answer.status === 504) throw new Error(await answer.text()); // service-worker.js says why
  if (!answer.ok) throw new Error(`${url.pathname.split("/").at(-1)} cannot be fetched (${answer.status})`);
  return answer.body;
}

// The archive begins with a line of JSON, [[path, size], …]. Nothing is copied: each file is a view.
function unpack(bytes, pyodide) {
  const end = bytes.indexOf(10);
  const index = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const folders = new Set();
  const site = pyodide.runPython("import site; site.getsitepackages()[0]");
  let at = end + 1;
  for (const [path, size] of index) {
    const slash = path.lastIndexOf("/");
    const folder = slash < 0 ? site : `${site}/${path.slice(0, slash)}`;
    if (!folders.has(folder)) {
      pyodide.FS.mkdirTree(folder);
      folders.add(folder);
    }
    const data = bytes.subarray(at, (at += size));
    pyodide.FS.createDataFile(folder, path.slice(slash + 1), data, true, true, true);
  }
}
