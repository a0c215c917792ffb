// The evaluation explained: the value of each piece and the parts of the total, in units of an average man.

import { h, put } from "./dom.js";
import { text } from "./text.js";

const isMan = (line) => / man cp /.test(line);
const valueOf = (line) => Number(line.split(" ")[6]);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export class Explanation {
  constructor(rules) {
    this.rules = rules;
    this.worths = {};
    this.element = h("div", { class: "explanation", hidden: true });
  }

  hide() {
    this.worths = {};
    this.element.hidden = true;
  }

  /** Explains a position. `valid` says after each answer whether it is still wanted. */
  async show(position, valid) {
    const lines = await this.rules.explanation(position);
    // Without men on the board, a man counts as in the start position.
    const men = lines.some(isMan) ? lines : await this.rules.explanation("position startpos");
    if (valid()) this.draw(lines, mean(men.filter(isMan).map(valueOf)));
  }

  draw(lines, average) {
    let by = "", total = 0, side = "b";
    const parts = [];
    this.worths = {};
    const scaled = (value) => (value / average).toFixed(2);
    for (const line of lines) {
      const [, word, ...rest] = line.split(" ");
      if (word === "by") by = rest.join(" ");
      else if (word === "piece") this.worths[rest[0]] = scaled(valueOf(line));
      else if (word === "part") parts.push([rest[0], scaled(Number(rest[2]))]);
      else if (word === "cp") [total, side] = [Number(rest[0]), rest[2] === "black" ? "b" : "w"];
    }
    this.element.hidden = false;
    put(this.element, h("h2", { text: text.explanationTitle }), h("p", { class: "soft", text: text.explanationBy(by) }), h("p", { text: text.explanationTotal(scaled(total), text.sides[side]) }),
      parts.length > 0 && h("details", {}, h("summary", { text: text.explanationParts }), h("table", {}, h("tbody", {}, parts.map(([name, value]) => h("tr", {}, h("th", { scope: "row", text: name }), h("td", { text: value })))))));
  }
}
