// Explains the evaluation: the value of each piece and the parts of the total, in units of an average man.

import { h, press, put, toggle } from "./dom.js";
import { here, position, state, subscribe, update } from "./state.js";
import { short } from "./score.js";
import { report } from "./status.js";
import { text } from "./text.js";

const isMan = (line) => / man cp /.test(line);
const valueOf = (line) => Number(line.split(" ")[6]);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export class Explanation {
  constructor(rules) {
    this.rules = rules;
    this.button = toggle(text.explain, false, () => this.toggle(), { title: text.explanationTitle });
    this.element = h("div", { class: "explanation", hidden: true });
    subscribe(["facts"], () => state.facts && !this.element.hidden && this.show());
    subscribe(["left", "mode"], () => this.hide());
  }

  toggle() {
    if (this.element.hidden) this.show();
    else this.hide();
  }

  hide() {
    if (this.element.hidden) return;
    this.element.hidden = true;
    press(this.button, false);
    update({ worths: {} });
  }

  /** Explains the position on the board. */
  async show() {
    const valid = here();
    try {
      const lines = await this.rules.explanation(position());
      // Without men on the board, a man counts as in the starting position.
      const men = lines.some(isMan) ? lines : await this.rules.explanation("position startpos");
      if (valid()) this.draw(lines, mean(men.filter(isMan).map(valueOf)));
    } catch (error) {
      report(error.message);
    }
  }

  draw(lines, average) {
    let by = "",
      total = 0,
      side = "b";
    const parts = [],
      worths = {};
    const men = (value) => short({ kind: "cp", value: (100 * value) / average, side });
    for (const line of lines) {
      const [, word, ...rest] = line.split(" ");
      if (word === "by") by = rest.join(" ");
      else if (word === "piece") worths[rest[0]] = (valueOf(line) / average).toFixed(2);
      else if (word === "part") parts.push([rest[0], Number(rest[2])]);
      else if (word === "cp") [total, side] = [Number(rest[0]), rest[2] === "black" ? "b" : "w"];
    }
    this.element.hidden = false;
    press(this.button, true);
    const title = h("strong", { text: text.explanationTitle }),
      list = parts.map(([name, value]) => h("li", { text: `${name}: ${men(value)}` }));
    put(
      this.element,
      h("p", {}, title, " ", text.explanationTotal(men(total))),
      h("p", { class: "soft", text: text.explanationBy(by) }),
      list.length > 0 &&
        h("details", {}, h("summary", { text: text.explanationParts }), h("ul", { class: "plain" }, list)),
    );
    update({ worths });
  }
}
