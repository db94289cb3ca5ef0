// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "/dom.js";
import { language, words } from "/words.js";

const hour = new Intl.DateTimeFormat(language, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

// A moment of today by its hour, any other by its date as well.
function when(text) {
  const date = new Date(text);
  return (date.toDateString() === new Date().toDateString() ? hour : day).format(date);
}

// The texts of a notification; an alert that is a plain text is the body.
function texts(notification) {
  const alert = notification.payload?.aps?.alert;
  return typeof alert === "string" ? { body: alert } : alert ?? {};
}

// A form for the text of an action: Enter sends, Shift and Enter break the line.
function field(action, send) {
  const input = h("textarea", { rows: 1, maxlength: 16384, "aria-label": action.title, placeholder: action.text.placeholder });
  const form = h("form", { submit: (event) => { event.preventDefault(); send(input.value); } },
    input, h("button", {}, action.text.button || words.send));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  return [form, input];
}

function buttons(notification, act) {
  const row = h("div", { class: "actions" });
  for (const action of notification.actions ?? []) {
    const style = action.options?.includes("destructive") ? "destructive" : undefined;
    const button = h("button", { class: style, click: () => {
      if (action.text === undefined) return act.respond(notification, action.identifier);
      const [form, input] = field(action, (text) => act.respond(notification, action.identifier, text));
      row.replaceWith(form);
      input.focus();
    } }, action.title);
    row.append(button);
  }
  row.append(h("button", { click: () => act.dismiss(notification) }, words.dismiss));
  return row;
}

// A notification whole. Direction is each text's own.
function card(notification, act) {
  const { title, subtitle, body } = texts(notification);
  return h("div", { class: "notification", "data-level": notification.level },
    h("header", {}, h("span", { class: "app", title: notification.app }, act.name(notification.app)),
      h("time", { datetime: notification.date }, when(notification.date))),
    title && h("h3", { dir: "auto" }, title),
    subtitle && h("p", { class: "subtitle", dir: "auto" }, subtitle),
    body && h("p", { class: "body", dir: "auto" }, body),
    buttons(notification, act));
}

function stack(data, act) {
  const article = h("article", { class: data.count > 1 ? "stack" : undefined, "aria-label": texts(data.leading).title });
  const show = (cards, isOpen) => {
    const footer = h("footer", {}, h("span", { dir: "auto" }, isOpen ? "" : data.summary ?? ""));
    if (data.count > 1) {
      footer.append(
        h("button", { click: async () => show(isOpen ? [card(data.leading, act)] : (await act.open(data)).map((item) => card(item, act)), !isOpen) },
          isOpen ? words.less : words.more),
        h("button", { click: () => act.clear(data) }, words.clear));
    }
    article.replaceChildren(...cards, ...(data.count > 1 ? [footer] : []));
  };
  show([card(data.leading, act)], false);
  return article;
}

// The list of stacks. An element stays as long as what it shows does, and with it the focus and a text being written.
export class StackList {
  constructor(element, act) {
    this.element = element;
    this.act = act;
    this.shown = new Map();
  }

  show(stacks) {
    const next = new Map();
    for (const data of stacks) {
      const text = JSON.stringify(data);
      const known = this.shown.get(data.id);
      const isSame = known !== undefined && (known.text === text || known.node.querySelector("form") !== null);
      next.set(data.id, isSame ? known : { text, node: stack(data, this.act) });
    }
    this.shown = next;
    arrange(this.element, [...next.values()].map((entry) => entry.node));
  }
}
