// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { language, words } from "./words.js";

// A picture of more bytes is not loaded by itself.
const mostBytes = 4 << 20;

// A sentence in the place of a file that was not kept, or that this browser cannot show.
const missing = () => h("p", { class: "note" }, words.missing);

// A number of bytes as people say it.
export function sizeText(size) {
  const [unit, count] = size < 1000 ? ["byte", size] : size < 1e6 ? ["kilobyte", size / 1e3] : ["megabyte", size / 1e6];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(count);
}

// A large picture comes once a person asks for it.
function picture(file) {
  if (file.size <= mostBytes) return loaded(file);
  const button = h("button", { click: () => button.replaceWith(loaded(file)) }, words.showPicture(sizeText(file.size)));
  return button;
}

function loaded(file) {
  const image = h("img", { src: file.href, alt: words.picture, loading: "lazy", decoding: "async" });
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
    if (kind !== "audio" && kind !== "video") {
      return h("a", { href: file.href, download: "notification-file" }, words.download);
    }
    return h(kind === "audio" ? "audio" : "video", { src: file.href, controls: true, preload: "metadata" });
  });
}
