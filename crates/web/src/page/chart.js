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
      now = tree.placeOn(this.line, current),
      nodes = this.line.map((id) => tree.node(id));
    const points = nodes.flatMap(({ score }, at) => (score ? [[at, place(score)]] : []));
    if (points[0]?.[0]) points.unshift([0, points[0][1]]);
    this.picture.innerHTML = scoreChart(points, last, now);
    const dot = (node, at) => {
      const kind = node.score && mistakeOf(node);
      if (!kind) return null;
      const element = h("i", { class: kindOf(node, kind) });
      element.style.left = `clamp(.4rem, ${(at / last) * 100}%, 100% - .4rem)`;
      element.style.top = `${(1 - place(node.score)) * 50}%`;
      return element;
    };
    put(this.dots, nodes.map(dot));
    const { score } = nodes[now];
    this.slider.max = String(last);
    this.slider.value = String(now);
    this.slider.ariaValueText = joined([text.moveTitle(tree, this.line[now]), score && words(score)], ": ");
  }
}
