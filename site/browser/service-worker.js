// Keeps what the browser edition fetches: a later visit is quick, and works without a network.
//
// Each build has a cache of its own, so a file never comes from another build. What the kernel asks
// of the page (its files, what is typed) goes on to JupyterLite's own service worker. The page is the
// same one for every notebook: the notebook is named after the question mark.
{
  const CACHE = "course-@BUILD@";
  const TO_THE_PAGE = /\/api\/(drive|stdin|service-worker-heartbeat)/;
  const PYTHON = /\/static\/pyodide\/([^/?]+)$/;
  const OFFLINE = "There is no network, and this file was not loaded before you went offline: ";

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
    const how = { ignoreSearch: request.mode === "navigate" };
    const [, part] = PYTHON.exec(request.url) ?? [];
    const kept = await cache.match(request, how);
    if (kept) {
      if (part) tellPages({ part });
      return kept;
    }
    let response;
    try {
      // What Python needs is much, and is not to keep the page waiting.
      response = await fetch(request, { priority: part ? "low" : "auto" });
    } catch {
      return new Response(OFFLINE + nameOf(request.url), { status: 504 });
    }
    if (response.status !== 200) return response;
    try {
      await cache.put(request, part ? counted(response, part) : response);
    } catch {
      return fetch(request); // there is no room to keep it
    }
    // The kept one, because Chromium keeps compiled code only beside what comes from here.
    return cache.match(request, how);
  }

  function nameOf(url) {
    return decodeURIComponent(url.slice(self.registration.scope.length).replace(/^files\//, ""));
  }

  async function tellPages(news) {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    for (const page of pages) page.postMessage(news);
  }

  /** The same response, of which the pages hear how much has come. */
  function counted(response, part) {
    let bytes = 0;
    const count = new TransformStream({
      transform(chunk, onward) {
        bytes += chunk.length;
        onward.enqueue(chunk);
        tellPages({ part, bytes });
      },
    });
    return new Response(response.body.pipeThrough(count), response);
  }
}

// A block of its own above: JupyterLite's names are not ours.
importScripts("service-worker-lite.js");
