// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { words } from "./words.js";

// Reasons for the end of a view, and those for which none was opened, by the sentence that people are told. A view that
// was closed on purpose says nothing.
const quiet = ["closed", "dismissed"];
const sentences = new Map(Object.entries({
  idle: ["idle"], slow: ["slow", "notStarted"], limits: ["memoryLimitExceeded", "cpu"],
  gone: ["gone", "notFound", "noExtension"], noHost: ["noHost"], many: ["tooMany"], lost: ["lost"],
}).flatMap(([sentence, reasons]) => reasons.map((reason) => [reason, sentence])));

// Returns what stands in the place of a view that has ended: a sentence, and a button that opens the view again.
export function ending(reason, again) {
  if (quiet.includes(reason)) return [];
  const sentence = sentences.get(reason) ?? "failed";
  return [h("div", { class: "view-end", role: "status" },
    h("p", {}, sentence === "lost" ? words.lost : words.view.ended[sentence]),
    h("button", { type: "button", click: again }, words.view.again))];
}
