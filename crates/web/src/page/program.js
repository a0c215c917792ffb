// The connection to the program: the session that knows the rules, and whether the program can be reached.

import { Rules } from "./rules.js";
import { state, update } from "./state.js";
import { announce, report, statusLine } from "./status.js";
import { text } from "./text.js";
import { engines as listEngines } from "./transport.js";

export const rules = new Rules({
  lost: (busy) => {
    document.body.classList.add("offline");
    update({ offline: busy ? text.busy : text.lost });
    if (statusLine.textContent !== state.offline) report(state.offline);
  },
  connected: () => {
    document.body.classList.remove("offline");
    update({ offline: "" });
    announce(text.connectedAgain);
  },
});

export async function identify() {
  const declared = await rules.ask((engine) => engine.options());
  const engines = await listEngines().catch(() => state.engines);
  update({ declared, engines });
}

/** Returns a text of the page that is loaded on demand: "./problems.txt" or "./games.pdn". */
export async function file(name) {
  const response = await fetch(new URL(name, import.meta.url)).catch(() => null);
  if (!response?.ok) throw new Error(text.offline);
  return response.text();
}
