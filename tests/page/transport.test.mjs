// Requests to the program.

import assert from "node:assert/strict";
import test from "node:test";
import { library } from "../../crates/web/src/page/transport.js";

/** The browser's limit for requests that it delivers after the page is closed, in bytes. */
const LIMIT = 1 << 16;

test("only small requests are delivered after the page is closed", async (context) => {
  const { mock } = context.mock.method(globalThis, "fetch", async () => Response.json({}));
  for (const [pdn, isSmall] of [["11-15 *", true], ["ж".repeat(LIMIT / 2), false]]) {
    await library({ do: "save", pdn });
    assert.equal(mock.calls.at(-1).arguments[1].keepalive, isSmall);
  }
});
