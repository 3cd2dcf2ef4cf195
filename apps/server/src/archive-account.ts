// Everything stored about an account as one file: for its owner, and for an operator who was asked for it.
import {
  type ArchivedContents,
  type ArchivePart,
  archiveOfAccount,
  type Openers,
  type RunRead,
} from "@turnpike/archive";
import { type AccountId, formatFileId, type Sealer } from "@turnpike/base";
import { type Objects, openObjectHead, readObjects } from "@turnpike/objects";
import { openSharedConversation, openStoredPrompt } from "@turnpike/prompts";
import type { Log } from "@turnpike/telemetry";

type Sealed = {
  readonly sealer: Sealer | undefined;
  readonly log: Log;
  /** Undefined where no files are kept. */
  readonly objects: Pick<Objects, "sealer" | "blobs"> | undefined;
};

export function archiveAccount(id: AccountId, title: string, sealed: Sealed): ArchivePart {
  const { objects, log } = sealed;
  const part = { ...archiveOfAccount(id, title, openersOf(sealed)), folder: "account" };
  if (objects === undefined) return part;
  return { ...part, files: (read) => contentsOf(id, { ...objects, read, log }) };
}

type ReadFiles = Pick<Objects, "sealer" | "blobs"> & {
  readonly read: RunRead;
  readonly log: Log;
};

async function* contentsOf(
  accountId: AccountId,
  { log, ...kept }: ReadFiles,
): AsyncGenerator<ArchivedContents> {
  const onBroken = (id: string, error: unknown) =>
    log.error({ err: error, id }, "a file that is kept does not open");
  for await (const { object, chunks } of readObjects({ ...kept, onBroken }, accountId)) {
    const { id, kind, filename, size } = object;
    // The names of all others have their ids.
    const name = kind === "file" ? `${formatFileId(id)} ${filename}` : filename;
    yield { name, size, chunks };
  }
}

export function archiveNameOf(name: string): string {
  return `${name}-${new Date().toISOString().slice(0, 10)}.tar.gz`;
}

/** What SEALING_KEY does not open is missing, and the rest of the archive is not. */
function openersOf({ sealer, log }: Sealed): Openers {
  const open = (
    id: string,
    sealed: string,
    read: (sealer: Sealer, bytes: Uint8Array) => unknown,
  ) => {
    try {
      return sealer === undefined ? null : read(sealer, Buffer.from(sealed, "base64"));
    } catch (error) {
      log.error({ err: error, id }, "what is stored sealed does not open");
      return null;
    }
  };
  return {
    prompt: (accountId, id, sealed) =>
      open(id, sealed, (sealer, bytes) => openStoredPrompt(sealer, accountId, id, bytes)),
    conversation: (accountId, id, sealed) =>
      open(id, sealed, (sealer, bytes) => openSharedConversation(sealer, accountId, id, bytes)),
    object: (accountId, id, sealed) =>
      open(id, sealed, (sealer, bytes) => {
        const { filename, sha256 } = openObjectHead(sealer, accountId, id, bytes);
        return { filename, sha256 };
      }),
  };
}
