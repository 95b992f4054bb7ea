// Build into course_lib/labextension/: `node build.mjs`, after `tsc`. No Python, no jlpm.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
const find = createRequire(import.meta.url).resolve;
const core = find("@jupyterlab/core-meta/core.package.json");
const builder = find("@jupyter/builder/lib/build-labextension.js");
execFileSync(process.execPath, [builder, "--core-package-file", core, import.meta.dirname], {
  stdio: "inherit",
});
