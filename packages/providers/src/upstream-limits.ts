// How long a call to an upstream may take and how much it may answer: what goes beyond a limit is a Fault.

export type UpstreamLimits = {
  /** To connect. Infinity if a proxy connects for us: then it cannot be measured here. */
  readonly connectMs: number;
  /** From the call to the first byte of the answer's body; connecting is part of it. */
  readonly firstByteMs: number;
  /** Silence between two reads of the body. */
  readonly interChunkMs: number;
  readonly totalMs: number;
  readonly maxBodyBytes: number;
  readonly maxEventBytes: number;
};

/** A live stream is never silent for two minutes, and no answer takes a quarter of an hour. */
export const streamLimits: UpstreamLimits = {
  connectMs: 5_000,
  firstByteMs: 120_000,
  interChunkMs: 120_000,
  totalMs: 900_000,
  maxBodyBytes: 32 * 1024 * 1024,
  maxEventBytes: 1024 * 1024,
};

/** A whole answer is silent while it is generated, so its first byte may take ten minutes. */
export const wholeLimits: UpstreamLimits = { ...streamLimits, firstByteMs: 600_000 };

/** 2,048 vectors of 3,072 numbers, written as decimals; or ten large images in base64. */
export const largeLimits: UpstreamLimits = {
  ...wholeLimits,
  maxBodyBytes: 160 * 1024 * 1024,
  maxEventBytes: 48 * 1024 * 1024,
};
