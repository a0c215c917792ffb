// Notices: a text with actions, in a box over the page, so that the layout does not shift.

import { box, button, h, put } from "./dom.js";
import { text } from "./text.js";

export const notices = box("notices");

/** Shows a text with actions, each given as [name, action], in place of the previous notice. */
export function notice(words, actions, props) {
  const act = (action) => () => {
    dismiss();
    action?.();
  };
  put(
    notices,
    h(
      "div",
      { class: "notice", role: "group", "aria-label": words, ...props },
      h("p", { text: words }),
      actions.map(([name, action], index) => button(name, act(action), { class: index === 0 && "primary" })),
      button(text.close, act()),
    ),
  );
}

/** Reports a failure, with actions that may repair it. */
export function problem(words, actions = []) {
  notice(words, actions, { class: "notice problem", role: "alert" });
}

export const dismiss = () => put(notices);
