// Keeps what the browser edition fetches: a later visit is quick, and works without a network.
//
// Each build has a cache of its own, so a file never comes from another build. What the kernel asks
// of the page (its files, what is typed) goes on to JupyterLite's own service worker. The page is the
// same one for every notebook: the notebook is named after the question mark.
{
  const CACHE = "course-@BUILD@";
  const TO_THE_PAGE = /\/api\/(drive|stdin|service-worker-heartbeat)/;

  self.addEventListener("activate", (event) => {
    event.waitUntil(forgetOtherBuilds());
  });

  self.addEventListener("fetch", (event) => {
    const { method, url } = event.request;
    if (method !== "GET" || !url.startsWith(self.registration.scope) || TO_THE_PAGE.test(url)) return;
    event.stopImmediatePropagation();
    event.respondWith(keptOrFetched(event.request));
  });

  async function forgetOtherBuilds() {
    const here = (name) => name.startsWith("course-") && name !== CACHE;
    await Promise.all((await caches.keys()).filter(here).map((name) => caches.delete(name)));
  }

  async function keptOrFetched(request) {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(request, { ignoreSearch: request.mode === "navigate" });
    if (kept) return kept;
    const response = await fetch(request);
    if (response.status === 200) await cache.put(request, response.clone());
    return response;
  }
}

// A block of its own above: JupyterLite's names are not ours.
importScripts("service-worker-lite.js");
