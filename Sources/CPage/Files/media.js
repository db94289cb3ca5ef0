// SPDX-License-Identifier: Apache-2.0
import { h } from "/dom.js";
import { words } from "/words.js";

// A picture of more bytes is not loaded by itself.
const mostBytes = 4 << 20;

// A sentence in the place of a file that was not kept, or that this browser cannot show.
const missing = () => h("p", { class: "note" }, words.missing);

function picture(file) {
  const image = h("img", { src: file.href, alt: words.picture, loading: "lazy" });
  image.addEventListener("error", () => image.replaceWith(missing()));
  return image;
}

// The first picture of a notification, small; none where its app hides it.
export function thumbnail({ attachments }) {
  const isSmall = ({ href, mediaType, size, thumbnail }) => href !== undefined && mediaType?.startsWith("image/")
    && size <= mostBytes && !thumbnail?.hidden;
  const file = (attachments ?? []).find(isSmall);
  if (file === undefined) return undefined;
  const image = h("img", { class: "thumbnail", src: file.href, alt: words.picture, decoding: "async" });
  image.addEventListener("error", () => image.remove());
  return image;
}

// The files of a notification: pictures, and players for sounds and films, which load what they play.
export function media(notification) {
  return (notification.attachments ?? []).map((file) => {
    if (file.href === undefined) return missing();
    const kind = file.mediaType?.split("/")[0];
    if (kind === "image") return picture(file);
    return h(kind === "audio" ? "audio" : "video", { src: file.href, controls: true, preload: "metadata" });
  });
}
