// Why the evaluation says what it says: the worth of each piece, and the parts of the value.

import { h, put } from "./dom.js";
import { text } from "./text.js";

export class Why {
  constructor(rules) {
    this.rules = rules;
    this.worths = {};
    this.element = h("div", { class: "why", hidden: true });
  }

  hide() {
    this.worths = {};
    this.element.hidden = true;
  }

  /** Asks, and shows the answer. */
  async show(position) {
    const lines = await this.rules.explanation(position);
    this.worths = {};
    let by = "", total = "";
    const parts = [];
    for (const line of lines) {
      const [, word, ...rest] = line.split(" ");
      if (word === "by") by = rest.join(" ");
      else if (word === "piece") this.worths[rest[0]] = Number(rest[4]);
      else if (word === "part") parts.push([rest[0], Number(rest[2])]);
      else if (word === "cp") total = text.whyTotal(rest[0], text.sides[rest[2] === "black" ? "b" : "w"]);
    }
    this.element.hidden = false;
    put(this.element, h("h3", { text: text.whyTitle }), h("p", { class: "soft", text: text.whyBy(by) }), h("p", { text: total }),
      parts.length > 0 && h("details", {}, h("summary", { text: text.whyParts }), h("table", {}, h("tbody", {}, parts.map(([name, value]) => h("tr", {}, h("th", { scope: "row", text: name }), h("td", { text: String(value) })))))));
  }
}
