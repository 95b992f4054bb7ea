// Pyodide's own loader fetches packages of its distribution, checks their SHA-256, and keeps them.
//     node fetch.mjs RUNTIME FOLDER PACKAGE…
import { pathToFileURL } from "node:url";

const [runtime, folder, ...names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const pyodide = await loadPyodide({ indexURL: `${runtime}/`, packageCacheDir: `${folder}/` });
await pyodide.loadPackage(names, { checkIntegrity: true });
