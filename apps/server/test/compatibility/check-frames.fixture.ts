// An event stream as a client reads it, strictly: frames, each with one line of JSON, and nothing between.
import { asObject, at, type JsonObject, withoutComments } from "../harness/index.ts";

export type Frame = {
  readonly name: string | undefined;
  /** Undefined for `[DONE]`. */
  readonly event: JsonObject | undefined;
};

/** What a client reads from an answer. */
export type Verdict = {
  readonly ended: "whole" | "failed";
  /** Text, reasoning and calls that it received. */
  readonly text: string;
};

/** Throws for answers that no client could read. */
export function readFrames(received: string): Frame[] {
  const stream = withoutComments(received);
  if (stream !== "" && !stream.endsWith("\n\n")) throw new Error("it ends inside a frame");
  const frames: Frame[] = [];
  for (const frame of stream.split("\n\n")) {
    if (frame === "") continue;
    const [, name, data] = /^(?:event: ([\w.]+)\n)?data: ([^\n\r]*)$/.exec(frame) ?? [];
    if (data === undefined) throw new Error(`not a frame: ${frame.slice(0, 200)}`);
    const event = data === "[DONE]" ? undefined : asObject(JSON.parse(data));
    frames.push({ name, event });
  }
  return frames;
}

export function fail(what: string, event?: unknown): never {
  throw new Error(event === undefined ? what : `${what}: ${JSON.stringify(event).slice(0, 600)}`);
}

export function must(holds: boolean, what: string, event?: unknown): asserts holds {
  if (!holds) fail(what, event);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export const isText = (value: unknown): value is string => typeof value === "string";

export function listOf(value: unknown, what: string): JsonObject[] {
  must(Array.isArray(value), `${what} is not a list`, value);
  return value.map(asObject);
}

/** The error of a refused call, or of the end of a stream. */
export function checkError(body: JsonObject, members: readonly string[]): void {
  must(isText(at(body, "error.message")) && at(body, "error.message") !== "", "no message", body);
  for (const member of members) must(isText(at(body, `error.${member}`)), `no ${member}`, body);
}
