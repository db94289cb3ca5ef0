// SPDX-License-Identifier: Apache-2.0

// The place in which views are shown: what the browser and its person have chosen.

const isTag = (text) => /^[A-Za-z0-9-]{1,35}$/.test(text);
const isZone = (text) => /^[A-Za-z0-9/_+-]{1,64}$/.test(text);
const within = (value, low, high) => Math.round(Math.min(Math.max(value, low), high) * 1000) / 1000;

const dark = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Returns the environment of a view with a width, as the centre takes it.
export function environment(element, width) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
  const size = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return {
    width,
    scale: within(devicePixelRatio || 1, 0.25, 8),
    style: dark.matches ? "dark" : "light",
    textSize: within(size || 1, 0.8, 3.1),
    direction: getComputedStyle(element).direction === "rtl" ? "rightToLeft" : "leftToRight",
    language: isTag(navigator.language) ? navigator.language : "en",
    timeZone: isZone(zone) ? zone : "UTC",
    reducedMotion: calm.matches,
  };
}

// Calls a function when a person chooses another scheme or less motion, until a signal ends it.
export function onPlace(changed, signal) {
  for (const query of [dark, calm]) query.addEventListener("change", changed, { signal });
}

// The style sheet of scenes, which a page without views never asks for.
const sheet = document.createElement("link");
sheet.rel = "stylesheet";
sheet.href = new URL("./scene.css", import.meta.url);
export const styled = new Promise((done) => {
  for (const name of ["load", "error"]) sheet.addEventListener(name, done);
});
document.head.append(sheet);

// Milliseconds after which a scene is drawn with whatever fonts there are.
const patience = 3000;
const faces = ["400", "600"].map((weight) => `${weight} 17px "Nestbox Text"`);
// The fonts of scenes, which the sheet names: a scene waits for them, so that no text of it is drawn twice. A program
// that was built without them names none.
export const lettered = styled.then(() => Promise.race([
  Promise.all(faces.map((face) => document.fonts.load(face))).catch(() => {}),
  new Promise((done) => { setTimeout(done, patience); }),
]));
