// Whether the files of credentials still hold what a catalog was read with. A file that cannot be read counts as
// changed, so that reading the catalog again says what is wrong with it.
import { createHash } from "node:crypto";
import type { CatalogFile } from "../model.ts";
import { readCredentialFile } from "./substitute.ts";

/** What `sha256sum` prints for the file, shortened. */
export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

export function haveCredentialsChanged({
  credentialFiles,
}: Pick<CatalogFile, "credentialFiles">): boolean {
  for (const [path, hash] of credentialFiles) {
    const file = readCredentialFile(path);
    if (file.kind === "unreadable" || hashText(file.text) !== hash) return true;
  }
  return false;
}
