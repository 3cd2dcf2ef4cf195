// The operator's command line, against the database of the server under test.
import { join } from "node:path";

const admin = join(import.meta.dirname, "../../server/src/admin.ts");

/** What it prints; throws if it fails. `settings` are those of the server. */
export async function runAdmin(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const command = Bun.spawn([process.execPath, admin, ...args], {
    env: settings,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, errors] = await Promise.all([
    command.exited,
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
  ]);
  if (code !== 0) throw new Error(errors);
  return out;
}

/** A key of an account that was credited, for what visitors ask. */
export async function createDemoKey(settings: Readonly<Record<string, string>>): Promise<string> {
  const email = ["--email", "demo@example.com"];
  await runAdmin(settings, ["account", "create", ...email]);
  await runAdmin(settings, ["account", "credit", ...email, "--usd", "5", "--reason", "a test"]);
  const created = await runAdmin(settings, ["key", "create", ...email, "--name", "Demo", "--json"]);
  return String(JSON.parse(created).key);
}
