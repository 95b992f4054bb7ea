// Adds compiled code to wheels and to the standard library, by the very Python that will import them.
//     node compile.mjs RUNTIME FOLDER
// Every wheel and archive in FOLDER is changed in place.
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
for archive in sorted(pathlib.Path("/wheels").iterdir()):
    in_place = archive.suffix == ".zip"  # imported from the archive, where code lies beside its source
    home = "/lib/python314.zip" if in_place else "/lib/python3.14/site-packages"
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as files:
        for name in files.namelist():
            if not name.endswith(".py") or "/tests/" in name or "/third_party/" in name:
                continue
            source = files.read(name)
            try:
                code = compile(source, f"{home}/{name}", "exec", dont_inherit=True)
            except SyntaxError:  # a template, or for another Python
                continue
            # The source is taken to be the one that was compiled: nothing is looked up or dated.
            data = _code_to_hash_pyc(code, importlib.util.source_hash(source), False)
            place = f"{name}c" if in_place else importlib.util.cache_from_source(name)
            files.writestr(zipfile.ZipInfo(place), data, zipfile.ZIP_DEFLATED)
`);
