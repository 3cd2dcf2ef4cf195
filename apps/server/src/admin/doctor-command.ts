// Examines an installation: run it where a server runs, with the server's environment. A command, not a verb, because it
// works where no server starts.
import { readEnvironment } from "../config.ts";
import { examine } from "../doctor/examine.ts";
import { startEnvironment } from "../start-environment.ts";
import { type AdminContext, type Command, defineCommand } from "./command.ts";

const marks = { ok: "ok     ", warning: "warning", error: "ERROR  " } as const;

export const doctorCommand = {
  doctor: defineCommand({
    required: [],
    optional: [],
    acceptsMistakes: true,
    summary:
      "examines an installation with the server's environment, from its address to its backups; exit code 1 for errors",
    async run(context) {
      const findings = await examine(readEnvironment(environmentOf(context)));
      const isWrong = findings.some(({ level }) => level === "error");
      return {
        json: { healthy: !isWrong, findings },
        text: findings.map(({ check, level, message }) => `${marks[level]}  ${check}: ${message}`),
        isWrong,
      };
    },
  }),
} satisfies Record<string, Command>;

/** As `bun run start` would have it; without DATABASE_URL that of the development instance that runs. */
function environmentOf({ config: { environment }, isDevelopment, url }: AdminContext) {
  const isUnset = (environment.DATABASE_URL ?? "") === "";
  return isUnset && isDevelopment
    ? { ...environment, DATABASE_URL: url() }
    : startEnvironment(environment);
}
