// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { symbol } from "./scene-symbols.js";
import { colour, number, setFont, setSide, textOf } from "./scene-values.js";
import { words } from "./words.js";

// The fields of a scene in which a person writes, as the other controls.

const keyboards = new Map([["email", "email"], ["number", "numeric"], ["decimal", "decimal"], ["phone", "tel"],
  ["url", "url"]]);
const room = new Uint8Array(8192);

// The text that the centre takes of what was written: without controls, and 8,192 bytes of it at most.
function written(text, isEditor) {
  const kept = text.replace(/[\p{Cc}\u2028\u2029]/gu, (sign) => (isEditor && "\n\t".includes(sign) ? sign : ""));
  return kept.slice(0, new TextEncoder().encodeInto(kept, room).read);
}

function write(element, text) {
  if (element.value === text) return;
  const { selectionStart, selectionEnd } = element;
  element.value = text;
  if (document.activeElement === element) element.setSelectionRange(selectionStart, selectionEnd);
}

// A field for a password takes nothing, and says why.
const secret = () => h("span", { class: "secret", role: "note" }, symbol("lock.fill"),
  h("span", {}, words.view.password));

function makeField(part, isEditor) {
  const element = h("span", { class: "field" });
  const input = h(isEditor ? "textarea" : "input", { autocomplete: "off", maxlength: 8192, dir: "auto" });
  const told = secret();
  const tell = () => {
    if (!part.isWriting) part.change(written(input.value, isEditor));
  };
  input.addEventListener("input", tell);
  input.addEventListener("focus", () => part.tell("focus"));
  input.addEventListener("blur", () => part.tell("blur"));
  // A text that is composed is told once it is whole.
  input.addEventListener("compositionstart", () => { part.isWriting = true; });
  input.addEventListener("compositionend", () => {
    part.isWriting = false;
    tell();
  });
  input.addEventListener("keydown", (event) => {
    if (isEditor || event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    part.tell("submit");
  });
  return { element, show(node, isValueShown) {
    const shown = node.secure === true ? told : input;
    if (element.firstChild !== shown) element.replaceChildren(shown);
    element.classList.toggle("plain", node.plain === true);
    if (isValueShown && node.secure !== true) write(input, textOf(node.value));
    input.placeholder = textOf(node.placeholder);
    input.inputMode = keyboards.get(node.keyboard) ?? "text";
    input.setAttribute("aria-label",
      textOf(node.label) || textOf(node.placeholder) || words.view.kinds[node.k]);
    setFont(input, node.font);
    setSide(input, node.align);
    input.style.color = colour(node.color) ?? "";
    input.disabled = part.isDead(node);
  } };
}

export const field = (part) => makeField(part, false);
export const editor = (part) => makeField(part, true);

const earliest = -62135596800000;
const latest = 253402300799999;
const types = new Map([["date", "date"], ["time", "time"]]);
const digits = (value, count = 2) => String(value).padStart(count, "0");

// A moment as a field of the browser has it: by the clock of the place where it is shown.
function local(moment, type) {
  const date = new Date(moment);
  const day = [digits(date.getFullYear(), 4), digits(date.getMonth() + 1), digits(date.getDate())].join("-");
  const time = [digits(date.getHours()), digits(date.getMinutes())].join(":");
  return type === "date" ? day : type === "time" ? time : `${day}T${time}`;
}

// The moment that a field has; what it does not show is as in the moment before. Undefined for an empty field.
function moment(text, type, before) {
  const [day, time] = type === "time" ? [undefined, text] : text.split("T");
  if (text === "") return undefined;
  const date = new Date(before);
  if (day !== undefined) {
    const [year, month, rest] = day.split("-").map(Number);
    date.setFullYear(year, month - 1, rest);
  }
  if (time !== undefined) date.setHours(...time.split(":").map(Number), 0, 0);
  return date.getTime();
}

export function date(part) {
  let before = 0;
  const bound = (value, otherwise) => number(value, earliest, latest, otherwise);
  const element = h("input", { class: "date", change: () => {
    const found = moment(element.value, element.type, before);
    if (found === undefined || Number.isNaN(found)) return part.redraw();
    before = Math.min(Math.max(found, bound(part.node.min, earliest)), bound(part.node.max, latest));
    element.value = local(before, element.type);
    part.change(before);
  } });
  return { element, show(node, isValueShown) {
    const type = types.get(node.mode) ?? "datetime-local";
    if (element.type !== type) element.type = type;
    if (isValueShown) before = bound(node.value, 0);
    for (const [name, value] of [["min", node.min], ["max", node.max]]) {
      element[name] = value === undefined || type === "time" ? "" : local(bound(value, 0), type);
    }
    element.value = local(before, type);
    element.setAttribute("aria-label", textOf(node.label) || words.view.kinds.date);
    element.disabled = part.isDead(node);
  } };
}
