// Blobs as files keep what is promised of every blob store.
import { afterAll } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testBlobContract } from "./blob-contract.fixture.ts";
import { openFolderBlobs } from "./folder-blobs.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-blobs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

testBlobContract("folder", () => ({
  blobs: openFolderBlobs(folder),
  divisionBytes: 256 * 1024,
  countStored: async () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length,
}));
