// Writes the engine as one script, which pages of any host, or a local file, can use without a server:
//
//     node single.mjs FOLDER
//
// FOLDER has kelso.js and kelso.wasm. The script, kelso-single.js, contains both, and defines `kelso.load`.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name));
const [module, worker] = ["kelso.js", "worker.js"].map((name) => JSON.stringify(String(read(name))));
const code = gzipSync(read("kelso.wasm"), { level: 9 }).toString("base64");

writeFileSync(join(folder, "kelso-single.js"), `// Kelso, an engine for English draughts, in one file: const engine = await kelso.load().
globalThis.kelso = {
  async load(options) {
    // A page from the disk cannot start a Worker from a file or a blob that is a module.
    const address = (script) => \`data:text/javascript,\${encodeURIComponent(script)}\`;
    const { load } = await import(address(kelso.module));
    const packed = Uint8Array.from(atob(kelso.code), (letter) => letter.charCodeAt(0));
    const code = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    return load({ base: document.baseURI, data: false, ...options, code, worker: address(kelso.worker) });
  },
  module: ${module},
  worker: ${worker},
  code: "${code}",
};
`);
