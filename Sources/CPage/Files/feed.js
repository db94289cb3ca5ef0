// SPDX-License-Identifier: Apache-2.0

// An answer of the centre that is no success: its status, its word for programs and its sentence for people.
export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.message ?? `status ${status}`);
    this.status = status;
    this.reason = answer.reason;
  }
}

// Asks the centre, and returns the object that it answers with.
export async function ask(method, path, body) {
  const response = await fetch("/v1/" + path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = text === "" ? {} : JSON.parse(text);
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

const names = ["delivered", "removed", "app", "owner", "missed", "summary", "reset"];

// Calls `heard` with the name and the data of each event behind a position, and `lost` when the connection is.
export function follow(position, heard, lost) {
  const source = new EventSource("/v1/events?after=" + encodeURIComponent(position));
  for (const name of names) source.addEventListener(name, (event) => heard(name, JSON.parse(event.data)));
  source.addEventListener("error", () => lost(source.readyState === EventSource.CLOSED));
  return source;
}
