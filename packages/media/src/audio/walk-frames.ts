// The time that the frames of a stream hold together. Decoders do not agree on where a stream resumes after what is no frame, or
// which of two frames that overlap they play: a bound holds for all of them.

export type Frame = {
  readonly seconds: number;
  /** At least one. */
  readonly bytes: number;
};

export type ParseFrame = (bytes: Buffer, at: number) => Frame | undefined;

export type WalkedFrames = {
  readonly seconds: number;
  /** In no frame. */
  readonly otherBytes: number;
};

/** Each frame after the one before it; after anything else, the next that begins with the byte 0xff. */
export function walkFrames(bytes: Buffer, parse: ParseFrame): WalkedFrames {
  let seconds = 0;
  let otherBytes = 0;
  for (let at = 0; at < bytes.length; ) {
    const frame = parse(bytes, at);
    if (frame !== undefined) {
      seconds += frame.seconds;
      at += frame.bytes;
      continue;
    }
    const next = bytes.indexOf(0xff, at + 1);
    const end = next === -1 ? bytes.length : next;
    otherBytes += end - at;
    at = end;
  }
  return { seconds, otherBytes };
}

/** The most that frames which do not overlap can hold, wherever a decoder looks for them. */
export function boundFrames(bytes: Buffer, parse: ParseFrame, frameMaxBytes: number): number {
  // From each of the last positions to the end, in a ring: a frame refers to no later one.
  const size = 2 ** Math.ceil(Math.log2(frameMaxBytes + 1));
  const longest = new Float64Array(size);
  let most = 0;
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    if (bytes[at] === 0xff) {
      const frame = parse(bytes, at);
      const next = at + (frame?.bytes ?? 0);
      const rest = next < bytes.length ? (longest[next & (size - 1)] ?? 0) : 0;
      if (frame !== undefined) most = Math.max(most, frame.seconds + rest);
    }
    longest[at & (size - 1)] = most;
  }
  return most;
}
