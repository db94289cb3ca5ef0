// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "./dom.js";
import { Picture } from "./scene-picture.js";
import { symbol } from "./scene-symbols.js";
import { colour, number, setFont, setTint, textOf } from "./scene-values.js";
import { words } from "./words.js";

// The controls of a scene. Each makes an element for the inside of its node and shows a node in it; `part` takes what a
// person does. A node is shown without its value while the person's own is newer.

const most = 100000;
const nameOf = (node) => textOf(node.label) || words.view.kinds[node.k];

export function button(part) {
  const element = h("button", { type: "button", class: "press", click: () => part.tell("tap") });
  const picture = new Picture(part);
  return { element, show(node) {
    const title = textOf(node.title);
    const sign = node.symbol ?? (node.src === undefined ? undefined : "photo");
    const file = picture.of(node.src);
    // A picture that is there stays in its place.
    arrange(element, [...(file !== undefined ? [file] : sign === undefined ? [] : [symbol(sign)]),
      ...(title === "" ? [] : [h("bdi", { dir: "auto" }, title)])]);
    if (title !== "" && !textOf(node.label)) element.removeAttribute("aria-label");
    else element.setAttribute("aria-label", nameOf(node));
    setFont(element, node.font);
    element.style.color = colour(node.color) ?? "";
    element.disabled = part.isDead(node);
  } };
}

export function slider(part) {
  const element = h("input", { type: "range", input: () => {
    fill();
    part.change(element.valueAsNumber);
  } });
  const fill = () => {
    const [low, high] = [Number(element.min), Number(element.max)];
    const share = high > low ? (element.valueAsNumber - low) / (high - low) : 0;
    element.style.setProperty("--fill", String(number(share, 0, 1)));
  };
  return { element, show(node, isValueShown) {
    const { value } = element;
    element.min = String(number(node.min, -most, most, 0));
    element.max = String(number(node.max, -most, most, 1));
    const step = number(node.step, 0, most);
    element.step = step > 0 ? String(step) : "any";
    element.value = isValueShown ? String(number(node.value, -most, most)) : value;
    element.setAttribute("aria-label", nameOf(node));
    setTint(element, node.tint);
    element.disabled = part.isDead(node);
    fill();
  } };
}

export function toggle(part) {
  const element = h("button", { type: "button", class: "switch", role: "switch", click: () => {
    const isOn = element.getAttribute("aria-checked") !== "true";
    element.setAttribute("aria-checked", String(isOn));
    part.change(isOn);
  } });
  return { element, show(node, isValueShown) {
    if (isValueShown) element.setAttribute("aria-checked", String(node.on === true));
    element.setAttribute("aria-label", nameOf(node));
    setTint(element, node.tint);
    element.disabled = part.isDead(node);
  } };
}

export function stepper(part) {
  let value = 0;
  const bounds = () => [number(part.node.min, -most, most, 0), number(part.node.max, -most, most, 1)];
  const draw = () => {
    const [low, high] = bounds();
    const isDead = part.isDead(part.node);
    // A button that is at its end keeps the focus.
    less.setAttribute("aria-disabled", String(isDead || (value <= low && part.node.wraps !== true)));
    more.setAttribute("aria-disabled", String(isDead || (value >= high && part.node.wraps !== true)));
    count.textContent = String(value);
  };
  const move = (button, direction) => {
    if (button.getAttribute("aria-disabled") === "true") return;
    const [low, high] = bounds();
    const step = number(part.node.step, 0, most) || 1;
    const next = Number((value + direction * step).toPrecision(12));
    const isBeyond = direction > 0 ? value >= high : value <= low;
    value = isBeyond ? (direction > 0 ? low : high) : number(next, low, high);
    draw();
    part.change(value);
  };
  const less = h("button", { type: "button", "aria-label": words.view.less, click: () => move(less, -1) },
    symbol("minus"));
  const more = h("button", { type: "button", "aria-label": words.view.more, click: () => move(more, 1) },
    symbol("plus"));
  const count = h("output", { class: "spoken" });
  const element = h("span", { class: "stepper", role: "group" }, less, more, count);
  return { element, show(node, isValueShown) {
    if (isValueShown) value = number(node.value, ...bounds());
    element.setAttribute("aria-label", nameOf(node));
    setTint(element, node.tint);
    for (const button of [less, more]) button.disabled = part.isDead(node);
    draw();
  } };
}

// The number of groups that were made: radio buttons of one name are one group.
let groups = 0;

export function segments(part) {
  const name = `segments-${groups += 1}`;
  const element = h("span", { class: "segments", role: "radiogroup" });
  let told;
  return { element, show(node, isValueShown) {
    const titles = (Array.isArray(node.titles) ? node.titles : []).slice(0, 16).map(textOf);
    const text = JSON.stringify(titles);
    if (text !== told) {
      told = text;
      element.replaceChildren(...titles.map((title, index) => h("label", {}, h("input", { type: "radio", name,
        "aria-label": title === "" && String(index + 1), change: () => part.change(index) }),
      h("span", { dir: "auto" }, title))));
    }
    const inputs = [...element.querySelectorAll("input")];
    inputs.forEach((input, index) => {
      if (isValueShown) input.checked = node.value === index;
      input.disabled = part.isDead(node);
    });
    element.setAttribute("aria-label", nameOf(node));
    setTint(element, node.tint);
  } };
}
