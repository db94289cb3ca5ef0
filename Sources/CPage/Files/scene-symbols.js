// SPDX-License-Identifier: Apache-2.0

// Symbols by the names that apps know, drawn in a square of 24 points: what is filled, and behind a bar what is a line.
// All are ours.
const paths = {
  "photo": "|M3 5h18v14H3zM3 16l5-5 5 5 3-3 5 4M15.5 9.5h.01",
  "play.fill": "M7 4l13 8-13 8z",
  "pause.fill": "M6 4h4v16H6zM14 4h4v16h-4z",
  "heart.fill":
    "M12 21C5 16 2 12.5 2 8.5 2 5.5 4.3 3.5 7 3.5c2 0 3.8 1 5 3 1.2-2 3-3 5-3 2.7 0 5 2 5 5 0 4-3 7.5-10 12.5z",
  "star.fill": "M12 2l3 7 7.5.6-5.7 4.9 1.8 7.3L12 18l-6.6 3.8 1.8-7.3L1.5 9.6 9 9z",
  "bell.fill": "M12 2a6 6 0 0 0-6 6c0 6-3 7-3 9h18c0-2-3-3-3-9a6 6 0 0 0-6-6zM9.5 19a2.5 2.5 0 0 0 5 0z",
  "checkmark": "|M4 13l5.5 5.5L20 6",
  "xmark": "|M5 5l14 14M19 5L5 19",
  "person.fill": "M12 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM2.5 22c0-5 4-8 9.5-8s9.5 3 9.5 8z",
  "message.fill":
    "M12 3C6.5 3 2 6.6 2 11c0 2.6 1.6 5 4 6.4L5 21.5l4.7-2.7c.7.1 1.5.2 2.3.2 5.5 0 10-3.6 10-8s-4.5-8-10-8z",
  "paperplane.fill": "M2 11L22 2l-7 20-4-8z",
  "location.fill": "M22 2L13 22l-1.5-9.5L2 11z",
  "clock": "|M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
  "trash": "|M4 6h16M9 6V3.5h6V6M6 6l1 15h10l1-15M10 10v7M14 10v7",
  "plus": "|M12 4v16M4 12h16",
  "minus": "|M4 12h16",
  "arrow.right": "|M4 12h16M14 6l6 6-6 6",
  "arrow.left": "|M20 12H4M10 6l-6 6 6 6",
  "chevron.right": "|M9 4l8 8-8 8",
  "chevron.left": "|M15 4l-8 8 8 8",
  "lock.fill": "M5 11h14v11H5zM8 11V7.5a4 4 0 0 1 8 0V11h-2V7.5a2 2 0 0 0-4 0V11z",
  "phone.fill": "M6 2l4 6-2.5 2.5c1 2.5 3.5 5 6 6L16 14l6 4c0 2-2 4-4 4C9 22 2 15 2 6c0-2 2-4 4-4z",
  "camera.fill": "M8 5l1.5-2h5L16 5h6v15H2V5zM12 16.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8z",
  "speaker.fill": "M3 9h4l7-6v18l-7-6H3z",
};
// A symbol that is not here is a plain square.
const square = "|M4 4h16v16H4z";

const svg = (tag, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

// Draws a symbol in the colour of the text around it.
export function symbol(name) {
  const [filled, line] = (Object.hasOwn(paths, name) ? paths[name] : square).split("|");
  const element = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" });
  if (filled !== "") element.append(svg("path", { d: filled, fill: "currentColor", "fill-rule": "evenodd" }));
  if (line !== undefined) {
    element.append(svg("path", { d: line, fill: "none", stroke: "currentColor", "stroke-width": 1.8,
      "stroke-linecap": "round", "stroke-linejoin": "round" }));
  }
  return element;
}
