// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";

// The picture of a node that names a file of its view by a number. Its address is the page's own, out of two numbers.
export class Picture {
  constructor(part) {
    this.part = part;
    // The numbers of the files that this browser could not show when the view told of them last.
    this.broken = new Set();
    this.round = 0;
    this.isTinted = false;
  }

  // Returns the element of a file, which stays the same one while the number does. Undefined until the file has loaded.
  of(number) {
    const { round } = this.part.scene;
    if (this.round !== round) this.broken.clear();
    this.round = round;
    const address = this.broken.has(number) ? undefined : this.part.scene.addressOf(number);
    if (address !== this.address) {
      this.address = address;
      this.isLoaded = false;
      this.isTinted = false;
      this.element = address === undefined ? undefined : this.load(number, address);
    }
    return this.isLoaded ? this.element : undefined;
  }

  load(number, src) {
    const element = h("img", { alt: "", decoding: "async", draggable: "false", load: () => {
      if (this.element !== element) return;
      this.isLoaded = true;
      this.part.redraw();
    }, error: () => {
      if (this.element !== element) return;
      this.broken.add(number);
      this.part.tell("failed");
    }, src });
    return element;
  }

  // Has the opacity of the file alone be drawn, in the tint of the node. The same style is not set again, because a
  // browser would load the file for it once more.
  tint(isTinted) {
    if (this.element === undefined || this.isTinted === isTinted) return;
    this.isTinted = isTinted;
    this.element.classList.toggle("tinted", isTinted);
    this.element.style.maskImage = isTinted ? `url("${this.address}")` : "";
  }
}
