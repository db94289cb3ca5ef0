// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { mayNotify, permission } from "./notices.js";
import { isWished, onWish, wish } from "./wishes.js";
import { words } from "./words.js";

// Asks the browser whether it shows notices; true if it does. Only a press of a person may ask.
async function ask() {
  if (permission() === "default") await Notification.requestPermission();
  return permission() === "granted";
}

// The settings of this browser, and a line that offers notices once.
export class BrowserSettings {
  // `changed` is called when the browser may show something that it might not, or the other way round.
  constructor(changed) {
    this.changed = changed;
    this.notices = h("input", { type: "checkbox", change: () => this.switchNotices() });
    this.sound = h("input", { type: "checkbox", change: () => wish("sound", this.sound.checked) });
    this.refusal = h("p", { class: "note" }, words.noticesRefused);
    this.element = h("details", { class: "browser" }, h("summary", {}, words.browser), h("ul", {},
      h("li", {}, h("label", {}, this.notices, words.notices), this.refusal),
      h("li", {}, h("label", {}, this.sound, words.sound))));
    this.offer = h("div", { class: "offer", role: "group", "aria-label": words.browser },
      h("p", {}, words.offer), h("div", { class: "actions" },
        h("button", { click: () => this.accept() }, words.allow),
        h("button", { click: () => this.refuse() }, words.notNow)));
    onWish(() => this.update());
    navigator.permissions?.query({ name: "notifications" })
      .then((status) => status.addEventListener("change", () => this.update())).catch(() => {});
    this.update();
  }

  async accept() {
    wish("notices", true);
    await ask();
    this.refuse();
  }

  // The line is closed for ever; the settings stay, below the list, to which nobody is taken from here.
  refuse() {
    wish("offer", false);
    document.querySelector("h1").focus({ preventScroll: true });
  }

  async switchNotices() {
    const isOn = this.notices.checked;
    wish("notices", isOn);
    if (isOn) await ask();
    this.update();
  }

  update() {
    this.notices.checked = mayNotify();
    this.notices.disabled = permission() === "denied";
    this.refusal.hidden = permission() !== "denied";
    this.sound.checked = isWished("sound");
    this.offer.hidden = permission() !== "default" || !isWished("offer");
    this.changed();
  }
}
