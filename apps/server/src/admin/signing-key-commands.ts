// The keys that sign receipts; replacing one never withdraws its public part. Commands and no verbs, because what they
// need is the SEALING_KEY of the process, in development from a file of the machine.
import { Fault, type Sealer } from "@turnpike/base";
import { formatUtc } from "@turnpike/format";
import { listSigningKeys, rotateSigningKey } from "@turnpike/receipts";
import { type AdminContext, type Command, defineCommand } from "./command.ts";
import { findSealer } from "./find-sealer.ts";
import { writeTable } from "./write-table.ts";

const columns = [{ title: "ID" }, { title: "Created" }, { title: "State" }];

export const signingKeyCommands = {
  "signing-key list": defineCommand({
    required: [],
    optional: [],
    summary: "the keys of receipts, oldest first",
    async run({ db }) {
      const keys = await listSigningKeys(db());
      const rows = keys.map(({ id, createdAt, retiredAt }) => [
        id,
        formatUtc(createdAt),
        retiredAt === null ? "signs" : `retired on ${formatUtc(retiredAt)}`,
      ]);
      const lines = rows.length === 0 ? [] : writeTable(columns, rows);
      return { json: { keys }, text: lines.length > 0 ? lines : ["No key signs receipts yet."] };
    },
  }),
  "signing-key rotate": defineCommand({
    required: [],
    optional: [],
    summary: "a new key signs receipts from now on; the old one stays published",
    async run(context) {
      const { id, replacedId } = await rotateSigningKey(context.db(), requireSealer(context));
      const before = replacedId === undefined ? "" : ` instead of ${replacedId}`;
      return {
        json: { id, replacedId: replacedId ?? null },
        text: [`Key ${id} signs receipts${before}, on every instance within a minute.`],
      };
    },
  }),
} satisfies Record<string, Command>;

function requireSealer(context: AdminContext): Sealer {
  const sealer = findSealer(context);
  if (sealer !== undefined) return sealer;
  throw new Fault("not_found", "No key seals secrets: set SEALING_KEY as the server has it.");
}
