// Makes a member an operator of the installation: a second factor of their own, and a role from the command line.
import { join } from "node:path";
import type { Environment } from "./environment.fixture.ts";
import type { Member } from "./member.fixture.ts";
import { showCode } from "./show-code.fixture.ts";

const admin = join(import.meta.dirname, "../../server/src/admin.ts");

export async function becomeOperator(
  { settings }: Environment,
  member: Member,
  role: "owner" | "support" | "finance" | "read_only" = "owner",
): Promise<void> {
  const { id, secret } = await member.mutate("factors.beginTotp");
  const code = showCode(String(secret));
  await member.mutate("factors.confirmTotp", { id, name: "Phone", code });
  const grant = [
    "operator",
    "grant",
    "--email",
    member.email,
    "--role",
    role,
    "--reason",
    "a test",
  ];
  const command = Bun.spawn([process.execPath, admin, ...grant], {
    env: settings,
    stdout: "pipe",
    stderr: "pipe",
  });
  if ((await command.exited) !== 0) throw new Error(await new Response(command.stderr).text());
}
