// `bun run executable`: a release in one file, `dist/turnpike`, of what is committed here.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeExecutable } from "./write-executable.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "turnpike-release-"));

async function run(command: string): Promise<void> {
  const child = Bun.spawn(["sh", "-ec", command], {
    cwd: root,
    env: { ...process.env, FOLDER: folder, BUN: process.execPath },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) process.exit(1);
}

try {
  await run('"$BUN" run build');
  await run('git archive HEAD | tar -x -C "$FOLDER"');
  await run('cd "$FOLDER" && "$BUN" install --frozen-lockfile --production');
  cpSync(join(root, "apps/console/dist"), join(folder, "apps/console/dist"), { recursive: true });
  mkdirSync(join(root, "dist"), { recursive: true });
  const bytes = await writeExecutable(folder, join(root, "dist/turnpike"));
  console.log(`dist/turnpike has ${Math.round(bytes / 2 ** 20)} MiB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
