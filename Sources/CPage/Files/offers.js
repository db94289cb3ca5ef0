// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "./dom.js";
import { appIcon } from "./list.js";
import { words } from "./words.js";

// The apps that have settings of their own, below the list. An entry stays while its app looks as it does.
export class Offers {
  constructor(act) {
    this.act = act;
    this.entries = new Map();
    this.list = h("ul");
    this.element = h("details", { class: "apps", hidden: true }, h("summary", {}, words.settings), this.list);
  }

  show(apps) {
    this.entries = new Map(apps.filter((app) => app.providesAppNotificationSettings).map((app) => {
      const key = JSON.stringify([app.app, app.name, app.icon]);
      return [key, this.entries.get(key) ?? this.entry(app)];
    }));
    arrange(this.list, [...this.entries.values()]);
    this.element.hidden = this.entries.size === 0;
  }

  entry(app) {
    const name = app.name ?? app.app;
    return h("li", {}, h("span", { class: "app" }, appIcon(app), h("bdi", {}, name)), h("button", {
      "aria-label": `${words.inApp}: ${name}`, click: () => this.act.settings(app.app),
    }, words.inApp));
  }
}
