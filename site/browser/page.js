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

  function keepThisPage() {
    const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
    for (const address of [location.href, ...loaded]) fetch(address);
  }
}
