// How much disk the files of calls take in this process, from when they are written until their calls have ended. An account has a
// quarter of it, so that no account alone, paid or not, can fill the disk or keep the others from uploading.
import { type AccountId, overloaded } from "@turnpike/base";
import type { Config } from "../../config.ts";

export type UploadDisk = {
  /** Of all accounts. */
  readonly bytes: number;
  /** Adds what files of the account take, or, negative, no longer take. Throws `overloaded` where there is no room, and adds nothing. */
  add(accountId: AccountId, bytes: number): void;
};

const mebibyte = 1024 * 1024;

export function createUploadDisk({ UPLOAD_DISK_MIB }: Pick<Config, "UPLOAD_DISK_MIB">): UploadDisk {
  const mostBytes = UPLOAD_DISK_MIB * mebibyte;
  const ofAccounts = new Map<AccountId, number>();
  let total = 0;
  return {
    get bytes() {
      return total;
    },
    add(accountId, bytes) {
      const ofAccount = (ofAccounts.get(accountId) ?? 0) + bytes;
      const isOver = ofAccount > mostBytes / 4 || total + bytes > mostBytes;
      if (bytes > 0 && isOver) throw overloaded("uploads");
      total += bytes;
      if (ofAccount > 0) ofAccounts.set(accountId, ofAccount);
      else ofAccounts.delete(accountId);
    },
  };
}
