// SPDX-License-Identifier: Apache-2.0

// The numbers of a scene as a browser draws them. A worker's view says numbers, flags and a few words; whatever else it
// says is no value here, so that no text of it becomes a style.

// A text; what is no text is an empty one.
export const textOf = (value) => (typeof value === "string" ? value : "");

// A number inside two bounds; what is no number is another one.
export function number(value, low, high, otherwise = 0) {
  if (typeof value !== "number" || !Number.isFinite(value)) return otherwise;
  return Math.min(Math.max(value, low), high);
}

export const points = (value, low = 0, high = 4096) => `${number(value, low, high)}px`;

// So many numbers of a list, or undefined.
export function numbers(list, count) {
  if (!Array.isArray(list) || list.length !== count) return undefined;
  return list.every((value) => typeof value === "number" && Number.isFinite(value)) ? list : undefined;
}

function shade(value) {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) return undefined;
  const [red, green, blue, alpha] = [24, 16, 8, 0].map((place) => (value >>> place) & 0xff);
  return `rgb(${red} ${green} ${blue} / ${Math.round(alpha / 2.55) / 100})`;
}

// A colour, which is one integer, or a list of two for the light and the dark scheme. Undefined if it is neither.
export function colour(value) {
  const [light, dark] = (Array.isArray(value) ? value : [value, value]).map(shade);
  if (light === undefined || dark === undefined) return undefined;
  return light === dark ? light : `light-dark(${light}, ${dark})`;
}

// The height of a line, as the worker reckons with it: 1.21 em, rounded up. Sizes are in steps of 1/64 of a point.
const lineHeight = (size) => Math.ceil(Math.round(number(size, 1, 512) * 64) * 121 / 6400);

// Gives an element the font of a node, or takes it away.
export function setFont({ style }, font) {
  const isOne = typeof font === "object" && font !== null;
  style.fontSize = isOne ? points(font.size, 1, 512) : "";
  style.lineHeight = isOne ? points(lineHeight(font.size)) : "";
  style.fontWeight = isOne && font.weight !== undefined ? String(Math.round(number(font.weight, 100, 900, 400))) : "";
  style.fontStyle = isOne && font.italic === true ? "italic" : "";
}

const sides = new Map([["left", "left"], ["center", "center"], ["right", "right"], ["justified", "justify"]]);
export const setSide = ({ style }, align) => { style.textAlign = sides.get(align) ?? "start"; };

// A colour of a node's control, by a name of the style sheet.
export function setTint({ style }, value) {
  const tint = colour(value);
  if (tint === undefined) style.removeProperty("--tint");
  else style.setProperty("--tint", tint);
}

// Gives an element the place of a node: in a frame of its parent, or in the row or column that the parent is.
function place({ style }, node, flow) {
  const frame = numbers(node.f, 4);
  const length = (value) => points(value, 0, 100000);
  if (flow === undefined) {
    [style.left, style.top] = frame === undefined ? ["0", "0"]
      : [points(frame[0], -100000, 100000), points(frame[1], -100000, 100000)];
    [style.width, style.height] = frame === undefined ? ["100%", "100%"] : [length(frame[2]), length(frame[3])];
    style.flex = "";
    return;
  }
  [style.left, style.top] = ["", ""];
  [style.width, style.height] = frame === undefined ? ["", ""] : [length(frame[2]), length(frame[3])];
  const grow = number(node.grow, 0, 100);
  style.flex = `${grow} ${frame === undefined ? 1 : 0} ${grow > 0 && frame === undefined ? "0px" : "auto"}`;
}

// Gives an element the place and the look that a node of any kind may have; `flow` is "row" or "column" if its parent
// is one, and undefined for a frame.
export function dress(element, node, flow) {
  const { style } = element;
  place(element, node, flow);
  const opacity = number(node.a, 0, 1, 1);
  style.opacity = opacity === 1 ? "" : String(opacity);
  // A node that is not seen takes no click and no focus either.
  style.visibility = opacity < 0.01 ? "hidden" : "";
  const background = colour(node.bg);
  style.backgroundColor = background ?? "";
  const { gradient, border, shadow } = node;
  const ends = [colour(gradient?.from), colour(gradient?.to)];
  const isGradient = ends[0] !== undefined && ends[1] !== undefined;
  style.backgroundImage = isGradient
    ? `linear-gradient(${number(gradient.angle, -360, 360, 180)}deg, ${ends[0]}, ${ends[1]})` : "";
  style.borderRadius = node.radius === undefined ? "" : points(node.radius);
  style.overflow = node.clip === true ? "clip" : "";
  // An outline inside of the frame leaves the children where they are.
  const edge = colour(border?.color);
  style.outline = edge === undefined ? "" : `${points(border.width)} solid ${edge}`;
  style.outlineOffset = edge === undefined ? "" : `-${points(border.width)}`;
  const dark = colour(shadow?.color);
  const cast = dark === undefined ? ""
    : `${points(shadow.x, -4096)} ${points(shadow.y, -4096)} ${points(shadow.blur)} ${dark}`;
  const isFilled = background !== undefined || isGradient;
  style.boxShadow = isFilled ? cast : "";
  style.filter = isFilled || cast === "" ? "" : `drop-shadow(${cast})`;
  const matrix = numbers(node.t, 6);
  style.transform = matrix === undefined ? "" : `matrix(${matrix.map((value) => number(value, -1e5, 1e5)).join(", ")})`;
  element.hidden = node.hidden === true;
}
