// Answers of an upstream, damaged in every way a fuzz test can think of: as bytes, as events and as JSON. The
// same change of the same answer always gives the same bytes.
import fc from "fast-check";

export type Change =
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "flip"; readonly at: number; readonly bit: number }
  | { readonly kind: "insert"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "drop" | "repeat"; readonly event: number }
  | { readonly kind: "swap"; readonly event: number; readonly other: number }
  | {
      readonly kind: "replace";
      readonly event: number;
      readonly place: number;
      readonly json: string;
    }
  | { readonly kind: "add"; readonly event: number; readonly text: string }
  | { readonly kind: "line ends" };

/** From 0 to 1, evenly, because most doubles are close to zero. */
export const share = fc.noBias(fc.nat({ max: 99_999 })).map((count) => count / 100_000);
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Longer than the limit of an event that the test sets. */
export const hugeChars = 40_000;

const values = [
  "null",
  "true",
  "false",
  "0",
  "-1",
  "1.5",
  "1e999",
  "-1e999",
  "9007199254740993",
  "123456789012345678901234567890",
  '""',
  '"x"',
  '"\\ud800"',
  '"\\u0000"',
  "[]",
  "{}",
  "[null]",
  "[[]]",
  '{"a":{}}',
  '[{"type":"text"}]',
  '{"__proto__":1}',
  `"${"long ".repeat(500)}"`,
];

const strayBytes = [
  Uint8Array.of(0xff),
  Uint8Array.of(0xc3, 0x28),
  Uint8Array.of(0xf0, 0x9f),
  Uint8Array.of(0xef, 0xbb, 0xbf),
  Uint8Array.of(0),
  ...["\n\n", "\r", "data: ", "data: {}\n\n", "data: null\n\n", ":\n\n", "{", '"', "\\"].map(
    bytesOf,
  ),
];

const strayEvents = [
  'event: future\ndata: {"type":"future","value":1}\n\n',
  'data: {"type":"response.future","sequence_number":99,"output_index":0}\n\n',
  'data: {"error":{"message":"busy","code":429}}\n\n',
  'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
  "data: [DONE]\n\n",
  ": a comment\n\n",
  "id: 7\nretry: 1\n\n",
  'event: ping\ndata: {"type":"ping"}\n\n',
  `data: {"filler":"${"x".repeat(hugeChars)}"}\n\n`,
];

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cut" as const), at: share }) },
  fc.record({ kind: fc.constant("flip" as const), at: share, bit: fc.nat({ max: 7 }) }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: share,
    bytes: fc.constantFrom(...strayBytes),
  }),
  fc.record({ kind: fc.constantFrom("drop" as const, "repeat" as const), event: share }),
  fc.record({ kind: fc.constant("swap" as const), event: share, other: share }),
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      event: share,
      place: share,
      json: fc.constantFrom(...values),
    }),
  },
  fc.record({
    kind: fc.constant("add" as const),
    event: share,
    text: fc.constantFrom(...strayEvents),
  }),
  fc.record({ kind: fc.constant("line ends" as const) }),
);

/** No damage at all in some cases: valid answers must stay valid. */
export const changes = fc.oneof(
  fc.constant([]),
  { weight: 6, arbitrary: fc.tuple(change) },
  { weight: 3, arbitrary: fc.array(change, { minLength: 2, maxLength: 4 }) },
);

export function corrupt(body: string, list: readonly Change[]): Uint8Array {
  let bytes: Uint8Array = bytesOf(body);
  for (const each of list) bytes = apply(bytes, each);
  return bytes;
}

function apply(bytes: Uint8Array, each: Change): Uint8Array {
  switch (each.kind) {
    case "cut":
      return bytes.slice(0, Math.floor(each.at * bytes.length));
    case "flip": {
      const flipped = bytes.slice();
      const at = Math.floor(each.at * bytes.length);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << each.bit);
      return flipped;
    }
    case "insert": {
      const at = Math.floor(each.at * bytes.length);
      return Buffer.concat([bytes.subarray(0, at), each.bytes, bytes.subarray(at)]);
    }
    default:
      return bytesOf(applyToEvents(new TextDecoder().decode(bytes), each));
  }
}

type EventChange = Exclude<Change, { kind: "cut" | "flip" | "insert" }>;

/** A whole answer counts as one event. */
function applyToEvents(text: string, each: EventChange): string {
  const events = text.split(/(?<=\n\n)/);
  const placeOf = (part: number) => Math.floor(part * events.length);
  switch (each.kind) {
    case "line ends":
      return text.replaceAll("\n", "\r\n");
    case "drop":
      return events.toSpliced(placeOf(each.event), 1).join("");
    case "repeat":
      return events.toSpliced(placeOf(each.event), 0, events[placeOf(each.event)] ?? "").join("");
    case "swap": {
      const [first, second] = [placeOf(each.event), placeOf(each.other)];
      const [one = "", other = ""] = [events[first], events[second]];
      return events.with(first, other).with(second, one).join("");
    }
    case "add":
      return events.toSpliced(placeOf(each.event), 0, each.text).join("");
    case "replace": {
      const at = placeOf(each.event);
      return events.with(at, replaceIn(events[at] ?? "", each.place, each.json)).join("");
    }
  }
}

/** Replaces any value inside the JSON of an event; numbers keep the digits they are given. */
function replaceIn(event: string, place: number, json: string): string {
  const [, head = "", body = "", tail = ""] = /^([^{[]*)([{[][\s\S]*[}\]])(\s*)$/.exec(event) ?? [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return event;
  }
  const marker = "@@replaced@@";
  const places = countPlaces(parsed);
  const marked = JSON.stringify(mark(parsed, { left: Math.floor(place * places), marker }));
  return head + marked.replace(JSON.stringify(marker), () => json) + tail;
}

function countPlaces(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countPlaces(inner), 1);
}

type Marking = { left: number; readonly marker: string };

function mark(value: unknown, marking: Marking): unknown {
  marking.left -= 1;
  if (marking.left === -1) return marking.marker;
  if (Array.isArray(value)) return value.map((inner: unknown) => mark(inner, marking));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, mark(inner, marking)]),
  );
}
