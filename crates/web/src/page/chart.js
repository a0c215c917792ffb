// The chart of the score: White's share is below, Black's above. A click goes to the position.

import { scoreChartPosition, scoreChart } from "./diagram.js";
import { box, h, put, s } from "./dom.js";
import { kindOf, mistakeOf } from "./marks.js";
import { go } from "./navigate.js";
import { share, words } from "./score.js";
import { state, subscribe } from "./state.js";
import { joined, text } from "./text.js";

/** The position of a score in the chart. The edges are free for the marks of mistakes. */
const place = (score) => 0.84 * share(score);

export class Chart {
  constructor() {
    const props = { viewBox: "0 0 600 120", preserveAspectRatio: "none", "aria-hidden": "true" };
    this.picture = s("svg", { class: "score-chart", ...props });
    const range = { type: "range", min: "0", step: "1", class: "chart-slider", "aria-label": text.chart };
    this.slider = h("input", { ...range, oninput: () => go(this.line[Number(this.slider.value)]) });
    this.dots = h("div", { class: "dots", "aria-hidden": "true" });
    const names = Object.values(text.sides).map((text) => h("span", { text })),
      axis = h("div", { class: "axis", "aria-hidden": "true" }, names);
    this.element = box("chart-box", this.picture, axis, this.dots, this.slider);
    this.picture.addEventListener("click", (event) =>
      go(this.line[scoreChartPosition(this.picture, event.clientX, this.line.length - 1)]),
    );
    subscribe(["current", "game"], () => state.game.tree && this.draw(state.game.tree, state.current));
  }

  draw(tree, current) {
    this.line = tree.reviewedLine(current);
    const last = this.line.length - 1,
      now = tree.placeOn(this.line, current);
    const points = this.line
      .map((id, index) => [index, tree.node(id).score])
      .filter(([, score]) => score)
      .map(([index, score]) => [index, place(score)]);
    if (points[0]?.[0]) points.unshift([0, points[0][1]]);
    this.picture.innerHTML = scoreChart(points, last, now);
    this.drawDots(tree, last);
    const { score } = tree.node(this.line[now]);
    const name = joined([text.moveTitle(tree, this.line[now]), score && words(score)], ": ");
    this.slider.max = String(last);
    this.slider.value = String(now);
    this.slider.setAttribute("aria-valuetext", name);
  }

  drawDots(tree, last) {
    const kind = (id) => mistakeOf(tree.node(id));
    put(
      this.dots,
      this.line.map((id, at) => {
        const { score } = tree.node(id);
        if (!score || !kind(id)) return null;
        const dot = h("i", { class: kindOf(tree.node(id), kind(id)) });
        dot.style.left = `clamp(.4rem, ${(at / last) * 100}%, 100% - .4rem)`;
        dot.style.top = `${(1 - place(score)) * 50}%`;
        return dot;
      }),
    );
  }
}
