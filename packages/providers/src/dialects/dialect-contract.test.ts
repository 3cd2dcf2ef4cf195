// What every dialect guarantees, over every recorded answer: the same events at every cut point, no
// invented end, no exception from corrupted bytes, and bounded memory. Every cut point is tried in every run; what is
// split and corrupted at random is a sample.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { runsOf, searchTimeoutMs } from "@turnpike/testing";
import fc from "fast-check";
import type { StreamEvent, StreamReader } from "../provider.ts";
import { notices } from "../refusals/notices.fixture.ts";
import { messagesWholes } from "./anthropic/recorded-wholes.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiWholes } from "./gemini/recorded-wholes.fixture.ts";
import { responsesWholes } from "./openai-responses/recorded-wholes.fixture.ts";
import {
  bytesOf,
  type RecordedAnswer,
  type Said,
  saidByStream,
  saidByWhole,
  silence,
} from "./recorded-answer.fixture.ts";
import { recordedStreams } from "./recorded-streams.fixture.ts";

setDefaultTimeout(searchTimeoutMs);

const streams = recordedStreams;
const wholes: readonly RecordedAnswer[] = [...geminiWholes, ...messagesWholes, ...responsesWholes];

const maxEventBytes = 64 * 1024;

function open({ call }: RecordedAnswer): StreamReader {
  const reader = dialectOf(call).openStream?.(call, { maxEventBytes, headers: new Headers() });
  if (reader === undefined) throw new Error("this dialect does not stream");
  return reader;
}

/** Feeds the pieces, then the end of the connection. */
function read(recorded: RecordedAnswer, pieces: readonly Uint8Array[]) {
  const reader = open(recorded);
  const events: StreamEvent[] = [];
  for (const piece of pieces) events.push(...reader.push(piece));
  events.push(...reader.end());
  return { reader, events };
}

function saidBy(recorded: RecordedAnswer, pieces: readonly Uint8Array[]): Said {
  const { reader, events } = read(recorded, pieces);
  const { fault, upstreamId, done } = reader;
  expect(events.some(({ kind }) => kind === "done")).toBe(fault === undefined);
  expect(done).toBe(fault === undefined);
  const failure = { fault: fault?.code, retryAfterMs: fault?.details.retryAfterMs };
  return { ...saidByStream(events), ...failure, upstreamId };
}

describe.each(streams.map((recorded) => [recorded.name, recorded] as const))(
  "%s",
  (_, recorded) => {
    const bytes = bytesOf(recorded);
    const expected = { ...silence, ...recorded.says };

    test("yields what was recorded", () => {
      expect(saidBy(recorded, [bytes])).toEqual(expected);
    });

    test("yields the same at every cut point, and byte by byte", () => {
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const said = saidBy(recorded, [bytes.subarray(0, cut), bytes.subarray(cut)]);
        if (!Bun.deepEquals(said, expected)) expect({ cut, said }).toEqual({ cut, said: expected });
      }
      expect(
        saidBy(
          recorded,
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        ),
      ).toEqual(expected);
    });

    test("yields the same however it is split", () => {
      const cuts = fc.uniqueArray(fc.nat({ max: bytes.length }), { maxLength: 12 });
      fc.assert(
        fc.property(cuts, (places) => {
          const ends = [...places.sort((a, b) => a - b), bytes.length];
          const pieces = ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
          expect(saidBy(recorded, pieces)).toEqual(expected);
        }),
        { numRuns: runsOf({ short: 50, long: 2_000 }) },
      );
    });

    test("broken off at any byte it has delivered a prefix, and is complete only if it says so", () => {
      for (let cut = 0; cut < bytes.length; cut += 1) {
        const { reader, events } = read(recorded, [bytes.subarray(0, cut)]);
        const said = saidByStream(events);
        if (!expected.text.startsWith(said.text)) expect(said.text).toBe(expected.text);
        if (reader.done) expect([cut, said.finishes]).toEqual([cut, expected.finishes]);
        else expect(reader.fault).toBeInstanceOf(Fault);
        expect(reader.push(bytes.subarray(cut))).toEqual([]);
        expect(reader.end()).toEqual([]);
      }
    });
  },
);

/** Those whose bytes are text: the framing of Bedrock ends events by itself. */
const texts = streams.filter(({ body }) => typeof body === "string");

describe.each(texts.map((recorded) => [recorded.name, recorded] as const))(
  "%s, as text",
  (_, recorded) => {
    const expected = { ...silence, ...recorded.says };

    test("yields the same without the blank line after its last event, or the end marker", () => {
      const unmarked = textOf(recorded)
        .replace(/(?:data: \[DONE\])?\s*$/, "")
        .trimEnd();
      for (const lineEnd of ["\n", "\r\n", "\r"]) {
        for (const last of ["", lineEnd]) {
          const text = unmarked.replaceAll("\n", lineEnd) + last;
          const said = saidBy(recorded, [new TextEncoder().encode(text)]);
          expect({ lineEnd, last, ...said }).toEqual({ lineEnd, last, ...expected });
        }
      }
    });

    test("yields the same among notices", () => {
      for (const notice of notices) {
        const event = `data: ${JSON.stringify(notice)}\n\n`;
        const text = event + textOf(recorded).replaceAll("\n\n", `\n\n${event}`);
        const said = saidBy(recorded, [new TextEncoder().encode(text)]);
        expect({ notice, ...said }).toEqual({ notice, ...expected });
      }
    });
  },
);

test.each(wholes.map((recorded) => [recorded.name, recorded] as const))("%s", (_, recorded) => {
  const { call, says } = recorded;
  expect(saidOfWhole(call, textOf(recorded))).toEqual({ ...silence, ...says });
});

function textOf(recorded: RecordedAnswer): string {
  return new TextDecoder().decode(bytesOf(recorded));
}

function saidOfWhole(call: RecordedAnswer["call"], body: string): Said {
  try {
    return saidByWhole(dialectOf(call).parseWhole(call, body, new Headers()));
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { ...silence, fault: thrown.code, retryAfterMs: thrown.details.retryAfterMs };
  }
}

/** Replaces, inserts or removes bytes of a recorded body. */
const corruption = fc.record({
  // Evenly distributed: most doubles are close to zero.
  at: fc.noBias(fc.nat({ max: 100_000 })).map((count) => count / 100_000),
  removed: fc.nat({ max: 40 }),
  inserted: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc
      .constantFrom(
        "\n\n",
        "data: ",
        "data: {}\n\n",
        "data: null\n\n",
        '{"error":{}}',
        "[",
        "\\",
        '"',
        "\r",
      )
      .map((text) => new TextEncoder().encode(text)),
  ),
});

function corrupt(
  bytes: Uint8Array,
  changes: readonly { at: number; removed: number; inserted: Uint8Array }[],
) {
  let corrupted = bytes;
  for (const { at, removed, inserted } of changes) {
    const place = Math.floor(at * corrupted.length);
    corrupted = Buffer.concat([
      corrupted.subarray(0, place),
      inserted,
      corrupted.subarray(place + removed),
    ]);
  }
  return corrupted;
}

const changes = fc.array(corruption, { minLength: 1, maxLength: 4 });

test("corrupted streams never throw: they end with events and `done`, or with a fault", () => {
  fc.assert(
    fc.property(fc.constantFrom(...streams), changes, fc.nat(), (recorded, list, tear) => {
      const bytes = corrupt(bytesOf(recorded), list);
      const cut = tear % (bytes.length + 1);
      const { reader, events } = read(recorded, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(reader.done).toBe(reader.fault === undefined);
      expect(events.filter(({ kind }) => kind === "done")).toHaveLength(reader.done ? 1 : 0);
      if (reader.done) expect(saidByStream(events).finishes.length).toBeGreaterThan(0);
      for (const event of events)
        if ("tokens" in event) expect(event.tokens).toBeGreaterThanOrEqual(0);
      for (const event of events) {
        if (event.kind === "usage") {
          const { serviceTier: _, units: __, ...usage } = event.usage;
          const counts = Object.values(usage);
          expect(counts.every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
        }
      }
    }),
    { numRuns: runsOf({ short: 1_500, long: 100_000 }) },
  );
});

test("corrupted whole answers are read or refused with a Fault, never anything else", () => {
  fc.assert(
    fc.property(fc.constantFrom(...wholes), changes, (recorded, list) => {
      const corrupted = new TextDecoder().decode(corrupt(bytesOf(recorded), list));
      expect(() => saidOfWhole(recorded.call, corrupted)).not.toThrow();
    }),
    { numRuns: runsOf({ short: 1_500, long: 100_000 }) },
  );
});

describe("memory is bounded", () => {
  const [recorded] = streams;
  if (recorded === undefined) throw new Error("no recorded stream");

  test("an event without an end is refused at the limit", () => {
    const reader = open(recorded);
    reader.push(new TextEncoder().encode("data: {"));
    const filler = new TextEncoder().encode("x".repeat(1_024));
    let pushed = 0;
    while (reader.fault === undefined && pushed < 2 * maxEventBytes) {
      reader.push(filler);
      pushed += filler.length;
    }
    expect(reader.fault?.code).toBe("bad_gateway");
    expect(pushed).toBeLessThanOrEqual(maxEventBytes + filler.length);
  });

  const oneOfEach = new Map(texts.map((one) => [dialectOf(one.call).language, one]));

  test.each([...oneOfEach])(
    "comments without an end do not pile up in a stream of %s",
    (_, one) => {
      const reader = open(one);
      const comment = new TextEncoder().encode(`: ${"keep-alive ".repeat(90)}\n\n`);
      Bun.gc(true);
      const before = process.memoryUsage().heapUsed + process.memoryUsage().external;
      for (let pushed = 0; pushed < 5_000; pushed += 1) reader.push(Uint8Array.from(comment));
      Bun.gc(true);
      const after = process.memoryUsage().heapUsed + process.memoryUsage().external;
      expect(after - before).toBeLessThan(1_000_000);
      expect(reader.fault).toBeUndefined();
    },
  );
});
