import { expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeTestFolder } from "./make-test-folder.ts";

test("a folder names its process, and the next one removes what an ended process left behind", async () => {
  const first = makeTestFolder();
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  const leftover = join(dirname(first), `turnpike-test-${ended.pid}-left`);
  try {
    expect(basename(first)).toStartWith(`turnpike-test-${process.pid}-`);
    mkdirSync(join(leftover, "postgres"), { recursive: true });
    const second = makeTestFolder();
    rmSync(second, { recursive: true });
    expect(existsSync(leftover)).toBe(false);
    expect(existsSync(first)).toBe(true);
  } finally {
    rmSync(leftover, { recursive: true, force: true });
    rmSync(first, { recursive: true, force: true });
  }
});

test("a folder that another person left behind is not touched", async () => {
  if (process.getuid?.() !== 0) {
    console.log("skipped: only root can make a folder of another person");
    return;
  }
  const first = makeTestFolder();
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  const theirs = join(dirname(first), `turnpike-test-${ended.pid}-theirs`);
  try {
    mkdirSync(theirs);
    chownSync(theirs, 65_534, 65_534);
    rmSync(makeTestFolder(), { recursive: true });
    expect(existsSync(theirs)).toBe(true);
  } finally {
    rmSync(theirs, { recursive: true, force: true });
    rmSync(first, { recursive: true, force: true });
  }
});
