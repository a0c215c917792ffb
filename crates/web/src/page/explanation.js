// Shows the value of each piece in the evaluation, in units of an average man.

import { press, toggle } from "./dom.js";
import { rules } from "./program.js";
import { here, position, state, subscribe, update } from "./state.js";
import { short } from "./score.js";
import { report } from "./status.js";
import { text } from "./text.js";

const isMan = (line) => / man cp /.test(line);
const valueOf = (line) => Number(line.split(" ")[6]);
const evaluation = (position) => rules.ask((engine) => engine.ask("explanation", [position, "eval"]));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the switch that shows the values of the pieces on the board, and the total in the status line. */
export function explanation() {
  const isOn = () => button.ariaPressed === "true";
  const change = (on) => {
    press(button, on);
    if (on) show();
    else update({ worths: {} });
  };
  const button = toggle(text.explain, false, () => change(!isOn()), { title: text.explanationTitle });
  const show = async () => {
    const valid = here();
    try {
      const lines = await evaluation(position());
      // Without men on the board, a man counts as in the starting position.
      const men = lines.some(isMan) ? lines : await evaluation("position startpos");
      if (valid() && isOn()) draw(lines, mean(men.filter(isMan).map(valueOf)));
    } catch (error) {
      report(error.message);
    }
  };
  subscribe(["facts"], () => state.facts && isOn() && show());
  subscribe(["left", "mode"], () => isOn() && change(false));
  return button;
}

function draw(lines, average) {
  const worths = {};
  for (const line of lines) {
    const [, word, value, , color] = line.split(" ");
    if (word === "piece") worths[value] = (valueOf(line) / average).toFixed(2);
    const total = { kind: "cp", value: (100 * Number(value)) / average, side: color === "black" ? "b" : "w" };
    if (word === "cp") report(text.explanationTotal(short(total)));
  }
  update({ worths });
}
