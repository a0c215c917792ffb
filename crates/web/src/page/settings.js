// The dialog for settings. Changes take effect immediately.

import { open } from "./dialog.js";
import { box, check, chips, field, h, numberField, select, textField } from "./dom.js";
import { preferences, prefer } from "./preferences.js";
import { play } from "./sound.js";
import { state, update } from "./state.js";
import { text } from "./text.js";

const setter = (name, changed) => (value) => {
  prefer({ [name]: value });
  changed?.();
};

const valuesOf = (name) => Object.entries(text.settings.values[name]);

const choice = (name) => field(text.settings[name], select(valuesOf(name), preferences[name], setter(name)));

function swatches(name, changed) {
  const options = valuesOf(name).map(([value, words]) => [value, words, `swatch ${value}`]);
  return chips(text.settings[name], options, preferences[name], setter(name, changed)).element;
}

const toggle = (name, changed, kind) => check(text.settings[name], preferences[name], setter(name, changed), kind);

const keyRow = ([key, words]) => h("div", {}, h("dt", { text: key }), h("dd", { text: words }));

/** Creates a field for a whole number. `fail` reports one that is not within `limits`: those of the page, the engine and the machine. */
function number(name, fail, ...limits) {
  const most = Math.min(...limits),
    label = text.settings[name];
  const input = numberField([1, most], {
    value: Math.min(preferences[name], most),
    inputmode: "numeric",
    oninput: () => fail(""),
    onchange: () => {
      // A field without a number keeps its value.
      const value = Math.round(Number(input.value)) || preferences[name];
      const fits = Math.max(1, Math.min(most, value));
      fail(fits === value ? "" : text.needNumber(label, 1, most));
      prefer({ [name]: fits });
      input.value = String(preferences[name]);
      if (state.analysis?.active) state.analysis.restart();
    },
  });
  return field(text.settings.limited(label, most), input);
}

export function openSettings() {
  const { title, look } = text.settings;
  const group = (name, controls, help) =>
    h("section", { class: "group" }, h("h3", { text: name }), box("columns", controls), help);
  const fail = (words) => shown.fail(words);
  const player = textField({
    maxlength: 60,
    placeholder: text.you,
    value: preferences.player,
    onchange: () => {
      prefer({ player: player.value.trim() });
      update({ game: state.game });
    },
  });
  const content = box(
    "stack",
    group(look, [
      choice("theme"),
      choice("speed"),
      swatches("board"),
      swatches("pieces", () => update({ flipped: state.flipped })),
      toggle("numbers"),
    ]),
    group(
      text.modes.play,
      [
        field(text.settings.player, player, { class: "field whole" }),
        toggle("sound", () => play("move")),
        toggle("premove", () => update({ game: state.game }), "check whole"),
        toggle("shortcuts"),
      ],
      h("dl", { class: "soft keys" }, text.keys.map(keyRow)),
    ),
    group(text.analysisEngine, [
      number("threads", fail, 256, navigator.hardwareConcurrency, state.declared.Threads?.max ?? Infinity),
      number("memory", fail, 4096, state.declared.Hash?.max ?? Infinity),
    ]),
  );
  const shown = open(title, content, [], text.done);
}
