// SPDX-License-Identifier: Apache-2.0
import { Box } from "./scene-box.js";
import { Events } from "./scene-events.js";
import { environment, lettered, onPlace } from "./scene-place.js";
import { follow } from "./scene-stream.js";
import { Tree } from "./scene-tree.js";

// One opening of a view: its box, its scene, and the conversation with the centre about both.
export class Session {
  // `view` has the notification and its places in the page, which may change; `ended` is told the reason of the end.
  constructor(view, { act, ask, ended }) {
    Object.assign(this, { view, act, ask, ended });
    const { app, view: { initialSizeRatio, takesInteraction } } = view.notification;
    this.end = new AbortController();
    this.box = new Box({ app: act.app(app).name ?? app, ratio: initialSizeRatio,
      measured: (root, size) => this.measure(root, size), changed: () => this.move(),
      pressed: (media) => this.events?.add({ media }) });
    const isDead = takesInteraction !== true;
    this.box.frame.classList.toggle("dead", isDead);
    // The button that plays what a dead view plays may lie over it.
    if (isDead) this.box.frame.addEventListener("click", ({ target }) => {
      if (!this.box.media.element.contains(target)) this.view.answers.respond("default");
    });
    this.tree = new Tree({ box: this.box.stage, strip: this.box.strip, isDead,
      happened: (event, part) => this.events?.add(event, part) });
  }

  get hasScene() {
    return this.tree.root !== undefined;
  }

  // Asks for the view, once its box is in the page.
  async begin() {
    const { signal } = this.end;
    this.box.fit();
    const place = this.place();
    this.placed = JSON.stringify(place);
    onPlace(() => this.move(), signal);
    try {
      const { view } = await this.ask("POST", "views", { notification: this.view.notification.id, environment: place });
      this.id = view;
    } catch (error) {
      if (error.status === 401) this.act.refused(error);
      if (!signal.aborted) this.ended(error.reason ?? "lost");
      return;
    }
    await lettered;
    if (signal.aborted) this.remove();
    else this.listen(signal);
  }

  listen(signal) {
    const path = `views/${encodeURIComponent(this.id)}/events`;
    this.events = new Events({ send: (events) => this.ask("POST", path, { events }), gone: () => this.ended("gone"),
      refused: (error) => { if (error.status === 401) this.act.refused(error); } });
    this.move();
    follow(path, { take: (update, isWhole) => this.take(update, isWhole),
      files: (numbers) => this.tree.takeFiles(this.id, numbers), ended: (reason) => {
        // The centre has closed it.
        this.id = undefined;
        this.ended(reason);
      }, lost: () => this.ended("gone") }, signal);
  }

  place() {
    return environment(this.box.element, this.box.width);
  }

  // Tells the view where it is shown now, if that is otherwise.
  move() {
    if (this.events === undefined || this.box.element.clientWidth === 0) return;
    const place = this.place();
    const text = JSON.stringify(place);
    if (text === this.placed) return;
    this.placed = text;
    this.events.add({ environment: place });
  }

  // Tells the size that a row or column has, which the page lays out.
  measure({ node }, size) {
    const text = JSON.stringify([node.id, ...size]);
    if (text === this.size || this.events === undefined) return;
    this.size = text;
    this.events.add({ node: node.id, event: "measured", value: size });
  }

  take(update, isWhole) {
    this.tree.take(update, isWhole);
    // A whole scene takes back everything that it does not say.
    if (isWhole || update.size !== undefined) this.box.setSize(update.size);
    const { overridesTitle } = this.view.notification.view;
    if (overridesTitle === true && (isWhole || update.title !== undefined)) this.box.setTitle(update.title);
    if (isWhole || update.actions !== undefined) this.actions = update.actions;
    if (isWhole || update.mediaButton !== undefined) this.box.media.take(update.mediaButton);
    if (this.hasScene) this.box.show(this.tree);
    this.view.settle();
    // Requests of a scene that comes again were fulfilled when they were made.
    for (const { call } of isWhole || !Array.isArray(update.calls) ? [] : update.calls) this.fulfil(call);
  }

  fulfil(call) {
    if (call === "defaultAction") this.answer();
    if (call === "dismiss") this.ended("dismissed");
    this.box.media.hear(call);
  }

  // Answers the notification for the view. An answer of the person's own comes first, and is the only one if the row
  // goes with it.
  async answer() {
    const { view } = this;
    await view.answers.turn;
    if (view.row.isConnected) view.answers.respond("default");
  }

  // Closes the view at the centre, if that has not ended it itself.
  remove() {
    if (this.id !== undefined) this.ask("DELETE", `views/${encodeURIComponent(this.id)}`).catch(() => {});
    this.id = undefined;
  }

  close() {
    this.end.abort();
    this.events?.close();
    this.events = undefined;
    this.box.close();
    this.remove();
  }
}
