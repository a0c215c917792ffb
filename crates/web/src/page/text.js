// The texts of the page in the language that the user prefers. Each language has its own file, which is loaded if it is used.

import { preferences } from "./preferences.js";

/** The files of the languages, by their codes. */
const FILES = { en: () => import("./text-en.js"), de: () => import("./text-de.js") };

export const LANGUAGES = Object.keys(FILES);

/**
 * Returns the code of the language to use: the chosen language, or the first of the browser's languages that is available.
 */
function language() {
  const wanted = [preferences.language, ...navigator.languages].map((code) => code.slice(0, 2).toLowerCase());
  return wanted.find((code) => code in FILES) ?? "en";
}

const code = language();
document.documentElement.lang = code;

export const text = (await FILES[code]()).text;
