// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "./dom.js";
import { appIcon } from "./list.js";
import { words } from "./words.js";

// A card for an app that asks; whoever does not answer is asked again.
function card(app, act) {
  return h("article", { class: "question", tabindex: -1 }, h("p", {}, appIcon(app), words.asks(app.name ?? app.app)),
    h("div", { class: "actions" }, h("button", { click: () => act.decide(app.app, "allow") }, words.allow),
      h("button", { click: () => act.decide(app.app, "deny") }, words.deny)));
}

// The cards above the list. One stays as long as its app asks.
export class Questions {
  constructor(act) {
    this.act = act;
    this.cards = new Map();
    this.element = h("div");
  }

  show(apps) {
    this.cards = new Map(apps.filter((app) => app.question !== undefined)
      .map((app) => [app.app, this.cards.get(app.app) ?? card(app, this.act)]));
    arrange(this.element, [...this.cards.values()]);
  }
}
