// The program of `dist/turnpike`, a release in one file: Bun with an archive of an installation. Its first start
// unpacks the archive, whole or not at all, into a folder of this user; `start` (the default) runs the server, `admin`
// an operator's command.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const { TURNPIKE_HOME, XDG_CACHE_HOME = join(homedir(), ".cache") } = process.env;
const place = TURNPIKE_HOME ?? join(XDG_CACHE_HOME, "turnpike");

/** The folder of the installation. The archive's name has a hash of its content. */
async function unpack(): Promise<string> {
  const [archive] = Bun.embeddedFiles;
  if (archive === undefined) throw new Error("this program was built without its archive");
  const name = "name" in archive ? String(archive.name) : "turnpike";
  const home = join(place, name.replace(/\.gz$/, ""));
  if (existsSync(home)) return home;
  const draft = `${home}.${process.pid}`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  await new Bun.Archive(await archive.arrayBuffer()).extract(draft);
  try {
    renameSync(draft, home);
  } catch (error) {
    // Another start was faster.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
  return home;
}

const [command = "start", ...args] = process.argv.slice(2);
if (command !== "start" && command !== "admin") {
  console.error("usage: turnpike [start | admin COMMAND …]");
  process.exit(2);
}
const home = await unpack();
// Whatever it starts, also workers, is this program again, as Bun itself.
process.env.BUN_BE_BUN = "1";
if (command === "start") {
  await import(join(home, "scripts/start/run.ts"));
} else {
  const program = [process.execPath, join(home, "apps/server/src/admin.ts"), ...args];
  // Named here: a child gets the environment that this process began with.
  const env = { ...process.env };
  const child = Bun.spawn(program, { env, stdio: ["inherit", "inherit", "inherit"] });
  process.exit(await child.exited);
}
