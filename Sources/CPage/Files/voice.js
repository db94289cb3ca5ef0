// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { words } from "./words.js";

// The time between two texts, in milliseconds.
const pause = 3000;

// The texts that are said to whoever cannot see the page, in two regions: one at a time, and of those that come
// meanwhile their number.
export class Voice {
  constructor() {
    this.polite = h("p", { class: "spoken", "aria-live": "polite" });
    this.assertive = h("p", { class: "spoken", "aria-live": "assertive" });
    this.element = h("div", {}, this.polite, this.assertive);
    this.forget();
  }

  // What waits to be said goes with the session.
  forget() {
    this.sentence = "";
    this.news = undefined;
  }

  // A sentence of the page about itself; of those that wait the last one is said.
  say(sentence) {
    this.sentence = sentence;
    this.speak();
  }

  // A notification that has just come.
  announce(app, text, isUrgent) {
    this.news ??= { count: 0, app, isUrgent: false };
    this.news.count += 1;
    this.news.text = text;
    if (this.news.app !== app) this.news.app = undefined;
    this.news.isUrgent ||= isUrgent;
    this.speak();
  }

  speak() {
    if (this.timer !== undefined || (this.sentence === "" && this.news === undefined)) return;
    const { news, sentence } = this;
    this.forget();
    const region = news?.isUrgent ? this.assertive : this.polite;
    region.textContent = [news === undefined ? "" : textOf(news), sentence].filter((text) => text !== "").join(" ");
    this.timer = setTimeout(() => {
      this.timer = undefined;
      region.textContent = "";
      this.speak();
    }, pause);
  }
}

function textOf({ count, app, text }) {
  if (count === 1) return text;
  return app === undefined ? words.several(count) : words.severalFrom(count, app);
}
