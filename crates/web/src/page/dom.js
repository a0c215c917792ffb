// Creates elements. Texts are set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (["value", "checked", "selected", "disabled", "hidden"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Creates an HTML element with attributes, listeners (`onclick`) and children. */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** Creates an SVG element. */
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/** Replaces all children of an element. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** The pictures on buttons, as paths in a box of 24 by 24. */
const ICONS = {
  start: "M6 5v14M19 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z", forward: "M8 5l9 7-9 7z", end: "M18 5v14M5 5l9 7-9 7z",
  flip: "M8 4v14m0 0-4-4m4 4 4-4M16 20V6m0 0-4 4m4-4 4 4",
};

/** Creates a button with a picture, and a name for screen readers and as a tooltip. */
export function iconButton(icon, name, onclick) {
  const picture = s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, s("path", { d: ICONS[icon] }));
  return h("button", { type: "button", "aria-label": name, title: name, onclick, class: "square-button" }, picture);
}

/** Creates a button with a text. */
export const button = (name, onclick, props) => h("button", { type: "button", text: name, onclick, ...props });

/** Creates a label around a control. */
export const field = (name, control, props) => h("label", { class: "field", ...props }, h("span", { text: name }), control);

/** Creates a drop-down list; options are [value, text] pairs or {group, options}. */
export function select(options, value, onchange) {
  const option = ([id, name]) => h("option", { value: id, text: name, selected: String(id) === String(value) });
  const parts = options.map((entry) => Array.isArray(entry) ? option(entry) : h("optgroup", { label: entry.group }, entry.options.map(option)));
  return h("select", { onchange: (event) => onchange?.(event.target.value) }, parts);
}
