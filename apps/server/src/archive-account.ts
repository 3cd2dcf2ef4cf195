// Everything stored about an account as one file: for its owner, and for an operator who was asked for it.
import { type ArchivePart, archiveOfAccount, type Openers } from "@turnpike/archive";
import type { AccountId, Sealer } from "@turnpike/base";
import { openSharedConversation, openStoredPrompt } from "@turnpike/prompts";
import type { Log } from "@turnpike/telemetry";

type Sealed = { readonly sealer: Sealer | undefined; readonly log: Log };

export function archiveAccount(id: AccountId, title: string, sealed: Sealed): ArchivePart {
  return { ...archiveOfAccount(id, title, openersOf(sealed)), folder: "account" };
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
  };
}
