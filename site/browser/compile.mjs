// Adds compiled code to wheels, by the very Python that will import them: a third of the start.
//     node compile.mjs RUNTIME FOLDER
// Every wheel in FOLDER is changed in place.
import { pathToFileURL } from "node:url";

const [runtime, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const pyodide = await loadPyodide({ indexURL: `${runtime}/` });
pyodide.FS.mkdirTree("/wheels");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, "/wheels");
pyodide.runPython(`
import importlib.util, pathlib, warnings, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

warnings.simplefilter("ignore")  # of packages that are not ours
for wheel in sorted(pathlib.Path("/wheels").glob("*.whl")):
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_DEFLATED) as files:
        for name in files.namelist():
            if not name.endswith(".py") or "/tests/" in name or "/third_party/" in name:
                continue
            source = files.read(name)
            try:
                code = compile(source, f"/lib/python3.14/site-packages/{name}", "exec", dont_inherit=True)
            except SyntaxError:  # a template, or for another Python
                continue
            # The source is taken to be the one that was compiled: nothing is looked up or dated.
            data = _code_to_hash_pyc(code, importlib.util.source_hash(source), False)
            files.writestr(zipfile.ZipInfo(importlib.util.cache_from_source(name)), data,
                           zipfile.ZIP_DEFLATED)
`);
