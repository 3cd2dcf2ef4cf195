// Reads the small members of a JSON object that arrives in pieces, and keeps nothing else of it: what
// a bill needs of an answer whose client has disconnected. Its memory is bounded for any object.

import { type JsonObject, parseObject } from "@turnpike/base";

/** Longer than any usage, id or error; an answer's `choices` may be longer and are then dropped. */
const maxMemberBytes = 16 * 1024;
const maxMembers = 64;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openings: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closings: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/**
 * Feed it the bytes, then read `members`. The structure of JSON is ASCII, so pieces may be split
 * anywhere.
 */
export class MemberScan {
  readonly #members: string[] = [];
  #bytes: number[] = [];
  #tooLong = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #complete = false;

  push(bytes: Uint8Array): void {
    for (const byte of bytes) this.#take(byte);
  }

  /** The members that were kept; undefined while the object is not complete, or is not JSON. */
  get members(): JsonObject | undefined {
    return this.#complete ? parseObject(`{${this.#members.join(",")}}`) : undefined;
  }

  #take(byte: number): void {
    // Some services end one JSON as they end a stream, with `data: [DONE]`.
    if (this.#complete) return;
    if (this.#inString) {
      this.#keep(byte);
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) this.#inString = false;
      return;
    }
    const depth = this.#depth;
    if (openings.has(byte)) this.#depth += 1;
    else if (closings.has(byte)) this.#depth -= 1;
    else if (byte === quote) this.#inString = true;
    const endsMember = depth === 1 && (byte === comma || this.#depth === 0);
    if (endsMember) this.#endMember();
    else if (depth > 0) this.#keep(byte);
    if (endsMember && this.#depth === 0) this.#complete = true;
  }

  #keep(byte: number): void {
    if (this.#tooLong) return;
    if (this.#bytes.length < maxMemberBytes) this.#bytes.push(byte);
    else {
      this.#tooLong = true;
      this.#bytes = [];
    }
  }

  #endMember(): void {
    if (!this.#tooLong && this.#members.length < maxMembers) {
      const text = Buffer.from(this.#bytes).toString();
      if (text.trim() !== "") this.#members.push(text);
    }
    this.#bytes = [];
    this.#tooLong = false;
  }
}
