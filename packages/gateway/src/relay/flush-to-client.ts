// Where an answer is written to, and the pause before its connection is cut: a reset discards what its client has not read,
// and the error that explains it was written last.

/** The part of Bun's direct controller that is used; a promise resolves when the client has read more. */
export type Sink = {
  write(data: string | Uint8Array<ArrayBuffer>): number | Promise<number>;
  flush(): number | Promise<number>;
  close(): void;
};

const readMs = 1_000;

/** Gives a client that reads the time to read everything; one that has stopped reading is not waited for. */
export async function flushToClient(sink: Sink | undefined): Promise<void> {
  Promise.resolve(sink?.flush()).catch(() => undefined);
  await Bun.sleep(readMs);
}
