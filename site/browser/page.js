// Runs first in the page of the browser edition: Python comes with the page, and a bar says so.
{
  const PARTS = "@PARTS@"; // the bytes of each file that Python is made of
  const LESSONS = "@LESSONS@"; // what a reader opens, and what JupyterLab asks to find it
  const root = new URL(".", document.currentScript.src);
  const kept = navigator.serviceWorker;
  performance.setResourceTimingBufferSize(1000); // keepThisPage asks what was loaded

  // A clean desk: nothing of yesterday's is opened again, what was open before a reload is.
  const reloaded = performance.getEntriesByType("navigation")[0].type === "reload";
  if (!location.search && !reloaded) history.replaceState(null, "", "?reset");

  // ---- Python ----------------------------------------------------------------------------------

  const starting = new Map(); // workers whose Python is on its way, and when it set out
  let early;

  /** A worker for a kernel: the one that was started with the page, or a new one. */
  globalThis.courseWorker = (address) => {
    const worker = early ?? newWorker(address);
    early = undefined;
    return worker;
  };

  async function startWithThePage() {
    if (kept && !kept.controller) {
      // A first visit waits for the service worker, about 0.2 s: it keeps what Python fetches.
      const there = new Promise((go) => kept.addEventListener("controllerchange", go, { once: true }));
      kept.register(new URL("service-worker.js?enableCache=false", root)).catch(console.warn);
      await Promise.race([there, new Promise((go) => setTimeout(go, 3000))]);
    }
    if (!starting.size && !crossOriginIsolated) early = newWorker(new URL("@WORKER@", root));
  }

  function newWorker(address) {
    const worker = new Worker(address, { type: "module" });
    const failed = (words) => over(`Python has not started: ${words} Reload this page to try again.`);
    worker.addEventListener("message", ({ data }) => {
      if (data?.course === "ready") over();
      if (data?.course === "failed") failed(data.words);
    });
    worker.addEventListener("error", () => failed("one of its files could not be loaded."));
    worker.terminate = () => {
      over();
      Worker.prototype.terminate.call(worker);
    };
    starting.set(worker, performance.now());
    watch();
    return worker;

    function over(words) {
      starting.delete(worker);
      bar.trouble = words;
      draw();
      keepThisPage();
    }
  }

  /**
   * Have all of this page and all lessons kept, so that they open quickly and without a network.
   * What came before the service worker was there comes once more, from the browser's own cache.
   */
  async function keepThisPage() {
    const lessons = LESSONS.map((name) => new URL(name, root).href);
    if (!kept?.controller || (await caches.match(lessons.at(-1)))) return;
    const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
    for (const address of new Set([location.href, ...loaded, ...lessons])) {
      fetch(address, { priority: "low" }).catch(console.warn);
    }
  }

  // ---- the bar ---------------------------------------------------------------------------------
  // A row of its own below JupyterLab, so that it covers nothing. There until Python is ready.

  const LOOK = `
    .course-starting .jp-LabShell { bottom: var(--course-bar); }
    #course-python {
      position: fixed; z-index: 1001; inset: auto 0 0; box-sizing: border-box; min-height: 2.4rem;
      display: flex; align-items: center; gap: 0 0.8rem; padding: 0.3rem 1rem;
      border-top: 1px solid #8a7f73; background: #f3e9dc; color: #2a2521;
      font: 14px/1.3 system-ui, sans-serif; font-variant-numeric: tabular-nums;
    }
    #course-python progress { flex: 1; min-width: 4rem; max-width: 24rem; accent-color: #a93a12; }
    [data-jp-theme-light="false"] #course-python, .jp-mod-dark #course-python {
      color-scheme: dark; background: #332c26; color: #f1ebe3;
    }
    [data-jp-theme-light="false"] #course-python progress { accent-color: #ffa374; }`;
  const bar = { came: {}, height: 0 }; // and isLoading, node, timer, trouble

  kept?.addEventListener("message", ({ data: { part, bytes } }) => {
    bar.isLoading ||= bytes > 0; // where all was kept there is nothing to load
    if (part in PARTS) bar.came[part] = bytes ?? PARTS[part];
    draw();
  });

  /** What the bar says: where Python is, how much has come, for how long. */
  function seen() {
    const sum = (parts) => Object.values(parts).reduce((one, other) => one + other, 0);
    const [came, all] = [sum(bar.came), sum(PARTS)];
    const seconds = Math.round((performance.now() - Math.min(...starting.values())) / 1000);
    if (!bar.isLoading || came >= all) return { phase: "Python starts", figures: `${seconds} s` };
    const figures = `${(came / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(1)} MB, ${seconds} s`;
    return { phase: "Python is loading", figures, share: came / all };
  }

  function watch() {
    clearInterval(bar.timer);
    bar.timer = setInterval(draw, 500);
  }

  function draw() {
    if (!starting.size) clearInterval(bar.timer);
    if (!starting.size && !bar.trouble) {
      bar.node?.remove();
      bar.node = undefined;
    } else if (document.body) {
      bar.node ??= newBar();
      fill(...bar.node.querySelectorAll("span, progress"));
    }
    makeRoom();
  }

  function newBar() {
    const node = document.createElement("aside");
    node.id = "course-python";
    node.ariaLabel = "Python";
    node.innerHTML = `<style>${LOOK}</style>
      <span role="status"></span><progress aria-label="Python"></progress><span></span>`;
    document.body.append(node);
    return node;
  }

  function fill(phase, progress, figures) {
    const now = bar.trouble ? { phase: bar.trouble, figures: "" } : seen();
    if (phase.textContent !== now.phase) phase.textContent = now.phase; // read aloud once
    figures.textContent = now.figures;
    progress.hidden = Boolean(bar.trouble);
    if (now.share === undefined) progress.removeAttribute("value");
    else progress.value = now.share;
  }

  function makeRoom() {
    const height = bar.node?.offsetHeight ?? 0;
    if (height === bar.height) return;
    bar.height = height;
    document.body.classList.toggle("course-starting", height > 0);
    document.body.style.setProperty("--course-bar", `${height}px`);
    dispatchEvent(new Event("resize")); // JupyterLab looks how much room it has
  }

  // ---- a phone ---------------------------------------------------------------------------------

  if (matchMedia("(max-width: 760px)").matches) {
    // On a phone the list of files leaves no room for a notebook: it goes when one is opened, and
    // JupyterLab, which shows in it where a notebook lies, does not bring it back by itself.
    Object.defineProperty(globalThis, "jupyterapp", {
      configurable: true,
      set(app) {
        Object.defineProperty(globalThis, "jupyterapp", { value: app });
        const { shell } = app;
        const show = shell.activateById.bind(shell);
        shell.activateById = (id) => id === "filebrowser" || show(id);
        shell.currentChanged.connect(() => shell.collapseLeft());
        app.restored.then(() => shell.collapseLeft());
      },
    });
  }
  startWithThePage();
}
