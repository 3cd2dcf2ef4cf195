// The command line of the benchmark: a peer's program is refused before anything starts, or is what starts.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readBenchOptions } from "./bench-options.ts";
import { findPeers } from "./install-peers.ts";
import { peerNames } from "./peer-versions.ts";
import { startPeer } from "./start-peer.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-peers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeProgram(name: string, text: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${text}`);
  chmodSync(path, mode);
  return path;
}

const ended = writeProgram("ended", `console.error("no configuration"); process.exit(3);`);
const plain = writeProgram("plain.js", "", 0o644);
const answering = writeProgram(
  "answering",
  `Bun.serve({
    hostname: "127.0.0.1",
    port: Number(process.env.PORT),
    fetch: () => new Response("given tok tok"),
  });`,
);

function programsOf(...words: readonly string[]) {
  const options = readBenchOptions(words);
  return typeof options === "string" ? options : Object.fromEntries(options.peerPrograms);
}

test("programs of peers are given by name, more than one, with absolute or relative paths", () => {
  const words = ["--peer", `gomodel=${answering}`, `--peer=litellm=${relative(".", ended)}`];
  expect(programsOf(...words)).toEqual({ gomodel: answering, litellm: ended });
  expect(programsOf()).toEqual({});
});

test("a script that a runtime runs need not be executable", () => {
  expect(programsOf("--peer", `portkey-bun=${plain}`)).toEqual({ "portkey-bun": plain });
});

test.each([
  ["an unknown name", "bifrost=/bin/true", 'There is no peer "bifrost".'],
  ["a side that is no peer", "turnpike=/bin/true", 'There is no peer "turnpike".'],
  ["no path", "gomodel", "--peer gomodel lacks the path of its program."],
  ["an empty path", "gomodel=", "--peer gomodel lacks the path of its program."],
  ["a path without a file", "gomodel=/nowhere/gomodel", "/nowhere/gomodel does not exist:"],
  ["a folder", `gomodel=${folder}`, `${folder} is not a file:`],
  ["a file that is not executable", `gomodel=${plain}`, `${plain} is not executable: make it so`],
])("--peer with %s is refused with what to do and the names", (_, word, message) => {
  const refusal = programsOf("--peers", "--peer", word);
  expect(refusal).toContain(message);
  for (const name of peerNames) expect(refusal).toContain(name);
});

test("a program given twice, or for a peer that --sides leaves out, is refused", () => {
  const given = ["--peer", `gomodel=${answering}`];
  expect(programsOf(...given, ...given)).toContain("--peer gomodel is given twice.");
  expect(programsOf(...given, "--sides", "turnpike")).toContain("--sides leaves out gomodel");
});

test("the benchmark refuses such a program before it starts anything", () => {
  const { exitCode, stderr, stdout } = Bun.spawnSync([
    process.execPath,
    join(import.meta.dirname, "run.ts"),
    "--peer",
    "gomodel=/nowhere/gomodel",
  ]);
  expect(exitCode).toBe(2);
  expect(stdout.toString()).toBe("");
  expect(stderr.toString()).toStartWith("--peer gomodel: /nowhere/gomodel does not exist:");
});

/** With `--peers`, as nothing may be installed for a peer whose program is given. */
async function findGiven(path: string) {
  const peerPrograms = new Map([["gomodel", path]] as const);
  const { found, skipped } = await findPeers(["gomodel"], { peers: true, peerPrograms });
  expect(skipped).toEqual([]);
  expect(found).toEqual([{ name: "gomodel", title: "GoModel (given program)", program: path }]);
  const [peer] = found;
  if (peer === undefined) throw new Error("no peer was found");
  return peer;
}

test("a peer that cannot be installed is skipped with the reason", async () => {
  const cache = process.env.XDG_CACHE_HOME;
  process.env.XDG_CACHE_HOME = "/dev/null";
  try {
    const options = { peers: true, peerPrograms: new Map() };
    const { found, skipped } = await findPeers(["portkey-bun"], options);
    expect(found).toEqual([]);
    expect(skipped).toMatchObject([
      { name: "portkey-bun", why: expect.stringContaining("ENOTDIR") },
    ]);
  } finally {
    if (cache === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = cache;
  }
});

test("the given program is what is started, and nothing is installed for it", async () => {
  const peer = await findGiven(answering);
  const running = await startPeer(peer, folder, "http://127.0.0.1:1/v1");
  try {
    const answer = await fetch(`http://127.0.0.1:${running.port}/`);
    expect(await answer.text()).toBe("given tok tok");
  } finally {
    await running.stop();
  }
});

test("a given program that ends is reported with its last words", async () => {
  const peer = await findGiven(ended);
  expect(startPeer(peer, folder, "http://127.0.0.1:1/v1")).rejects.toThrow("no configuration");
});

test("--before names a checkout with packages, which is then a side, and is refused without them", () => {
  const checkout = join(import.meta.dir, "../..");
  const options = readBenchOptions(["--sides", "bare,turnpike", "--before", checkout]);
  if (typeof options === "string") throw new Error(options);
  expect(options.before).toBe(checkout);
  expect(options.sides).toEqual(["bare", "before", "turnpike"]);
  const usual = readBenchOptions([]);
  expect(typeof usual === "string" ? usual : usual.sides).not.toContain("before");
  expect(readBenchOptions(["--sides", "before"])).toContain("needs --before");
  expect(readBenchOptions(["--before", checkout, "--write"])).toContain("leave out --before");
  expect(readBenchOptions(["--before", folder])).toContain(
    "is not a checkout with installed packages",
  );
});
