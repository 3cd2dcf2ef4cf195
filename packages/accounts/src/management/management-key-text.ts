// The text of a management key: `sk-tpm-` and what `makeSecretText` adds, so that nobody takes it for an API key.
import { endsWithChecksum, makeSecretText, maskSecretText } from "@turnpike/base";

const prefix = "sk-tpm-";

/** For secret scanners; `isManagementKeyText` also checks the checksum. */
export const managementKeyPattern = /^sk-tpm-[0-9A-Za-z]{49}$/;

export function makeManagementKeyText(): string {
  return makeSecretText(prefix);
}

/** Whether `text` has the form of a key with a valid checksum. The key may still be unknown or revoked. */
export function isManagementKeyText(text: string): boolean {
  return managementKeyPattern.test(text) && endsWithChecksum(text);
}

/** `sk-tpm-9f2a…c41d`. */
export function maskManagementKey(key: string): string {
  return maskSecretText(prefix, key);
}
