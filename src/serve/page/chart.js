// The score over the game: white above, black below. A click goes to the position.

import { h, put, s } from "./dom.js";
import { share, words } from "./score.js";
import { text } from "./text.js";

const WIDTH = 600, HEIGHT = 120;

export class Chart {
  constructor(go) {
    this.go = go;
    this.picture = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", preserveAspectRatio: "none", role: "img" });
    this.slider = h("input", { type: "range", min: "0", step: "1", class: "chart-slider", "aria-label": text.chart, oninput: () => this.go(this.line[Number(this.slider.value)]) });
    this.empty = h("p", { class: "soft", text: text.chartEmpty });
    this.element = h("div", { class: "chart-box" }, this.picture, this.slider, this.empty);
    this.picture.addEventListener("click", (event) => {
      const box = this.picture.getBoundingClientRect();
      const at = Math.round((event.clientX - box.left) / box.width * (this.line.length - 1));
      this.go(this.line[Math.max(0, Math.min(this.line.length - 1, at))]);
    });
  }

  draw(tree, current) {
    this.line = tree.whole(current);
    const last = Math.max(1, this.line.length - 1);
    const x = (index) => index / last * WIDTH, y = (score) => HEIGHT / 2 * (1 - share(score));
    const points = this.line.map((id, index) => [index, tree.node(id).score]).filter(([, score]) => score);
    this.empty.hidden = points.length > 0;
    const path = points.map(([index, score], at) => `${at ? "L" : "M"}${x(index).toFixed(1)} ${y(score).toFixed(1)}`).join("");
    const area = points.length ? `${path}L${x(points[points.length - 1][0]).toFixed(1)} ${HEIGHT}L${x(points[0][0]).toFixed(1)} ${HEIGHT}Z` : "";
    const now = this.line.indexOf(current);
    put(this.picture,
      s("rect", { class: "chart-ground", width: WIDTH, height: HEIGHT }),
      area && s("path", { class: "chart-area", d: area }),
      s("path", { class: "chart-half", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      path && s("path", { class: "chart-line", d: path }),
      s("path", { class: "chart-now", d: `M${x(now).toFixed(1)} 0V${HEIGHT}` }));
    const score = tree.node(current).score;
    const label = now > 0 ? text.moveTitle(tree.number(current), text.sides[tree.side(tree.node(current).parent)], tree.node(current).move) : text.start;
    const name = text.chartPoint(label, score ? words(score) : text.unknown);
    this.picture.setAttribute("aria-label", `${text.chart}. ${name}`);
    this.slider.max = String(this.line.length - 1);
    this.slider.value = String(now);
    this.slider.setAttribute("aria-valuetext", name);
  }
}
