// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { symbol } from "./scene-symbols.js";
import { numbers, points, setTint } from "./scene-values.js";
import { words } from "./words.js";

// The button that plays and pauses what a view plays: below its box, or over it.
export class MediaButton {
  // `frame` is the box and `foot` the line below it; `pressed` takes "play" or "pause".
  constructor(frame, foot, pressed) {
    Object.assign(this, { frame, foot });
    this.isPlaying = false;
    this.element = h("button", { type: "button", class: "media-button", hidden: true,
      click: () => pressed(this.isPlaying ? "pause" : "play") });
    this.draw();
  }

  // Takes the button as a view wants it; undefined for none.
  take(button) {
    const { element, element: { style } } = this;
    const { type, f, tint } = button ?? {};
    const isOverlay = type === "overlay";
    element.hidden = type !== "default" && !isOverlay;
    const [left, top, width, height] = numbers(f, 4) ?? [0, 0, 0, 0];
    const isFramed = isOverlay && width > 0 && height > 0;
    element.classList.toggle("overlay", isOverlay);
    element.classList.toggle("framed", isFramed);
    [style.left, style.top] = isFramed ? [points(left), points(top)] : ["", ""];
    [style.width, style.height] = isFramed ? [points(width), points(height)] : ["", ""];
    setTint(element, tint);
    const home = isOverlay ? this.frame : this.foot;
    if (element.parentNode !== home) home.append(element);
  }

  // Takes what the view says of itself: it has begun to play, or paused.
  hear(call) {
    if (call !== "mediaStarted" && call !== "mediaPaused") return;
    this.isPlaying = call === "mediaStarted";
    this.draw();
  }

  draw() {
    this.element.setAttribute("aria-label", this.isPlaying ? words.view.pause : words.view.play);
    this.element.replaceChildren(symbol(this.isPlaying ? "pause.fill" : "play.fill"));
  }
}
