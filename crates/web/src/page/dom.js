// Creates elements. Texts are set as text, never as markup.

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

export const s = (tag, props, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);

export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter(wanted));
}

/** Creates an icon, which `icons.svg` draws. */
export const icon = (name) => s("svg", { "aria-hidden": "true", class: "icon" }, s("use", { href: `#icon-${name}` }));

/** Lets an enabled button act. A disabled one stays in the focus order, so that it does not lose the focus. */
const guarded = (onclick) => (event) => event.currentTarget.ariaDisabled !== "true" && onclick?.(event);

export const enable = (button, on) => (button.ariaDisabled = on ? null : "true");

/** Shows or hides a button, and enables it or not. The focus moves from a hidden button to its first visible neighbour. */
export function reveal(button, on, isEnabled = button.ariaDisabled !== "true") {
  enable(button, isEnabled);
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
  button.addEventListener("keydown", ({ key }) => key === "Escape" && rest());
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
  const change = (event) => onchange?.(event.target.checked),
    input = h("input", { type: "checkbox", checked, onchange: change, ...props });
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
