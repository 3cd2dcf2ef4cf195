import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installOnce, runInstaller } from "./install-once.ts";

const cacheBefore = Bun.env.XDG_CACHE_HOME;
let cache = "";
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "turnpike-cache-"));
  Bun.env.XDG_CACHE_HOME = cache;
});
afterEach(() => {
  if (cacheBefore === undefined) delete Bun.env.XDG_CACHE_HOME;
  else Bun.env.XDG_CACHE_HOME = cacheBefore;
  rmSync(cache, { recursive: true, force: true });
});

const listCache = () => readdirSync(join(cache, "turnpike/clients"));
const write = (text: string) => async (draft: string) => writeFileSync(join(draft, "text"), text);
const readText = (folder: string) => readFileSync(join(folder, "text"), "utf8");

/** The folder, of an installation that succeeded. */
async function folderOf(name: string, install: (draft: string) => Promise<void>): Promise<string> {
  const installed = await installOnce(name, install);
  if (installed.kind === "absent") throw new Error(installed.reason);
  return installed.folder;
}

describe("installOnce", () => {
  test("what is installed is found by later runs", async () => {
    const folder = await folderOf("tool-1", write("first"));
    const again = () => Promise.reject(new Error("It is installed again."));
    expect(await folderOf("tool-1", again)).toBe(folder);
    expect(readText(folder)).toBe("first");
    expect(readText(await folderOf("tool-2", write("another version")))).toBe("another version");
    expect(listCache().toSorted()).toEqual(["tool-1", "tool-2"]);
  });

  test("of two runs that install at the same time, both get what the first completed", async () => {
    const slow = Promise.withResolvers<void>();
    const second = folderOf("tool-1", async (draft) => {
      await slow.promise;
      await write("second")(draft);
    });
    const folder = await folderOf("tool-1", write("first"));
    slow.resolve();
    expect(await second).toBe(folder);
    expect(readText(folder)).toBe("first");
    expect(listCache()).toEqual(["tool-1"]);
  });

  test("nothing is found before it is complete", async () => {
    await folderOf("tool-1", async (draft) => {
      expect(listCache()).not.toContain("tool-1");
      await write("whole")(draft);
    });
    expect(listCache()).toEqual(["tool-1"]);
  });

  test("a folder that is not complete is neither used nor replaced", async () => {
    const folder = await folderOf("tool-1", write("first"));
    rmSync(join(folder, "complete"));
    expect(await installOnce("tool-1", write("second"))).toEqual({
      kind: "absent",
      reason: `${folder} is not complete: delete it`,
    });
    expect(readText(folder)).toBe("first");
    expect(listCache()).toEqual(["tool-1"]);
  });

  test("an installation that fails leaves nothing, says why, and can be repeated", async () => {
    const failing = (draft: string) =>
      runInstaller(["/bin/sh", "-c", "echo No. >&2; exit 1"], draft);
    expect(await installOnce("tool-1", failing)).toEqual({
      kind: "absent",
      reason: expect.stringMatching(/failed: No\.$/),
    });
    expect(listCache()).toEqual([]);
    expect(readText(await folderOf("tool-1", write("now")))).toBe("now");
  });

  test("an installation that hangs is ended, although what it started still runs", async () => {
    // Its child inherits stdout and outlives it.
    const command = ["/bin/sh", "-c", "sleep 20 & wait"];
    const hanging = (draft: string) => runInstaller(command, draft, 50);
    expect(await installOnce("tool-1", hanging)).toEqual({
      kind: "absent",
      reason: expect.stringMatching(/took over 0\.05 s$/),
    });
    expect(listCache()).toEqual([]);
  });
});
