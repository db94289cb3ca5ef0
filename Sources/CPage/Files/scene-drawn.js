// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "./dom.js";
import { Picture } from "./scene-picture.js";
import { symbol } from "./scene-symbols.js";
import { colour, number, numbers, setFont, setSide, setTint, textOf } from "./scene-values.js";
import { words } from "./words.js";

// The kinds of nodes that take no value: each makes an element for the inside of its node, and shows a node in it.

// A picture for whoever cannot see it: by its name, or not at all.
export function nameImage(element, name) {
  if (name === "") {
    element.removeAttribute("role");
    element.removeAttribute("aria-label");
    element.setAttribute("aria-hidden", "true");
    return;
  }
  element.removeAttribute("aria-hidden");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", name);
}

// The font of a text that names none.
const plain = { size: 17 };

function run(part, font) {
  const element = h("span", {}, textOf(part.text));
  setFont(element, part.font ?? font ?? plain);
  element.style.color = colour(part.color) ?? "";
  element.style.backgroundColor = colour(part.bg) ?? "";
  const lines = [part.underline === true && "underline", part.strike === true && "line-through"].filter(Boolean);
  element.style.textDecorationLine = lines.join(" ");
  return element;
}

export function text() {
  const element = h("span", { class: "text", dir: "auto" });
  return { element, show(node) {
    const runs = Array.isArray(node.runs) && node.text === undefined ? node.runs : undefined;
    element.replaceChildren(...(runs === undefined ? [textOf(node.text)] : runs.map((part) => run(part, node.font))));
    // A line of runs is as high as the runs in it: the block around them has no font that would move it.
    element.classList.toggle("runs", runs !== undefined);
    setFont(element, runs === undefined ? node.font : undefined);
    setSide(element, node.align);
    element.style.color = colour(node.color) ?? "";
    element.classList.toggle("wraps", node.wrap === true);
    element.classList.toggle("middle", node.middle === true);
    const label = textOf(node.label);
    if (label === "" || label === element.textContent) {
      element.removeAttribute("role");
      element.removeAttribute("aria-label");
    } else nameImage(element, label);
  } };
}

const fits = ["contain", "cover", "fill", "center"];

// A file that is not there yet is its symbol, or a box with its name, in which its picture will be.
export function image(part) {
  const element = h("span", { class: "image" });
  const picture = new Picture(part);
  return { element, show(node) {
    const isFile = node.src !== undefined;
    const label = textOf(node.label);
    const file = picture.of(node.src);
    const isBox = isFile && file === undefined && node.symbol === undefined;
    const sign = isBox ? "photo" : node.symbol;
    // A picture that is there stays in its place.
    arrange(element, file !== undefined ? [file] : sign === undefined ? []
      : [symbol(sign), ...(isBox && label !== "" ? [h("bdi", {}, label)] : [])]);
    element.classList.toggle("file", isBox);
    for (const fit of fits) element.classList.toggle(fit, (fits.includes(node.fit) ? node.fit : "fill") === fit);
    setTint(element, node.tint);
    picture.tint(colour(node.tint) !== undefined);
    nameImage(element, label || (isFile ? words.picture : ""));
  } };
}

export function progress() {
  const element = h("progress", { max: 1 });
  return { element, show(node) {
    element.value = number(node.value, 0, 1);
    element.setAttribute("aria-label", textOf(node.label) || words.view.kinds.progress);
    setTint(element, node.tint);
  } };
}

export function spinner() {
  const element = h("span", { class: "spinner" }, Array.from({ length: 8 }, () => h("i")));
  return { element, show(node) {
    element.hidden = node.running !== true;
    // UIKit has two sizes of them: 20 points, and 37.
    const side = Math.min(...(numbers(node.f, 4) ?? [0, 0]).slice(-2));
    element.classList.toggle("large", side >= 36 && side <= 40);
    nameImage(element, textOf(node.label) || words.view.kinds.spinner);
    element.style.color = colour(node.color) ?? "";
  } };
}
