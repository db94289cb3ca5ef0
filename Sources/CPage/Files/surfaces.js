// SPDX-License-Identifier: Apache-2.0

// The order in which surfaces of one place take an interruption; of two alike the one that joined first.
const ranks = ["focusedPage", "desktop", "visiblePage", "hiddenPage", "terminal"];

function rank({ kind, visible, focused }) {
  if (kind !== "page") return ranks.indexOf(kind);
  if (!visible) return ranks.indexOf("hiddenPage");
  return ranks.indexOf(focused ? "focusedPage" : "visiblePage");
}

// The surfaces that interrupt, by their places in the list, which is in the order of joining. The same rule is in Swift
// (InterruptionRule), and Tests/Page/interruptions.json holds both.
export function winners(surfaces, isCritical) {
  const first = (places) => places.toSorted((a, b) => rank(surfaces[a]) - rank(surfaces[b]) || a - b)[0];
  const all = surfaces.map((_, place) => place);
  const local = all.filter((place) => surfaces[place].local);
  const banners = [];
  const sounds = [];
  for (const group of [local, ...all.filter((place) => !surfaces[place].local).map((place) => [place])]) {
    const banner = first(group.filter((place) => surfaces[place].banners));
    if (banner !== undefined) banners.push(banner);
    const audible = group.filter((place) => surfaces[place].sound);
    const sound = audible.includes(banner) ? banner : first(audible);
    if (sound !== undefined) sounds.push(sound);
  }
  for (const list of [banners, sounds]) list.sort((a, b) => a - b);
  if (isCritical || sounds.length === 0) return { banners, sounds };
  // A sound is played once, where the banner is if that can be.
  const shown = sounds.filter((place) => banners.includes(place));
  return { banners, sounds: [first(shown.length > 0 ? shown : sounds)] };
}
