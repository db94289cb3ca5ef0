// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { button, segments, slider, stepper, toggle } from "./scene-controls.js";
import { image, progress, spinner, text } from "./scene-drawn.js";
import { date, editor, field } from "./scene-fields.js";
import { media } from "./scene-player.js";
import { Touch } from "./scene-touch.js";
import { dress, number, numbers, points } from "./scene-values.js";
import { words } from "./words.js";

const controls = { button, slider, switch: toggle, stepper, segments, field, editor, date };
const drawn = { text, image, media, progress, spinner };
const places = ["view", "scroll", "row", "column"];
const hasOwn = (object, name) => Object.hasOwn(object, name);
const spoken = 200;

export const isKind = (kind) => places.includes(kind) || hasOwn(controls, kind) || hasOwn(drawn, kind);

// A node of a scene in the page: an element in the place of its frame, inside of it what its kind is, and its children.
export class Part {
  // `scene` takes what a person does.
  constructor(node, scene) {
    this.scene = scene;
    this.kind = node.k;
    this.node = node;
    // The number of the last event with a value of this control: 0 for none, infinite while it waits to be sent.
    this.pending = 0;
    // True while a pointer is on the control, and while a character is composed in it.
    this.isPressed = false;
    this.isWriting = false;
    this.element = h("div", { class: "node" });
    this.isControl = hasOwn(controls, this.kind);
    const make = this.isControl ? controls[this.kind] : drawn[this.kind];
    this.inside = make?.(this);
    this.element.dataset.kind = this.kind;
    if (this.inside !== undefined) this.element.append(this.inside.element);
    this.content = this.kind === "scroll" ? h("div", { class: "content" }) : this.element;
    if (this.kind === "scroll") this.element.append(this.content);
    this.touch = new Touch(this);
    if (this.isControl) this.element.addEventListener("pointerdown", () => this.press());
  }

  get isDeadView() {
    return this.scene.isDead;
  }

  isDead(node) {
    return this.isDeadView || node.disabled === true || node.secure === true;
  }

  tell(event, more = {}) {
    this.scene.happened({ node: this.node.id, event, ...more });
  }

  change(value) {
    this.scene.happened({ node: this.node.id, event: "value", value }, this);
  }

  // The value of the scene is not shown while the person's own is newer, or under the finger.
  get isValueShown() {
    return !this.isPressed && !this.isWriting && this.pending <= this.scene.acknowledged;
  }

  press() {
    if (this.isPressed || this.isDead(this.node)) return;
    this.isPressed = true;
    this.isLate = false;
    this.tell("press");
    const end = new AbortController();
    const release = () => {
      end.abort();
      this.isPressed = false;
      this.tell("release");
      if (this.isLate) this.redraw();
    };
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, release, { signal: end.signal });
  }

  // Shows a node, of which a person's own value stays where that is newer.
  show(node) {
    this.node = node;
    // A value that comes while a finger is on the control is shown once the finger is lifted, unless the person has
    // changed the value since.
    if (!this.isValueShown && this.pending <= this.scene.acknowledged) this.isLate = true;
    this.inside?.show(node, this.isValueShown);
    if (this.kind === "scroll") this.showScroll(node);
    if (this.kind === "row" || this.kind === "column") this.showFlow(node);
    if (this.kind === "view" && typeof node.label === "string" && node.label !== "") this.group(node.label);
  }

  redraw() {
    this.isLate = false;
    this.show(this.node);
  }

  group(label) {
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", label);
  }

  showScroll(node) {
    const [width, height] = numbers(node.content, 2) ?? [0, 0];
    this.content.style.width = points(width, 0, 100000);
    this.content.style.height = points(height, 0, 100000);
    this.element.tabIndex = 0;
    this.group(typeof node.label === "string" && node.label !== "" ? node.label : words.view.kinds.scroll);
  }

  showFlow(node) {
    const { style } = this.element;
    style.gap = points(node.gap);
    style.padding = points(node.pad);
    style.alignItems = ["start", "center", "end"].includes(node.align) ? node.align : "stretch";
    if (typeof node.label === "string" && node.label !== "") this.group(node.label);
  }

  // Gives the element its place and look below a parent.
  dress(parent) {
    const flow = ["row", "column"].includes(parent?.kind) ? parent.kind : undefined;
    this.element.classList.toggle("placed", flow !== undefined);
    // A node without a frame in a row or column has the size of its kind.
    this.element.classList.toggle("measured", flow !== undefined && numbers(this.node.f, 4) === undefined);
    dress(this.element, this.node, flow);
  }

  // Brings the children into their order, behind what the node is itself.
  arrange(children) {
    const own = this.kind === "scroll" ? [] : [this.touch.button, this.inside?.element].filter((element) =>
      element?.parentNode === this.content);
    [...own, ...children].forEach((element, index) => {
      const there = this.content.children[index] ?? null;
      if (there !== element) this.content.insertBefore(element, there);
    });
  }

  // Gives what takes clicks a name: its own, else what is written in it.
  name() {
    const { label, tap, hold } = this.node;
    if (tap !== true && hold !== true) return this.touch.show("");
    const said = typeof label === "string" && label !== "" ? label : this.element.textContent.trim().slice(0, spoken);
    this.touch.show(said || words.view.kinds.area);
  }

  // The place of a pointer in the node, in points.
  placeOf({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    return [clientX - left, clientY - top].map((value) => number(Math.round(value / this.scene.zoom), -1e5, 1e5));
  }
}
