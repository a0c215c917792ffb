// The service worker of the static page: stores its files, and serves them offline. The first two constants are filled in when
// the page is generated.

const VERSION = "VERSION";
const FILES = [];

const PREFIX = `kelso ${registration.scope} `;
const NAME = PREFIX + VERSION;

async function store() {
  const cache = await caches.open(NAME);
  // The page itself has the same address in every version.
  // Files in the version's folder never change, so those that the page has already loaded come from the browser's cache.
  const versioned = (file) => file.startsWith(`${VERSION}/`);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: versioned(file) ? "force-cache" : "no-cache" })));
  await skipWaiting();
}

async function removeOthers() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  await clients.claim();
}

async function find(request) {
  const cache = await caches.open(NAME);
  return await cache.match(request, { ignoreSearch: true }) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(store()));
addEventListener("activate", (event) => event.waitUntil(removeOthers()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope)) event.respondWith(find(event.request));
});
