// Runs first in the page of the browser edition.
{
  const kept = navigator.serviceWorker;
  if (kept && !kept.controller) {
    // The first visit: what the page loaded before the service worker was there is fetched once
    // more, through it and from the browser's own cache, so that the next visit needs no network.
    kept.addEventListener("controllerchange", keepThisPage, { once: true });
  } else if (kept && !crossOriginIsolated && new URLSearchParams(location.search).has("path")) {
    // A later visit: Python starts now, not when the notebook is on the page.
    let early = new Worker(new URL("@WORKER@", document.currentScript.src), { type: "module" });
    globalThis.courseWorker = () => {
      const worker = early;
      early = undefined;
      return worker;
    };
  }

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

  function keepThisPage() {
    const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
    for (const address of [location.href, ...loaded]) fetch(address);
  }
}
