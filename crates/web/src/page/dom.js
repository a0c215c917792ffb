// Creates elements. Texts are set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

const wanted = (child) => child !== null && child !== undefined && child !== false;

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (!wanted(value)) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (["value", "checked", "selected", "disabled", "hidden"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter(wanted));
  return element;
}

/** Creates an HTML element with attributes, listeners (`onclick`) and children. */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

export const box = (kind, ...children) => h("div", { class: kind }, ...children);

/** Creates a box with a name for screen readers. */
export const group = (kind, name, ...children) =>
  h("div", { class: kind, role: "group", "aria-label": name }, ...children);

/** Creates a part that a click on its name opens and brings into view. */
export function details(name, props, ...children) {
  const onclick = () => requestAnimationFrame(() => part.scrollIntoView({ block: "nearest" })),
    part = h("details", props, h("summary", { text: name, onclick }), ...children);
  return part;
}

export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter(wanted));
}

/** The icons of buttons, as paths in a 24 by 24 box. */
const ICONS = {
  start: "M18 5l-7 7 7 7M7 5v14",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  end: "M6 5l7 7-7 7M17 5v14",
  flip: "M8 5v14m0 0-4-4m4 4 4-4M16 19V5m0 0-4 4m4-4 4 4",
  plus: "M12 5v14M5 12h14",
  save: "M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 19h14",
  setUp: "M4 4h16v16H4zM4 12h16M12 4v16",
  gear: "M10.5 2.5L13.5 2.5L13.7 5.1L15.7 5.9L17.6 4.2L19.8 6.4L18.1 8.3L18.9 10.3L21.5 10.5L21.5 13.5L18.9 13.7L18.1 15.7L19.8 17.6L17.6 19.8L15.7 18.1L13.7 18.9L13.5 21.5L10.5 21.5L10.3 18.9L8.3 18.1L6.4 19.8L4.2 17.6L5.9 15.7L5.1 13.7L2.5 13.5L2.5 10.5L5.1 10.3L5.9 8.3L4.2 6.4L6.4 4.2L8.3 5.9L10.3 5.1zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  options: "M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5M9 14.5v5",
  takeBack: "M9 14 4 9l5-5M4 9h10a5.5 5.5 0 0 1 0 11h-3",
  redo: "M15 14l5-5-5-5M20 9H10a5.5 5.5 0 0 0 0 11h3",
  hint: "M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-4 10.5c.8.8 1.2 1.5 1.2 2.5h5.6c0-1 .4-1.7 1.2-2.5A6 6 0 0 0 12 3z",
  draw: "M5 9h14M5 15h14",
  flag: "M6 21V4h12l-2.5 4L18 12H6",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  now: "M5 5l8 7-8 7zM13 5l7 7-7 7z",
  again: "M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20",
  pencil: "M4 20l1-4.5L16 4.5l3.5 3.5-11 11L4 20zM13.5 7l3.5 3.5",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  remove: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
};

export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, s("path", { d: ICONS[name] }));

/** Lets an enabled button act. A disabled one stays in the focus order, so that it does not lose the focus. */
const guarded = (onclick) => (event) => event.currentTarget.ariaDisabled !== "true" && onclick?.(event);

export const enable = (button, on) => (button.ariaDisabled = on ? null : "true");

/** Shows or hides a button. The focus moves from a hidden button to its first visible neighbour. */
export function reveal(button, on) {
  const focused = !on && document.activeElement === button;
  button.hidden = !on;
  if (focused) button.parentElement.querySelector("button:not([hidden])")?.focus();
}

/** Creates a button with an icon; its name is read by screen readers and shown as a tooltip. */
export const iconButton = (picture, name, onclick, props) =>
  button(icon(picture), onclick, { "aria-label": name, title: name, ...props });

/** Creates a button with an icon and a text, which narrow pages may hide. */
export const labelButton = (picture, name, onclick, props) =>
  button([icon(picture), h("span", { class: "label", text: name })], onclick, props);

/** Milliseconds within which a button that asks must be clicked again. */
const PATIENCE = 5000;

/** Makes a button show the question that `ask` returns as its name; a second click then runs `act`, or the first one if it is empty. */
export function asking(button, ask, act, kind = "asking") {
  const label = button.querySelector(".label"),
    name = label.textContent;
  let timer = null;
  const rest = () => {
    clearTimeout(timer);
    timer = null;
    label.textContent = name;
    button.classList.remove("asking", kind);
  };
  button.addEventListener("blur", rest);
  button.addEventListener("click", () => {
    if (button.ariaDisabled === "true") return;
    const question = timer ? "" : ask();
    rest();
    if (question === "") act();
    if (!question) return;
    label.textContent = question;
    button.classList.add("asking", kind);
    timer = setTimeout(rest, PATIENCE);
  });
  return button;
}

export const button = (contents, onclick, props) =>
  h("button", { type: "button", onclick: guarded(onclick), ...props }, contents);

/** Creates a button that looks like a link. */
export const link = (contents, onclick, props) => button(contents, onclick, { class: "link", ...props });

/** Creates a switch. `onclick` receives the switch. */
export const toggle = (name, on, onclick, props) =>
  button(name, (event) => onclick(event.currentTarget), { class: "toggle", "aria-pressed": String(on), ...props });

export const press = (button, on) => (button.ariaPressed = String(Boolean(on)));

export const field = (name, control, props) =>
  h("label", { class: "field", ...props }, h("span", { text: name }), control);

/** Creates a switch with a label, whose class is `kind`. `onchange` receives whether it is on. */
export function check(name, checked, onchange, kind = "check", props = {}) {
  const change = (event) => onchange?.(event.target.checked);
  const input = h("input", { type: "checkbox", checked, onchange: change, ...props });
  return h("label", { class: kind }, input, h("span", { text: name }));
}

export const textField = (props) => h("input", { type: "text", autocomplete: "off", ...props });

export const numberField = ([min, max], props) => h("input", { type: "number", min, max, ...props });

/** Hides the columns of a table in which no row has anything. */
export function hideEmpty({ rows, tBodies }) {
  const shows = (at) => [...tBodies[0].rows].some(({ cells }) => cells[at].hasChildNodes());
  for (const { cells } of rows) [...cells].forEach((cell, at) => (cell.hidden = !shows(at)));
}

let groups = 0;

/** Creates a group of buttons of which one is pressed; options are [value, text, class] lists. `choose` makes no event. */
export function chips(name, options, value, onchange) {
  const props = { type: "radio", name: `chips-${++groups}` };
  const chip = ([id, words, kind]) => {
    const checked = String(id) === String(value),
      input = h("input", { ...props, value: id, checked, onchange: () => onchange(id) });
    return h("label", { class: kind }, input, h("span", { text: words }));
  };
  const element = h("fieldset", { class: "chips" }, h("legend", { text: name }), options.map(chip));
  const choose = (value) => {
    for (const input of element.querySelectorAll("input")) input.checked = input.value === String(value);
  };
  return { element, choose, value: () => element.querySelector(":checked")?.getAttribute("value") };
}

/** Creates a drop-down list; options are [value, text] pairs or {group, options}. */
export const select = (options, value, onchange, props) =>
  offer(h("select", { onchange: (event) => onchange?.(event.target.value), ...props }), options, value);

export function offer(list, options, value) {
  const option = ([id, name]) => h("option", { value: id, text: name, selected: String(id) === String(value) });
  const part = (entry) =>
    entry.group ? h("optgroup", { label: entry.group }, entry.options.map(option)) : option(entry);
  put(list, options.map(part));
  return list;
}
