// SPDX-License-Identifier: Apache-2.0

// Follows the scenes of a view until a signal ends it. `take` is called with an update, and with true for one that is
// the whole scene; `ended` with the reason once the view is no more; `lost` when the browser gives up, because the view
// is not there, or because the page is being left.
export function follow(path, { take, ended, lost }, signal) {
  const source = new EventSource("/v1/" + path);
  const hear = (name, told) =>
    source.addEventListener(name, ({ data }) => { if (!signal.aborted) told(JSON.parse(data)); });
  hear("whole", (update) => take(update, true));
  hear("scene", (update) => take(update, false));
  hear("ended", ({ reason }) => ended(reason));
  // A stream that is only interrupted begins again by itself, with the whole scene.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED && !signal.aborted) lost();
  });
  signal.addEventListener("abort", () => source.close());
}
