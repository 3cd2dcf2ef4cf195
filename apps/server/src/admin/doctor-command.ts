// The operator's command that examines an installation: run it where a server runs, with the server's environment.
import { readEnvironment } from "../config.ts";
import { examine } from "../doctor/examine.ts";
import { type Command, defineCommand } from "./command.ts";

const marks = { ok: "ok     ", warning: "warning", error: "ERROR  " } as const;

export const doctorCommand = {
  doctor: defineCommand({
    required: [],
    optional: [],
    summary:
      "examines an installation with the server's environment, from its address to its backups; exit code 1 for errors",
    async run({ config, url }) {
      const environment = { ...config.environment, DATABASE_URL: url() };
      const findings = await examine(readEnvironment(environment));
      const isWrong = findings.some(({ level }) => level === "error");
      return {
        json: { healthy: !isWrong, findings },
        text: findings.map(({ check, level, message }) => `${marks[level]}  ${check}: ${message}`),
        isWrong,
      };
    },
  }),
} satisfies Record<string, Command>;
