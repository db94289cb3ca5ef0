// SPDX-License-Identifier: Apache-2.0
import { now } from "/clock.js";
import { arrange, h } from "/dom.js";
import { appIcon } from "/list.js";
import { language, words } from "/words.js";

// Settings of an app, in the order of the API.
const switches = ["alert", "sound", "badge", "list", "lock", "timeSensitive", "criticalAlert"];
const choices = {
  style: ["none", "banner", "alert"],
  previews: ["always", "whenAuthenticated", "never"],
  grouping: ["automatic", "byApp", "off"],
};
const hour = 3600000;
const time = new Intl.DateTimeFormat(language, { weekday: "short", hour: "numeric", minute: "2-digit" });

const option = (value, text) => h("option", { value }, text);

// The settings of one app. A switch shows at once what a person wishes, and goes back if the centre does not take it.
class AppForm {
  constructor(app, act) {
    this.act = act;
    this.controls = new Map();
    this.list = h("ul", {}, switches.map((name) => this.row(name, h("input", { type: "checkbox" }))),
      Object.entries(choices).map(([name, values]) => this.row(name,
        h("select", {}, values.map((value) => option(value, words.settingNames[`${name}.${value}`]))))));
    const name = app.name ?? app.app;
    this.element = h("details", { class: "app-settings" },
      h("summary", {}, appIcon(app), h("bdi", {}, name)), this.list);
    this.update(app);
  }

  row(name, control) {
    this.controls.set(name, control);
    control.addEventListener("change", () => this.change(name, control));
    return h("li", {}, h("label", {}, control, h("span", {}, words.settingNames[name])));
  }

  update(app) {
    this.app = app;
    for (const [name, control] of this.controls) {
      const value = app.settings[name];
      if (typeof value === "boolean") control.checked = value;
      else control.value = value;
    }
  }

  async change(name, control) {
    const value = control.type === "checkbox" ? control.checked : control.value;
    const settings = await this.act.set(`apps/${encodeURIComponent(this.app.app)}/settings`, { [name]: value });
    this.update(settings === undefined ? this.app : { ...this.app, settings });
  }
}

// Do Not Disturb: off, for a while, or every day.
class Quiet {
  constructor(act) {
    this.act = act;
    this.control = h("select", { change: () => this.change() });
    this.element = h("label", {}, h("span", {}, words.quietName), this.control);
  }

  update(state) {
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
    const owner = await this.act.set("owner", { doNotDisturb });
    this.update(owner?.doNotDisturb ?? this.state);
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

  // Opens them, with the focus on Do Not Disturb.
  openQuiet() {
    this.element.open = true;
    this.quiet.control.focus();
    return true;
  }
}
