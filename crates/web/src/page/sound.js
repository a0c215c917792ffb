// Sounds for moves and the end of a game, made of tones. They are off until the user switches them on.

import { h } from "./dom.js";
import * as store from "./store.js";
import { text } from "./text.js";

/** Tones in Hz, one after the other. */
const TONES = { move: [330], capture: [330, 220], end: [330, 415, 494] };
const SECONDS = 0.09;

let context = null, on = Boolean(store.settings().sound);

/** The switch. */
export const soundSwitch = h("label", { class: "check" }, h("input", { type: "checkbox", checked: on, onchange: (event) => {
  on = event.target.checked;
  store.remember({ sound: on });
  play("move");
} }), h("span", { text: text.sound }));

/** Plays the sound of an event, a name in `TONES`. */
export function play(event) {
  if (!on) return;
  context ??= new AudioContext();
  TONES[event].forEach((frequency, index) => {
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    const volume = new GainNode(context, { gain: 0.2 });
    const begin = context.currentTime + index * SECONDS;
    volume.gain.setTargetAtTime(0, begin + SECONDS / 3, SECONDS / 4);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + 3 * SECONDS);
  });
}
