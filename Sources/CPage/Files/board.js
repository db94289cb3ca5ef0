// SPDX-License-Identifier: Apache-2.0

// Stacks of a piece, which is drawn at once, and those of a chunk that has grown together from several, at most.
const pieceSize = 8;
const largest = 40;
// Above every number that the centre gives.
const top = 1n << 63n;

const idsOf = ({ stacks }) => stacks.map(({ id }) => id);
const numberOf = ({ leading }) => BigInt(leading.id);

// The stacks that a page knows of, the newest first, in chunks: each has those whose leading notifications have numbers
// from `low` on and below `high`, and is stale when the centre may have others there by now. Values only; `isFilled`
// and `height` are notes of whoever draws them.
export class Board {
  constructor() {
    this.chunks = [];
    // The highest number of the last answer for the newest, of a centre that may have been restored from a copy.
    this.newest = 0n;
    // The number down to which the last answer for the newest went.
    this.floor = 0n;
    // The number of times that the centre may have changed anything of it.
    this.doubts = 0;
  }

  // True if every stack is known.
  get isWhole() {
    return this.chunks.at(-1)?.low === 0n;
  }

  // True if some of what is known may be otherwise.
  get isStale() {
    return this.chunks.some((chunk) => chunk.isStale);
  }

  // The number below which nothing is known.
  get end() {
    return this.chunks.at(-1)?.low ?? top;
  }

  *[Symbol.iterator]() {
    for (const { stacks } of this.chunks) yield* stacks;
  }

  // The last stack that is known.
  get last() {
    return this.chunks.findLast(({ stacks }) => stacks.length > 0)?.stacks.at(-1);
  }

  // Returns the first stack that fits.
  find(fits) {
    for (const stack of this) if (fits(stack)) return stack;
    return undefined;
  }

  // The centre may have changed any of them.
  doubt() {
    this.doubts += 1;
    for (const chunk of this.chunks) chunk.isStale = true;
  }

  // Forgets the stacks of some notifications that are gone; true if each was the only one of its stack.
  remove(ids) {
    this.doubts += 1;
    return ids.map((id) => this.removeOne(id)).every((isKnown) => isKnown);
  }

  removeOne(id) {
    const number = BigInt(id);
    const chunk = this.chunks.find(({ low, high }) => low <= number && number < high);
    const place = chunk?.stacks.findIndex(({ leading, count }) => leading.id === id && count === 1) ?? -1;
    if (place >= 0) chunk.stacks.splice(place, 1);
    return place >= 0;
  }

  // Takes an answer of the centre: all stacks below `high`, down to the last of the answer or to `floor`. What was
  // known of that region is forgotten, and what is known elsewhere of a stack of the answer. `doubts` is as it was when
  // the centre was asked.
  take({ stacks, next }, doubts, high = top, floor = 0n) {
    const last = next === null ? 0n : BigInt(next);
    const low = last > floor ? last : floor;
    const found = stacks.filter((stack) => numberOf(stack) >= low);
    const ids = new Set(idsOf({ stacks: found }));
    const drawn = new Set(this.chunks.filter((chunk) => chunk.isFilled).flatMap(idsOf));
    // Nobody here knows stacks that came since the last answer and are not in this one.
    const known = this.newest + 1n;
    const end = (chunk) => (chunk.high === top && known < low ? known : low);
    const rest = this.chunks.flatMap((chunk) => [
      part(chunk, chunk.low, end(chunk), ids, chunk.isStale),
      part(chunk, end(chunk), low, ids, true),
      part(chunk, high, chunk.high, ids, chunk.isStale),
    ]).filter((chunk) => chunk.high > chunk.low);
    const answer = { high, low, stacks: found, isStale: doubts !== this.doubts };
    // Most of its rows decide whether a piece goes on as one that is drawn.
    const fresh = pieces(answer).map((piece) => ({ ...piece,
      isFilled: piece.stacks.filter(({ id }) => drawn.has(id)).length * 2 > piece.stacks.length }));
    this.chunks = sorted([...joined(sorted(rest)), ...fresh]);
    if (high !== top) return;
    this.newest = found.length > 0 ? numberOf(found[0]) : 0n;
    this.floor = low;
  }

  // Cuts a chunk into pieces, of which each can be drawn alone, and returns them.
  cut(chunk) {
    const parts = pieces(chunk);
    this.chunks.splice(this.chunks.indexOf(chunk), 1, ...parts);
    return parts;
  }

  // Joins what was cut and is drawn no more.
  join() {
    this.chunks = joined(this.chunks);
  }
}

const sorted = (chunks) => chunks.sort((one, other) => (one.high > other.high ? -1 : 1));

// Returns the height of so many of the stacks of a chunk, as far as that was noted.
const share = ({ height, stacks }, count) =>
  (height === undefined || stacks.length === 0 ? undefined : height * count / stacks.length);

// Returns a chunk in pieces.
function pieces(chunk) {
  const { high, low, stacks } = chunk;
  const parts = [];
  for (let start = 0; start === 0 || start < stacks.length; start += pieceSize) {
    const piece = stacks.slice(start, start + pieceSize);
    const isLast = start + pieceSize >= stacks.length;
    parts.push({ ...chunk, stacks: piece, height: share(chunk, piece.length),
      high: parts.at(-1)?.low ?? high, low: isLast ? low : numberOf(piece.at(-1)) });
  }
  return parts;
}

// Returns the rest of a chunk between two numbers, without the stacks of some ids.
function part(chunk, low, high, ids, isStale) {
  const bounds = { low: low > chunk.low ? low : chunk.low, high: high < chunk.high ? high : chunk.high };
  if (bounds.high <= bounds.low) return { ...chunk, ...bounds, stacks: [] };
  // Most chunks of a long list are of one part as they are, and their numbers need not be read.
  const isAll = bounds.low === chunk.low && bounds.high === chunk.high;
  const isIn = (stack) => isAll || (numberOf(stack) >= bounds.low && numberOf(stack) < bounds.high);
  const stacks = chunk.stacks.filter((stack) => !ids.has(stack.id) && isIn(stack));
  return { ...chunk, ...bounds, stacks, height: share(chunk, stacks.length), isStale };
}

// Joins small neighbours that are alike, so that there are not more and more of them.
function joined(chunks) {
  const result = [];
  for (const chunk of chunks) {
    const former = result.at(-1);
    const isAlike = former?.low === chunk.high && former.isStale === chunk.isStale
      && former.isFilled === chunk.isFilled && former.stacks.length + chunk.stacks.length <= largest;
    if (isAlike) {
      result[result.length - 1] = { ...former, low: chunk.low, stacks: [...former.stacks, ...chunk.stacks],
        height: former.height === undefined || chunk.height === undefined ? undefined : former.height + chunk.height };
    } else result.push(chunk);
  }
  return result;
}
