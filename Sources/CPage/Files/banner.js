// SPDX-License-Identifier: Apache-2.0
import { Answers } from "./answers.js";
import { isFresh } from "./clock.js";
import { arrange, h } from "./dom.js";
import { appIcon, texts } from "./list.js";
import { thumbnail } from "./media.js";
import { words } from "./words.js";

// Banners at a time, for so long each, in milliseconds, and the actions of the app that one offers.
const limit = 3;
const duration = 6000;
const mostActions = 2;
// More than this many a second become one that counts.
const mostOfSecond = 20;

// A notification that has just come, above the list. One that is put away stays a row.
class Banner {
  constructor(notification, act, away) {
    const app = act.app(notification.app);
    const { title, subtitle, body } = texts(notification);
    this.id = notification.id;
    this.isCritical = notification.level === "critical";
    this.stays = this.isCritical || notification.level === "time-sensitive";
    this.away = () => {
      clearTimeout(this.timer);
      away(this);
    };
    this.app = app.name ?? app.app;
    this.speech = [this.app, title || body].filter((text) => text !== "").join(": ");
    this.answers = new Answers(notification, act, { most: mostActions, answered: this.away });
    this.element = h("div", { class: "banner", role: "group", "aria-label": this.speech, tabindex: -1,
      "data-level": notification.level },
      h("header", {}, h("span", { class: "app" }, appIcon(app), h("bdi", {}, this.app)),
        h("button", { click: this.away, "aria-label": words.putAway, title: words.putAway }, "×")),
      h("div", { class: "text", click: () => this.press() }, thumbnail(notification),
        title && h("h2", { dir: "auto" }, title),
        subtitle && h("p", { class: "subtitle", dir: "auto" }, subtitle),
        body && h("p", { class: "body", dir: "auto" }, body)),
      this.answers.element);
    for (const name of ["pointerenter", "focusin"]) this.element.addEventListener(name, () => clearTimeout(this.timer));
    this.element.addEventListener("pointerleave", () => this.wait(document.activeElement));
    this.element.addEventListener("focusout", (event) => this.wait(event.relatedTarget));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      // The keys of the list would put the next one away as well.
      event.preventDefault();
      this.away();
    });
    this.wait(null);
  }

  // A press on the text is the default answer, unless it marks a piece of it or belongs to a text being written.
  press() {
    if (!this.answers.isWriting && getSelection().isCollapsed) this.answers.respond("default");
  }

  // True while a person is at it.
  get isInUse() {
    return this.answers.isWriting || this.element.contains(document.activeElement);
  }

  // Goes by itself, unless it matters or a person is at it; `focused` has the focus, or gets it.
  wait(focused) {
    clearTimeout(this.timer);
    const isHeld = this.answers.isWriting || this.element.matches(":hover") || this.element.contains(focused);
    if (this.stays || isHeld) return;
    this.timer = setTimeout(this.away, duration);
  }
}

// One in the place of many that come at once: it says how many, and of which app.
class Several {
  constructor(away) {
    this.count = 0;
    this.isCritical = false;
    this.text = h("p");
    this.away = () => {
      clearTimeout(this.timer);
      away(this);
    };
    this.element = h("div", { class: "banner", role: "group", "aria-label": words.banners, tabindex: -1 },
      h("header", {}, this.text,
        h("button", { click: this.away, "aria-label": words.putAway, title: words.putAway }, "×")));
  }

  // Counts one more. The banner goes by itself once no more come.
  add(app) {
    this.count += 1;
    this.app = this.count === 1 || this.app === app ? app : undefined;
    const { count } = this;
    this.text.textContent = this.app === undefined ? words.several(count) : words.severalFrom(count, this.app);
    this.wait();
  }

  // True while a person is at it.
  get isInUse() {
    return this.element.matches(":hover") || this.element.contains(document.activeElement);
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.isInUse ? this.wait() : this.away()), duration);
  }
}

// The banners of this tab.
export class Banners {
  constructor(act, voice) {
    this.act = act;
    this.voice = voice;
    this.banners = [];
    // When the last ones came.
    this.times = [];
    this.list = h("div");
    this.element = h("section", { class: "banners", "aria-label": words.banners }, this.list);
  }

  // Shows a notification in the place of the one that it replaces; a text that is being written there goes on.
  show(notification) {
    const { replaces } = notification;
    if (!notification.present.banner || !isFresh(notification)) return this.remove([replaces]);
    if (this.areMany() && notification.level !== "critical") return this.count(notification);
    const former = this.banners.find(({ id }) => id !== undefined && id === replaces);
    const hadFocus = former !== undefined && former.element.contains(document.activeElement);
    const banner = new Banner(notification, this.act, (gone) => this.keep((other) => other !== gone));
    const others = this.crowd(former);
    this.keep((other) => others.includes(other), [banner]);
    if (former !== undefined) banner.answers.resume(former.answers, hadFocus);
    this.voice.announce(banner.app, banner.speech, banner.stays);
  }

  // True while more come than a person could read.
  areMany() {
    this.times = [...this.times, performance.now()].slice(-mostOfSecond - 1);
    return this.times.length > mostOfSecond && this.times.at(-1) - this.times[0] < 1000;
  }

  // Counts one that has no banner of its own.
  count(notification) {
    const app = this.act.app(notification.app);
    const { title, body } = texts(notification);
    const name = app.name ?? app.app;
    let several = this.banners.find((banner) => banner instanceof Several);
    several ??= new Several((gone) => this.keep((other) => other !== gone));
    several.add(name);
    this.keep((other) => other !== several && (other.isCritical || other.isInUse), [several]);
    this.voice.announce(name, [name, title || body].filter((text) => text !== "").join(": "), false);
  }

  // The banners that stay beside a new one: those at which a person is, then critical ones, then the newest.
  crowd(former) {
    const others = this.banners.filter((other) => other !== former);
    while (others.length >= limit) {
      const isFree = [(other) => !other.isInUse && !other.isCritical, (other) => !other.isInUse, () => true];
      const place = isFree.map((test) => others.findLastIndex(test)).find((found) => found >= 0);
      others.splice(place, 1);
    }
    return others;
  }

  // Gives the newest one the focus; false if there is none.
  focus() {
    this.banners[0]?.element.focus();
    return this.banners.length > 0;
  }

  // Puts the newest one away; false if there is none.
  putAway() {
    const [newest] = this.banners;
    newest?.away();
    return newest !== undefined;
  }

  // Takes the banners away of what was answered, dismissed or replaced.
  remove(ids) {
    this.keep(({ id }) => id === undefined || !ids.includes(id));
  }

  keep(isKept, fresh = []) {
    const kept = [...fresh, ...this.banners.filter(isKept)];
    for (const banner of this.banners) if (!kept.includes(banner)) clearTimeout(banner.timer);
    if (kept.length === this.banners.length && fresh.length === 0) return;
    this.banners = kept;
    arrange(this.list, kept.map(({ element }) => element));
  }
}
