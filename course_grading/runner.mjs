// Python in WebAssembly, inside Deno, for one run of an answer. Note [A second way] in wasm.py.
//
//     deno run … runner.mjs build      makes an image of what lies beside this file
//     deno run … runner.mjs            one run, from the image beside this file
//
// An image is Python with its libraries and the course as they are once all is imported. Pyodide
// makes such snapshots only without libraries of compiled code, so five places of it are changed:
// where a library is loaded again, it has to come to lie where it lay. A sixth counts the seconds of
// computing, which elsewhere in WebAssembly are those of the clock.

const url = decodeURIComponent(new URL("./", import.meta.url).pathname);
const place = Deno.build.os === "windows" ? url.slice(1) : url;
const SITE = "/lib/python3.14/site-packages";
const FIRST = ["numpy.tar", "course.tar"]; // in every process; what is in later.tar in some

// ---- changes to Pyodide -------------------------------------------------------------------------

const CHANGES = [
  // memory for a library: where it was, if that is known
  [
    "var getMemory=size=>{",
    "var getMemory=size=>{if(Module.__forced!==undefined){var forced=Module.__forced;" +
    "Module.__forced=undefined;return forced}return Module.__got=getMemory0(size)};" +
    "var getMemory0=size=>{",
  ],
  // each library that is loaded is noted
  [
    "localScope,handle){libName=PATH.normalize(libName);",
    "localScope,handle){libName=PATH.normalize(libName);Module.__log?.push({lib:libName," +
    "global:!!flags.global,nodelete:!!flags.nodelete,handle});",
  ],
  // its place in the table of functions is noted, or has to be the same again
  [
    "var tableBase=metadata.tableSize?wasmTable.length:0;",
    "if(Module.__table)while(wasmTable.length<Module.__table)freeTableIndexes.push(" +
    "wasmTable.grow(1));var tableBase=metadata.tableSize?wasmTable.length:0;" +
    "if(Module.__table!==undefined&&Module.__table!==tableBase)" +
    "throw new Error('table of '+libName);" +
    "if(Module.__log)Object.assign(Module.__log.at(-1),{got:Module.__got,table:tableBase});",
  ],
  // and so is each name that is looked up in it
  [
    "function __dlsym_js(handle,symbol,symbolIndex){",
    "function __dlsym_js(handle,symbol,symbolIndex){var r=dlsym0(handle,symbol,symbolIndex);" +
    "Module.__log?.push({sym:UTF8ToString(symbol>>>0),handle:handle>>>0,result:Number(r)});" +
    "return r}Module.__sym=(handle,symbol)=>{var f=LDSO.loadedLibsByHandle[handle].exports[symbol];" +
    "return typeof f=='function'?getFunctionAddress(f)||addFunction(f,f.sig):f};" +
    "Module.__load=loadDynamicLibrary;Module.__grow=n=>{if(n>HEAP8.length){" +
    "wasmMemory.grow(Math.ceil((n-HEAP8.length)/65536));updateMemoryViews()}};" +
    "function dlsym0(handle,symbol,symbolIndex){",
  ],
  // the libraries are loaded between two settings of the memory: their start writes into it
  [
    "return Module.HEAP8.set(t),l}",
    "return Module.__grow(t.length),Module.HEAP8.set(t),API.config._replay(Module)," +
    "Module.HEAP8.set(t),l}",
  ],
  [
    "if(clk_id===0){now=_emscripten_date_now()}else if(nowIsMonotonic){",
    "if(clk_id===0){now=_emscripten_date_now()}else if(clk_id===2){now=Module.__computed()}" +
    "else if(nowIsMonotonic){",
  ],
];

function change() {
  let text = Deno.readTextFileSync(`${place}pyodide.asm.mjs`);
  for (const [from, to] of CHANGES) {
    if (text.split(from).length !== 2) throw new Error(`another Pyodide: no ${from}`);
    text = text.replace(from, () => to);
  }
  Deno.writeTextFileSync(`${place}pyodide.asm.mjs`, text);
}

function replay(M, log) {
  for (const one of log) {
    if (one.lib) {
      M.__forced = one.got;
      M.__table = one.table;
      M.__load(one.lib, one, one.global ? null : {}, one.handle);
      M.__forced = undefined;
    } else if (M.__sym(one.handle, one.sym) !== one.result) throw new Error(one.sym);
    M.__table = undefined;
  }
}

// ---- Python -------------------------------------------------------------------------------------

const usage = Deno.cpuUsage;

function computed() { // milliseconds
  const { user, system } = usage();
  return (user + system) / 1000;
}

async function python(tars, more) {
  const { loadPyodide } = await import("./pyodide.mjs");
  const create = (await import("./pyodide.asm.mjs")).default;
  const lock = JSON.parse(Deno.readTextFileSync(`${place}pyodide-lock.json`));
  const quiet = () => {};
  return loadPyodide({
    indexURL: place,
    jsglobals: {},
    stdin: () => null,
    stdout: quiet,
    stderr: quiet,
    lockFileContents: { info: lock.info, packages: {} },
    env: { HOME: "/home/pyodide", LANG: "C.UTF-8", MPLBACKEND: "Agg", PYTHONDONTWRITEBYTECODE: "1" },
    createPyodideModule: (settings) => create(Object.assign(settings, { __computed: computed })),
    fsInit: (FS) => tars.forEach((name) => untar(FS, Deno.readFileSync(place + name), SITE)),
    ...more(create),
  });
}

function untar(FS, bytes, base) { // of our own making: plain files
  const decoder = new TextDecoder();
  const text = (from, to) => decoder.decode(bytes.subarray(from, to)).replace(/\0.*$/s, "");
  const made = new Set();
  for (let at = 0, long = ""; at + 512 <= bytes.length && bytes[at];) {
    const size = parseInt(text(at + 124, at + 136), 8) || 0;
    const kind = text(at + 156, at + 157);
    const body = bytes.subarray(at + 512, at + 512 + size);
    const name = long || text(at, at + 100);
    long = "";
    if (kind === "L") long = text(at + 512, at + 512 + size);
    else if (kind === "0") {
      const folder = `${base}/${name.slice(0, Math.max(0, name.lastIndexOf("/")))}`;
      if (!made.has(folder)) FS.mkdirTree(folder);
      made.add(folder);
      FS.writeFile(`${base}/${name}`, body, { canOwn: true });
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

// ---- making an image ----------------------------------------------------------------------------

async function build() {
  change();
  const raw = [...Deno.readDirSync(place)].map((one) => one.name).filter((n) => n.endsWith(".raw"));
  const plain = await python([], () => ({}));
  for (const name of raw) {
    untar(plain.FS, Deno.readFileSync(place + name), "/made");
    plain.runPython(`
import compileall, py_compile, shutil, tarfile
how = py_compile.PycInvalidationMode.UNCHECKED_HASH
compileall.compile_dir("/made", quiet=2, invalidation_mode=how)
with tarfile.open("/made.tar", "w", format=tarfile.GNU_FORMAT) as tar:
    tar.add("/made", arcname=".")
shutil.rmtree("/made")`);
    Deno.writeFileSync(place + name.replace(".raw", ".tar"), plain.FS.readFile("/made.tar"));
    Deno.removeSync(place + name);
  }
  let M;
  const made = await python(FIRST, (create) => ({
    _makeSnapshot: true,
    createPyodideModule: async (settings) => {
      return M = await create(Object.assign(settings, { __computed: computed, __log: [] }));
    },
  }));
  made.runPython(`
import ctypes, gc, json, os, random, sys
from course_grading import server
server.warm_up({}); gc.collect()`);
  for (const name of Object.keys(made.loadedPackages)) delete made.loadedPackages[name];
  Deno.writeFileSync(`${place}snapshot.bin`, made.makeMemorySnapshot({ serializer: () => null }));
  Deno.writeTextFileSync(`${place}log.json`, JSON.stringify(M.__log));
}

// ---- one run ------------------------------------------------------------------------------------

const KEPT = { write: Deno.stdout.writeSync.bind(Deno.stdout), exit: Deno.exit };
const OF_DENO = ["Deno", "process", "Worker", "BroadcastChannel", "localStorage", "sessionStorage",
  "caches", "fetch", "WebSocket", "EventSource", "navigator"];

function write(bytes) {
  for (let n = 0; n < bytes.length;) n += KEPT.write(bytes.subarray(n));
  return bytes.length;
}

function read() { // one line of JSON
  const decoder = new TextDecoder(), room = new Uint8Array(1 << 16);
  let text = "";
  for (let n; (n = Deno.stdin.readSync(room)) !== null;) {
    text += decoder.decode(room.subarray(0, n), { stream: true });
    if (room[n - 1] === 10) return JSON.parse(text);
  }
  return KEPT.exit(0); // nobody wants it any more
}

function evaluates() { // whether text can become JavaScript, which a flag of V8 has to forbid
  try {
    return Function("return true")();
  } catch {
    return false;
  }
}

// Files are in memory: so many bytes and names, and nothing beside the folder it starts in.
function bound(FS, room) {
  const { write, mknod, symlink, doTruncate } = FS;
  const take = (what, many) => {
    if ((room[what] -= many) < 0) throw new FS.ErrnoError(51); // no space is left
  };
  for (const folder of ["/", "/home", "/tmp"]) FS.chmod(folder, 0o555);
  FS.ignorePermissions = false;
  FS.MAX_OPEN_FDS = room.open;
  FS.mknod = (...about) => (take("entries", 1), mknod(...about));
  FS.symlink = (...about) => (take("entries", 1), symlink(...about));
  FS.write = (stream, buffer, offset, length, ...more) => {
    if (FS.isFile(stream.node.mode)) take("bytes", length);
    return write(stream, buffer, offset, length, ...more);
  };
  FS.doTruncate = (stream, node, length) => {
    take("bytes", Math.max(0, length - (node.usedBytes ?? 0)));
    doTruncate(stream, node, length);
  };
}

async function run() {
  const snapshot = Deno.readFileSync(`${place}snapshot.bin`);
  const log = JSON.parse(Deno.readTextFileSync(`${place}log.json`));
  const py = await python(FIRST, () => ({
    _loadSnapshot: snapshot,
    _snapshotDeserializer: () => null,
    _replay: (M) => replay(M, log),
  }));
  if (evaluates()) KEPT.exit(3);
  py.runPython("import os; os.urandom(1)"); // asks for node:crypto once, while it can
  write(new TextEncoder().encode("ready\n"));
  const order = read(); // now the grader's clock runs
  if (order.later) untar(py.FS, Deno.readFileSync(`${place}later.tar`), SITE);
  for (const name of ["read", "write", "net", "env", "run", "ffi", "sys", "import"]) {
    Deno.permissions.revokeSync({ name });
  }
  py.FS.writeFile("/home/pyodide/job.json", order.python);
  bound(py.FS, order.room);
  py.setStdout({ write });
  for (const name of OF_DENO) delete globalThis[name];
  py.runPython(`
import sys, _pyodide._importhook as hook
for name in [*hook.jsfinder.jsproxies, "pyodide_js._api"]:
    sys.modules.pop(name, None)
hook.jsfinder.jsproxies.clear()
sys.meta_path.remove(hook.jsfinder)
from course_grading import server
server.inside()`);
  KEPT.exit(0);
}

await (Deno.args[0] === "build" ? build() : run());
