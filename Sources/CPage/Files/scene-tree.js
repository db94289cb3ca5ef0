// SPDX-License-Identifier: Apache-2.0
import { isKind, Part } from "./scene-part.js";
import { number } from "./scene-values.js";

const isId = (id) => Number.isInteger(id) && id > 0 && id <= 0xffffffff;
const isView = (text) => typeof text === "string" && /^[1-9][0-9]{0,18}$/.test(text);
const isNode = (node) => typeof node === "object" && node !== null && isId(node.id) && isKind(node.k)
  && (node.up === 0 || isId(node.up));
const list = (value) => (Array.isArray(value) ? value : []);
const curves = new Map([["linear", "linear"], ["easeIn", "ease-in"], ["easeOut", "ease-out"]]);

// The nodes of a view in two elements: that of the box, and that of the strip below it.
export class Tree {
  // `happened` is called with an event and, for one with a value, its part. Nothing can be done in a dead view.
  constructor({ box, strip, happened, isDead }) {
    Object.assign(this, { box, strip, happened, isDead });
    this.parts = new Map();
    // The numbers of the pictures that there are, and the number of the view that has them.
    this.files = new Set();
    this.view = "";
    // How often the view has told of its pictures.
    this.round = 0;
    this.zoom = 1;
    // The number of the last event that the scene has taken in.
    this.acknowledged = 0;
    // The time by which the last motion is over.
    this.until = 0;
  }

  // The node that fills the box.
  get root() {
    return [...this.parts.values()].find(({ node }) => node.up === 0 && node.strip !== true);
  }

  get hasStrip() {
    return [...this.parts.values()].some(({ node }) => node.strip === true);
  }

  // Takes an update; in a whole scene what it does not name is gone.
  take(update, isWhole) {
    const focused = document.activeElement;
    const before = this.acknowledged;
    if (Number.isSafeInteger(update.ack)) this.acknowledged = Math.max(this.acknowledged, update.ack);
    const isMoving = this.move(update.motion);
    const nodes = list(update.set).filter(isNode);
    const isReshaped = isWhole || list(update.gone).length > 0 || nodes.some((node) => this.isReshaping(node));
    if (isWhole) {
      const kept = new Set(nodes.map(({ id }) => id));
      for (const id of [...this.parts.keys()]) if (!kept.has(id)) this.remove(id);
    }
    const unseen = new Set(nodes.filter(({ id }) => !this.isSeen(id)).map(({ id }) => id));
    for (const node of nodes) this.put(node);
    this.prune(list(update.gone));
    for (const { id } of nodes) this.show(this.parts.get(id));
    // What appears while the scene moves fades in, once with all that hangs below it.
    for (const { id, up } of nodes) {
      this.parts.get(id)?.element.classList.toggle("appears", isMoving && unseen.has(id) && !unseen.has(up));
    }
    // A value that the view has seen and not taken over gives way to the scene's.
    for (const part of this.parts.values()) {
      if (part.pending > before && part.pending <= this.acknowledged) part.redraw();
    }
    if (isReshaped) this.arrange(this.hang());
    for (const part of this.parts.values()) part.name();
    // An element that was moved to another place has lost the focus.
    if (focused !== document.activeElement && focused.isConnected && (this.box.contains(focused)
      || this.strip.contains(focused))) focused.focus({ preventScroll: true });
  }

  // Takes the numbers of all pictures that a view has, and shows again the nodes that name one.
  takeFiles(view, numbers) {
    if (!isView(view)) return;
    this.view = view;
    this.round += 1;
    this.files = new Set(list(numbers).filter(isId));
    for (const part of this.parts.values()) if (part.node.src !== undefined) part.redraw();
  }

  // Returns the address of a picture, or undefined while there is none of that number. Both parts of it are digits.
  addressOf(number) {
    return this.files.has(number) ? `/v1/views/${this.view}/files/${number}` : undefined;
  }

  // True if what hangs where is another with the node.
  isReshaping({ id, k, up, strip, c }) {
    const { kind, node } = this.parts.get(id) ?? {};
    return kind !== k || node.up !== up || node.strip !== strip || JSON.stringify(node.c) !== JSON.stringify(c);
  }

  // True if there is a node and it is not hidden.
  isSeen(id) {
    const part = this.parts.get(id);
    return part !== undefined && part.node.hidden !== true;
  }

  show(part) {
    part?.show(part.node);
    part?.dress(this.parts.get(part.node.up));
  }

  put(node) {
    const known = this.parts.get(node.id);
    if (known !== undefined && known.kind === node.k) known.node = node;
    else {
      known?.element.remove();
      this.parts.set(node.id, new Part(node, this));
    }
  }

  remove(id) {
    this.parts.get(id)?.element.remove();
    this.parts.delete(id);
  }

  // Takes nodes away with all that hangs below them.
  prune(ids) {
    const waiting = ids.filter((id) => this.parts.has(id));
    while (waiting.length > 0) {
      const id = waiting.pop();
      this.remove(id);
      for (const part of this.parts.values()) if (part.node.up === id) waiting.push(part.node.id);
    }
  }

  // Returns the children of each node in its order, those that it does not name behind them by their ids.
  hang() {
    const children = new Map();
    for (const id of [...this.parts.keys()].sort((one, other) => one - other)) {
      const { up } = this.parts.get(id).node;
      if (up !== 0 && !this.parts.has(up)) continue;
      children.set(up, [...(children.get(up) ?? []), id]);
    }
    for (const [id, found] of children) {
      const order = list(this.parts.get(id)?.node.c).filter((child) => found.includes(child));
      if (order.length > 0) children.set(id, [...new Set([...order, ...found])]);
    }
    return children;
  }

  // Hangs the elements from the box on: a circle, which no path from the box reaches, is in no element.
  arrange(children) {
    const roots = (children.get(0) ?? []).map((id) => this.parts.get(id));
    const isStrip = ({ node }) => node.strip === true;
    hang(this.box, roots.filter((part) => !isStrip(part)).slice(0, 1));
    hang(this.strip, roots.filter(isStrip).slice(0, 1));
    const waiting = [...roots];
    while (waiting.length > 0) {
      const part = waiting.pop();
      const below = (children.get(part.node.id) ?? []).map((id) => this.parts.get(id));
      // A node may hang in a frame now, and have hung in a row.
      for (const child of below) child.dress(part);
      part.arrange(below.map(({ element }) => element));
      waiting.push(...below);
    }
  }

  // Has the page move to the new scene in the time that an update names; a person who wants less motion sees it after
  // the delay alone. Returns true if what is new moves. What has begun to move goes on beside it.
  move(motion) {
    clearTimeout(this.timer);
    const { seconds, delay, curve } = typeof motion === "object" && motion !== null ? motion : {};
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const [lasting, waiting] = [isCalm ? 0 : number(seconds, 0, 10), number(delay, 0, 10)];
    const now = performance.now();
    // The scenes before this one begin to move, or are what this one moves from: updates may come in one task.
    if (lasting + waiting > 0 || this.until > now) void this.box.offsetWidth;
    if (lasting + waiting > 0) this.until = Math.max(this.until, now + (lasting + waiting) * 1000 + 100);
    const left = this.until - now;
    for (const { classList, style } of [this.box, this.strip]) {
      classList.toggle("moving", left > 0);
      style.setProperty("--seconds", `${lasting}s`);
      style.setProperty("--delay", `${waiting}s`);
      style.setProperty("--curve", curves.get(curve) ?? "ease-in-out");
    }
    if (left > 0) this.timer = setTimeout(() => this.move(), left);
    return lasting > 0;
  }
}

function hang(element, parts) {
  const wanted = parts.map((part) => part.element);
  for (const child of [...element.children]) if (!wanted.includes(child)) child.remove();
  for (const child of wanted) if (child.parentNode !== element) element.append(child);
}
