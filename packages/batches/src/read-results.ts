// Reads the results of a batch that is over from its files, a line at a time: first what was answered, then the errors.
import { type ObjectOwner, type Objects, type RunStatements, readObject } from "@turnpike/objects";
import { readLines } from "./read-lines.ts";
import type { StoredBatch } from "./stored-batch.ts";

export type ResultLine = {
  /** As OpenAI writes it: `{id, custom_id, response, error}`. */
  readonly text: string;
  readonly isGood: boolean;
};

/** An answer, and what is written around it. */
const resultMaxBytes = 256 * 1_048_576;

/** Undefined if a file was deleted or has expired. Nothing is read of the files before the first line is. */
export async function readResults(
  run: RunStatements,
  kept: Pick<Objects, "sealer" | "blobs">,
  owner: ObjectOwner,
  { outputObjectId, errorObjectId }: Pick<StoredBatch, "outputObjectId" | "errorObjectId">,
): Promise<AsyncGenerator<ResultLine> | undefined> {
  const files: { readonly chunks: AsyncGenerator<Uint8Array>; readonly isGood: boolean }[] = [];
  for (const [id, isGood] of [
    [outputObjectId, true],
    [errorObjectId, false],
  ] as const) {
    if (id === null) continue;
    const file = await run((db) => readObject(db, kept, owner, "file", id));
    if (file === undefined) return undefined;
    files.push({ chunks: file.chunks, isGood });
  }
  return linesOf(files);
}

async function* linesOf(
  files: readonly { readonly chunks: AsyncGenerator<Uint8Array>; readonly isGood: boolean }[],
): AsyncGenerator<ResultLine> {
  for (const { chunks, isGood } of files) {
    for await (const { text } of readLines(chunks, resultMaxBytes)) {
      if (text === undefined) throw new Error("a line of results cannot be read");
      yield { text, isGood };
    }
  }
}
