// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";

// The time for which a node with `hold` is pressed, in milliseconds, and the way that a finger may tremble meanwhile.
const patience = 500;
const mostTremble = 10;

// Clicks and long presses of a node that is no control. A button without a look lies behind its children, for the
// keyboard and for whoever cannot see the node.
export class Touch {
  constructor(part) {
    this.part = part;
    this.button = h("button", { type: "button", class: "tap" });
    const { element } = part;
    element.addEventListener("click", (event) => this.click(event));
    element.addEventListener("pointerdown", (event) => this.press(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(name, () => this.end());
    element.addEventListener("pointermove", ({ clientX, clientY }) => {
      if (this.start === undefined) return;
      if (Math.hypot(clientX - this.start.x, clientY - this.start.y) > mostTremble) this.end();
    });
    element.addEventListener("contextmenu", (event) => { if (part.node.hold === true) event.preventDefault(); });
    this.button.addEventListener("keydown", (event) => this.type(event));
    this.button.addEventListener("keyup", (event) => this.release(event));
    this.button.addEventListener("blur", () => this.end());
  }

  // Has the button be there for a node that takes clicks or presses, under a name.
  show(name) {
    const { node, element, isControl, isDeadView } = this.part;
    const isTaken = (node.tap === true || node.hold === true) && !isControl && !isDeadView;
    if (!isTaken) return this.button.remove();
    if (this.button.parentNode !== element) element.prepend(this.button);
    this.button.setAttribute("aria-label", name);
  }

  // True if something inside of the node takes the event for itself.
  isOthers({ target }) {
    return target !== this.button && target.closest("button, input, textarea, label, .secret") !== null;
  }

  click(event) {
    const { node } = this.part;
    const isDone = this.isHeld;
    this.isHeld = false;
    if (node.tap !== true || this.isOthers(event) || event.defaultPrevented) return;
    // A click belongs to the innermost node that takes it.
    event.preventDefault();
    if (!isDone) this.part.tell("tap", event.detail === 0 ? {} : { at: this.part.placeOf(event) });
  }

  press(event) {
    this.isHeld = false;
    if (this.part.node.hold !== true || event.button !== 0) return;
    event.stopPropagation();
    this.wait({ at: this.part.placeOf(event) });
    this.start = { x: event.clientX, y: event.clientY };
  }

  wait(more) {
    this.end();
    this.timer = setTimeout(() => {
      this.end();
      this.isHeld = true;
      this.part.tell("longPress", more);
    }, patience);
  }

  end() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.start = undefined;
  }

  // A key that is held for as long is a long press as well.
  type(event) {
    if (this.part.node.hold !== true || (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    if (event.repeat) return;
    this.isHeld = false;
    this.wait({});
  }

  release(event) {
    if (this.part.node.hold !== true || (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    if (this.timer === undefined) return;
    this.end();
    if (this.part.node.tap === true) this.part.tell("tap");
  }
}
