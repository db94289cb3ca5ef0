// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "./dom.js";
import { appIcon } from "./list.js";
import { words } from "./words.js";

// The parts of a question that a person may leave out, in the order of the settings.
const parts = ["alert", "sound", "badge", "timeSensitive", "criticalAlert"];

// The parts that an app asks for; one that the operator forbids is no setting of the app.
const asked = ({ question, settings }) => parts.filter((part) => question.includes(part) && part in settings);

// A card for an app that asks; whoever does not answer is asked again. Of what it asks for, a person ticks off what it
// may not.
function card(app, act) {
  const ticks = new Map(asked(app).map((part) => [part, h("input", { type: "checkbox", checked: true })]));
  const without = () => [...ticks].filter(([, tick]) => !tick.checked).map(([part]) => part);
  const list = [...ticks].map(([part, tick]) => h("li", {}, h("label", {}, tick, words.settingNames[part])));
  const name = app.name ?? app.app;
  return h("article", { class: "question", tabindex: -1, "aria-label": words.asks(name) },
    h("p", {}, appIcon(app), words.asks(name)), list.length > 1 ? h("ul", {}, list) : undefined,
    h("div", { class: "actions" }, h("button", { click: () => act.decide(app.app, "allow", without()) }, words.allow),
      h("button", { click: () => act.decide(app.app, "deny") }, words.deny)));
}

// The cards above the list. One stays as long as its app asks for the same.
export class Questions {
  constructor(act) {
    this.act = act;
    this.cards = new Map();
    this.element = h("div");
  }

  show(apps) {
    this.cards = new Map(apps.filter((app) => app.question !== undefined).map((app) => {
      const key = JSON.stringify([app.app, asked(app)]);
      return [key, this.cards.get(key) ?? card(app, this.act)];
    }));
    arrange(this.element, [...this.cards.values()]);
  }
}
