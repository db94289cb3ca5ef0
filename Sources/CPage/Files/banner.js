// SPDX-License-Identifier: Apache-2.0
import { isFresh } from "/clock.js";
import { arrange, h } from "/dom.js";
import { appIcon, texts } from "/list.js";
import { words } from "/words.js";

// Banners at a time, for so long each, and the time between two texts for whoever cannot see them, in milliseconds.
const limit = 3;
const duration = 6000;
const speechPause = 3000;

// A notification that has just come, above the list. One that is put away stays a row.
class Banner {
  constructor(notification, act, away) {
    const app = act.app(notification.app);
    const { title, subtitle, body } = texts(notification);
    this.id = notification.id;
    this.stays = ["time-sensitive", "critical"].includes(notification.level);
    this.away = () => {
      clearTimeout(this.timer);
      away(this);
    };
    const name = app.name ?? app.app;
    this.speech = [name, title || body].filter((text) => text !== "").join(": ");
    this.element = h("div", { class: "banner", role: "group", "aria-label": this.speech, tabindex: -1,
      "data-level": notification.level },
      h("header", {}, h("span", { class: "app" }, appIcon(app), name),
        h("button", { click: this.away, "aria-label": words.putAway, title: words.putAway }, "×")),
      title && h("h2", { dir: "auto" }, title),
      subtitle && h("p", { class: "subtitle", dir: "auto" }, subtitle),
      body && h("p", { class: "body", dir: "auto" }, body),
      h("div", { class: "actions" }, h("button", { click: () => {
        this.away();
        act.respond(notification, "default");
      } }, words.open)));
    for (const name of ["pointerenter", "focusin"]) this.element.addEventListener(name, () => clearTimeout(this.timer));
    this.element.addEventListener("pointerleave", () => this.wait(document.activeElement));
    this.element.addEventListener("focusout", (event) => this.wait(event.relatedTarget));
    this.element.addEventListener("keydown", (event) => { if (event.key === "Escape") this.away(); });
    this.wait(null);
  }

  // Goes by itself, unless it matters or a person is at it; `focused` has the focus, or gets it.
  wait(focused) {
    clearTimeout(this.timer);
    if (this.stays || this.element.matches(":hover") || this.element.contains(focused)) return;
    this.timer = setTimeout(this.away, duration);
  }
}

// The banners of this tab, and what is said of them to whoever cannot see them.
export class Banners {
  constructor(act) {
    this.act = act;
    this.banners = [];
    this.unsaid = [];
    this.polite = h("p", { class: "spoken", "aria-live": "polite" });
    this.assertive = h("p", { class: "spoken", "aria-live": "assertive" });
    this.list = h("div");
    this.element = h("section", { class: "banners", "aria-label": words.banners }, this.list, this.polite,
      this.assertive);
  }

  show(notification) {
    if (!notification.present.banner || !isFresh(notification)) return;
    const banner = new Banner(notification, this.act, (gone) => this.keep((other) => other !== gone));
    const former = this.banners.slice(limit - 1);
    this.banners = [banner, ...this.banners.slice(0, limit - 1)];
    for (const old of former) clearTimeout(old.timer);
    this.draw();
    this.unsaid.push(banner);
    this.speak();
  }

  // Takes the banners away of what was answered, dismissed or replaced.
  remove(ids) {
    this.keep(({ id }) => !ids.includes(id));
  }

  keep(isKept) {
    const kept = this.banners.filter(isKept);
    if (kept.length === this.banners.length) return;
    for (const banner of this.banners) if (!kept.includes(banner)) clearTimeout(banner.timer);
    this.banners = kept;
    this.draw();
  }

  draw() {
    arrange(this.list, this.banners.map(({ element }) => element));
  }

  // One text at a time: what comes meanwhile is a number.
  speak() {
    if (this.timer !== undefined || this.unsaid.length === 0) return;
    const said = this.unsaid;
    this.unsaid = [];
    const region = said.some(({ stays }) => stays) ? this.assertive : this.polite;
    region.textContent = said.length === 1 ? said[0].speech : words.several(said.length);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      region.textContent = "";
      this.speak();
    }, speechPause);
  }
}
