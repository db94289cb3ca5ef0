// SPDX-License-Identifier: Apache-2.0
import { now } from "./clock.js";
import { arrange, h } from "./dom.js";
import { appIcon } from "./list.js";
import { language, words } from "./words.js";

// Settings of an app, in the order of the API.
const switches = ["alert", "sound", "badge", "list", "lock", "timeSensitive", "criticalAlert"];
const choices = {
  style: ["none", "banner", "alert"],
  previews: ["always", "whenAuthenticated", "never"],
  grouping: ["automatic", "byApp", "off"],
};
const hour = 3600000;
const time = new Intl.DateTimeFormat(language, { weekday: "short", hour: "numeric", minute: "2-digit" });

// A count of what was told, by which the newest is known. An answer of the centre may come behind the event of a later
// change, and is older then.
class Told {
  constructor() {
    this.count = 0;
  }

  // Something was told.
  note() {
    this.count += 1;
  }

  // Returns a function that tells whether nothing was told since.
  mark() {
    const { count } = this;
    return () => count === this.count;
  }
}

const option = (value, text) => h("option", { value }, text);

// The settings of one app. A switch shows at once what a person wishes, and goes back if the centre does not take it.
class AppForm {
  constructor(app, act) {
    this.act = act;
    this.controls = new Map();
    this.told = new Told();
    this.list = h("ul");
    const name = app.name ?? app.app;
    this.element = h("details", { class: "app-settings", toggle: () => this.make() },
      h("summary", {}, appIcon(app), h("bdi", {}, name)), this.list);
    this.update(app);
  }

  // Makes the rows once somebody wants to see them.
  make() {
    if (this.controls.size > 0) return;
    this.list.append(...switches.map((name) => this.row(name, h("input", { type: "checkbox" }))),
      ...Object.entries(choices).map(([name, values]) => this.row(name,
        h("select", {}, values.map((value) => option(value, words.settingNames[`${name}.${value}`]))))));
    this.update(this.app);
  }

  row(name, control) {
    this.controls.set(name, control);
    control.addEventListener("change", () => this.change(name, control));
    return h("li", {}, h("label", {}, control, h("span", {}, words.settingNames[name])));
  }

  update(app) {
    this.told.note();
    this.app = app;
    for (const [name, control] of this.controls) {
      const value = app.settings[name];
      // What the operator forbids is absent, and no switch stands for it.
      control.closest("li").hidden = value === undefined;
      if (typeof value === "boolean") control.checked = value;
      else control.value = value;
    }
  }

  async change(name, control) {
    const value = control.type === "checkbox" ? control.checked : control.value;
    const isNewest = this.told.mark();
    const settings = await this.act.set(`apps/${encodeURIComponent(this.app.app)}/settings`, { [name]: value });
    if (settings === undefined) this.update(this.app);
    else if (isNewest()) this.update({ ...this.app, settings });
  }
}

// Do Not Disturb: off, for a while, or every day.
class Quiet {
  constructor(act) {
    this.act = act;
    this.told = new Told();
    this.control = h("select", { change: () => this.change() });
    this.element = h("label", {}, h("span", {}, words.quietName), this.control);
  }

  update(state) {
    this.told.note();
    this.state = state;
    const { mode, until, from = "22:00", to = "07:00" } = state;
    const morning = new Date(now());
    if (morning.getHours() >= 8) morning.setDate(morning.getDate() + 1);
    morning.setHours(8, 0, 0, 0);
    this.values = {
      off: { mode: "off" },
      hour: { mode: "until", until: new Date(now() + hour).toISOString() },
      morning: { mode: "until", until: morning.toISOString() },
      daily: { mode: "daily", from, to },
    };
    this.control.replaceChildren(option("off", words.quietOff), option("hour", words.quietHour),
      option("morning", words.quietUntil(time.format(morning))), option("daily", words.quietDaily(from, to)),
      ...(mode === "until" ? [option("until", words.quietUntil(time.format(new Date(until))))] : []));
    this.control.value = mode;
  }

  async change() {
    const value = this.values[this.control.value];
    if (value === undefined) return;
    const { exceptions } = this.state;
    const doNotDisturb = exceptions === undefined ? value : { ...value, exceptions };
    const isNewest = this.told.mark();
    const owner = await this.act.set("owner", { doNotDisturb });
    if (owner === undefined) this.update(this.state);
    else if (isNewest()) this.update(owner.doNotDisturb);
  }
}

// The settings of the owner, and of each app.
export class Settings {
  constructor(act) {
    this.act = act;
    this.quiet = new Quiet(act);
    this.forms = new Map();
    this.list = h("div");
    this.element = h("details", { class: "settings" }, h("summary", {}, words.allSettings), this.quiet.element,
      this.list);
  }

  showApps(apps) {
    this.forms = new Map(apps.map((app) => {
      const key = JSON.stringify([app.app, app.name, app.icon]);
      const known = this.forms.get(key);
      known?.update(app);
      return [key, known ?? new AppForm(app, this.act)];
    }));
    arrange(this.list, [...this.forms.values()].map(({ element }) => element));
  }

  showOwner({ doNotDisturb }) {
    this.quiet.update(doNotDisturb);
  }

  // Shows what a question is answered with, unless something newer is told meanwhile.
  async askOwner(question) {
    const isNewest = this.quiet.told.mark();
    const owner = await question();
    if (isNewest()) this.showOwner(owner);
  }

  // Opens them, with the focus on Do Not Disturb.
  openQuiet() {
    this.element.open = true;
    this.quiet.control.focus();
    return true;
  }
}
