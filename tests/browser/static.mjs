// A plain web server for static files, like any host: it compresses files if that makes them smaller, and
// knows nothing about Kelso.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Serves a folder below `/kelso/`; resolves to its address, the bytes sent for each path, and a function that ends it. */
export async function serveFolder(folder, port = 0) {
  const sent = {}, packed = new Map();
  const pack = async (path) => {
    if (!packed.has(path)) packed.set(path, gzipSync(await readFile(join(folder, path))));
    return packed.get(path);
  };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)).replace(/^\/kelso\/$/, "/kelso/index.html");
    try {
      const body = await pack(path.replace(/^\/kelso\//, ""));
      sent[path.split("/").pop()] = body.length;
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Content-Encoding": "gzip", "Cache-Control": "max-age=600" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/kelso/`, sent, stop };
}
