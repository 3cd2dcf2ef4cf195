import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { createUploadDisk } from "./upload-disk.ts";

const mebibyte = 1024 * 1024;
const account = () => newId<AccountId>();

test("an account has a quarter of the disk, all accounts have all of it, and what is given back is free", () => {
  const disk = createUploadDisk({ UPLOAD_DISK_MIB: 512 });
  const accounts = Array.from({ length: 5 }, account);
  const [first, , , , fifth] = accounts;
  if (first === undefined || fifth === undefined) throw new Error("five accounts");
  for (const one of accounts.slice(0, 4)) {
    disk.add(one, 128 * mebibyte);
    expect(() => disk.add(one, 1)).toThrow("disk");
  }
  expect(disk.bytes).toBe(512 * mebibyte);
  expect(() => disk.add(fifth, 1)).toThrow("disk");
  disk.add(first, -128 * mebibyte);
  disk.add(fifth, 128 * mebibyte);
  expect(disk.bytes).toBe(512 * mebibyte);
});
