// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { MediaButton } from "./scene-media.js";
import { number, numbers, points } from "./scene-values.js";
import { words } from "./words.js";

// The widths that a view may have, and its greatest height.
const narrowest = 280;
const widest = 420;
const tallest = (width) => Math.min(2 * width, 800);

// The element of a view: the box and the strip, out of which nothing of it is drawn, and the page's own words around
// them.
export class Box {
  // `ratio` is the height to the width of a box whose scene is not there yet. `measured` is called with the size of a
  // row or column that fills the box, `changed` when the box has another width, and `pressed` for the media button.
  constructor({ app, ratio, measured, changed, pressed }) {
    Object.assign(this, { app, ratio: number(ratio, 0, 2, 1), measured, changed });
    this.stage = h("div", { class: "stage" });
    this.strip = h("div", { class: "stage" });
    this.title = h("p", { class: "view-title", hidden: true });
    this.wait = h("p", { class: "wait" }, words.view.loading);
    const group = { class: "frame", role: "group", "aria-label": words.view.by(app) };
    this.frame = h("div", { ...group, "aria-busy": "true" }, this.wait, this.stage);
    this.lower = h("div", { ...group, hidden: true }, this.strip);
    this.foot = h("div", { class: "view-foot" }, h("span", { "aria-hidden": "true" }, words.view.by(app)));
    this.media = new MediaButton(this.frame, this.foot, pressed);
    this.element = h("div", { class: "view" }, this.title, this.frame, this.lower, this.foot);
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.element);
    // A picture that has loaded changes the height of a strip that the page lays out.
    this.watch.observe(this.strip);
  }

  close() {
    this.watch.disconnect();
    this.observed = undefined;
  }

  // The width of the box in points of the scene. On a page with less room than any view takes, the box is drawn smaller.
  get width() {
    return Math.round(Math.min(Math.max(this.element.clientWidth, narrowest), widest));
  }

  get zoom() {
    return Math.min(1, this.element.clientWidth / narrowest);
  }

  // Shows that there is a scene; `tree` has it.
  show(tree) {
    this.tree = tree;
    this.frame.removeAttribute("aria-busy");
    this.wait.remove();
    this.lower.hidden = !tree.hasStrip;
    // The sizes of what is laid out here may be others with each scene.
    const { root } = tree;
    const flows = [root, tree.parts.get([...tree.parts.values()].find(({ node }) => node.strip)?.node.id)];
    if (this.observed !== root?.element) {
      if (this.observed !== undefined) this.watch.unobserve(this.observed);
      this.observed = root?.element;
      if (root !== undefined) this.watch.observe(root.element);
    }
    [this.stage, this.strip].forEach((stage, index) => {
      const isFlow = ["row", "column"].includes(flows[index]?.kind);
      stage.classList.toggle("flows", isFlow && (index === 1 || this.size === undefined)
        && numbers(flows[index].node.f, 4) === undefined);
    });
    this.fit();
  }

  // Takes the size that a view wants; the width is the page's.
  setSize(size) {
    this.size = numbers(size, 2);
  }

  setTitle(title) {
    const isOne = typeof title === "string" && title !== "";
    this.title.hidden = !isOne;
    this.title.replaceChildren(...(isOne ? [h("bdi", { dir: "auto" }, title), " ", h("span", {}, this.app)] : []));
  }

  // Gives box and strip their sizes.
  fit() {
    // A row that is hidden for a while has no width, and its view stays as it is.
    if (this.element.clientWidth === 0) return;
    const { width, zoom } = this;
    for (const [frame, stage] of [[this.frame, this.stage], [this.lower, this.strip]]) {
      frame.style.width = points(width * zoom);
      stage.style.width = points(width);
      stage.style.zoom = String(zoom);
    }
    if (this.tree !== undefined) this.tree.zoom = zoom;
    const height = this.height();
    const shown = Math.min(height, tallest(width));
    this.stage.style.height = this.stage.classList.contains("flows") ? "" : points(height);
    this.frame.style.height = points(shown * zoom);
    this.frame.classList.toggle("tall", height > shown + 0.5);
    if (height > shown + 0.5) this.frame.tabIndex = 0;
    else this.frame.removeAttribute("tabindex");
    this.fitStrip(zoom);
    this.changed();
  }

  height() {
    const { root } = this.tree ?? {};
    if (root !== undefined && ["row", "column"].includes(root.kind)) {
      const size = this.sizeOf(root.element);
      if (size[1] > 0) this.measured(root, size);
      if (this.stage.classList.contains("flows")) return size[1];
    }
    if (this.size !== undefined) return number(this.size[1], 0, 4096);
    return this.width * this.ratio;
  }

  sizeOf(element) {
    const { width, height } = element.getBoundingClientRect();
    return [width, height].map((length) => Math.round(2 * length / this.zoom) / 2);
  }

  fitStrip(zoom) {
    if (this.lower.hidden) return;
    const root = this.strip.firstElementChild;
    const isFlow = this.strip.classList.contains("flows");
    const height = root === null ? 0 : isFlow ? this.sizeOf(root)[1] : parseFloat(root.style.height) || 44;
    this.strip.style.height = isFlow ? "" : points(height);
    this.lower.style.height = points(Math.min(height, 400) * zoom);
  }
}
