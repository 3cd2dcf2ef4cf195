// How frames of an AWS event stream are read, and which are refused.
import { expect, spyOn, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { encodeEventFrame, encodeException } from "@turnpike/testing";
import { EventFrames } from "./event-frames.ts";

const maxBytes = 4_096;

function read(...pieces: readonly Uint8Array[]) {
  const frames = new EventFrames(maxBytes);
  return pieces.flatMap((piece) => [...frames.push(piece)]);
}

const frame = encodeEventFrame({ ":message-type": "event", ":event-type": "chunk" }, '{"a":"ü"}');

test("events, exceptions and errors are recognized at every cut", () => {
  const exception = encodeException("throttlingException", { message: "m" });
  const error = encodeEventFrame(
    { ":message-type": "error", ":error-code": "Internal", ":error-message": "m" },
    "",
  );
  const all = Buffer.concat([frame, exception, error]);
  const expected = [
    { kind: "event", name: "chunk", text: '{"a":"ü"}' },
    { kind: "exception", name: "throttlingException", text: '{"message":"m"}' },
    { kind: "error", name: "Internal", text: "m" },
  ];
  for (let cut = 0; cut <= all.length; cut += 1) {
    expect(read(all.subarray(0, cut), all.subarray(cut))).toEqual(expected);
  }
  expect(read(...Array.from(all, (byte) => Uint8Array.of(byte)))).toEqual(expected);
});

test("a frame with any bit flipped is refused, but not what came before it", () => {
  for (let at = 0; at < frame.length; at += 1) {
    const damaged = Buffer.from(frame);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    const frames = new EventFrames(maxBytes);
    const seen: unknown[] = [];
    expect(() => {
      for (const one of frames.push(Buffer.concat([frame, damaged, frame]))) seen.push(one);
    }).toThrow(Fault);
    expect(seen).toHaveLength(1);
  }
});

test("a damaged length is refused immediately, not waited for", () => {
  const damaged = Buffer.from(frame.subarray(0, 12));
  damaged.writeUInt8(1, 1);
  expect(() => read(damaged)).toThrow("damaged");
});

test("a frame above the limit is refused by its length", () => {
  const long = encodeEventFrame({ ":message-type": "event" }, "x".repeat(maxBytes));
  expect(() => read(long.subarray(0, 12))).toThrow("too long");
});

test("an unfinished frame does not keep the network's buffer", () => {
  const frames = new EventFrames(maxBytes);
  const network = new Uint8Array(1_000_000);
  network.set(frame.subarray(0, 20), 0);
  expect([...frames.push(network.subarray(0, 20))]).toEqual([]);
  network.fill(0);
  expect([...frames.push(frame.subarray(20))]).toHaveLength(1);
});

test("a frame in many pieces is joined once, when it is complete", () => {
  const concat = spyOn(Buffer, "concat");
  try {
    expect(read(...Array.from(frame, (byte) => Uint8Array.of(byte)))).toHaveLength(1);
    // Once for its length and once for all of it.
    expect(concat).toHaveBeenCalledTimes(2);
  } finally {
    concat.mockRestore();
  }
});
