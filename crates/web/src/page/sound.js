// Sounds for moves and the end of a game, made of tones. They are off until the user switches them on.

import { preferences } from "./preferences.js";

/** Tones in Hz, one after the other. */
const TONES = {
  move: [330],
  capture: [330, 220],
  end: [330, 415, 494],
  right: [440, 660],
  wrong: [196],
};
const SECONDS = 0.09;

let context = null;

export function play(event) {
  if (!preferences.sound) return;
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
