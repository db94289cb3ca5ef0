// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { language, words } from "./words.js";

// The name under which the tab keeps the topic of the app: over a reload, and for no other tab.
const place = "app";

const option = (value, text) => h("option", { value, dir: "auto" }, text);
const sum = (apps) => apps.reduce((total, { stored }) => total + stored, 0);

// The choice of one app above the list, which hides the rows of all others. It is there while more than one app has
// something in the list, and stays while a person is at it.
export class Filter {
  // `changed` is called when other rows are to be shown.
  constructor(act, changed) {
    this.act = act;
    this.changed = changed;
    this.topic = this.kept();
    this.select = h("select", { change: () => this.choose(this.select.value), keydown: (event) => this.press(event) });
    this.count = h("span", { class: "count" });
    this.element = h("div", { class: "filter", hidden: true },
      h("label", {}, h("span", {}, words.filter), this.select), this.count);
  }

  // True if the rows of a stack, or of an app, are shown.
  lets({ app }) {
    return this.topic === "" || app === this.topic;
  }

  // Offers the apps that have something in the list, and counts what is shown of them.
  show(apps) {
    const full = apps.filter(({ stored }) => stored > 0);
    const topics = new Set(full.map(({ app }) => app));
    if (this.topic !== "") topics.add(this.topic);
    this.element.hidden = topics.size < 2 && document.activeElement !== this.select;
    const names = [...topics].map((topic) => [topic, this.act.app(topic).name ?? topic])
      .sort(([, one], [, other]) => one.localeCompare(other, language));
    const text = JSON.stringify(names);
    // A list that a person has open stays as it is.
    if (text !== this.text) {
      this.select.replaceChildren(option("", words.allApps), ...names.map(([topic, name]) => option(topic, name)));
    }
    this.text = text;
    this.select.value = this.topic;
    const shown = full.filter((app) => this.lets(app));
    this.count.textContent = this.topic === "" ? "" : words.shown(sum(shown), sum(full));
  }

  choose(topic) {
    this.take(topic);
    this.changed();
  }

  // The rows of all apps are to be shown when a session begins.
  forget() {
    this.take("");
  }

  take(topic) {
    this.topic = topic;
    // A browser that keeps nothing filters all the same, until the page is loaded anew.
    try {
      if (topic === "") sessionStorage.removeItem(place);
      else sessionStorage.setItem(place, topic);
    } catch { /* There is nothing to undo. */ }
  }

  kept() {
    try { return sessionStorage.getItem(place) ?? ""; } catch { return ""; }
  }

  // Gives the choice the focus; false where there is none.
  focus() {
    if (this.element.hidden) return false;
    this.former = document.activeElement;
    this.select.focus();
    return true;
  }

  // Escape shows the rows of all apps, and gives the focus back.
  press(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.choose("");
    const isThere = this.former?.isConnected && this.former !== document.body && this.former.checkVisibility();
    (isThere ? this.former : document.querySelector("h1")).focus();
  }
}
