// Runs notebooks in Pyodide under Node, with the kernel that the browser edition has.
//     node run.mjs PYODIDE FOLDER ANSWERS NOTEBOOK…
// FOLDER is copied into Pyodide's file system: notebooks run beside their data. In the file ANSWERS,
// one line of JSON per notebook says what each of its code cells showed.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodideFolder, folder, answers, ...notebooks] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/start.mjs`));

function copy(from, to, fs_) {
  fs_.mkdirTree(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [one, other] = [path.join(from, entry.name), `${to}/${entry.name}`];
    if (entry.isDirectory()) copy(one, other, fs_);
    else fs_.writeFile(other, fs.readFileSync(one));
  }
}

let said = [];
const pyodide = await loadPyodide({
  stdout: (line) => said.push(line),
  stderr: (line) => said.push(line),
});
copy(folder, "/drive", pyodide.FS);
pyodide.FS.writeFile("/cells.py", fs.readFileSync(new URL("cells.py", import.meta.url)));
pyodide.runPython(`import sys; sys.path.insert(0, "/"); import cells`);

for (const notebook of notebooks) {
  said = [];
  const before = process.cpuUsage();
  let answer;
  try {
    answer = await pyodide.runPythonAsync(`await cells.run("/drive/${notebook}")`);
  } catch (problem) {
    answer = JSON.stringify({ fatal: String(problem.message ?? problem).slice(-2000), said });
  }
  const used = process.cpuUsage(before);
  const seconds = (used.user + used.system) / 1e6;
  const line = { notebook, seconds, ...JSON.parse(answer) };
  fs.appendFileSync(answers, JSON.stringify(line) + "\n");
}
process.exit(0);
