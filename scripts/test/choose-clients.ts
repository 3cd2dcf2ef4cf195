// The clients of `bun run test:clients`: a folder below `matrix` has the tests of one, and a file below `smoke` those of
// the same name that `bun run test` runs as well.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export const clientsFolder = "apps/server/test/clients";

export function listClients(): readonly string[] {
  return readdirSync(join(root, clientsFolder, "matrix")).toSorted();
}

/** The files and folders to test, of all clients if none is named. Throws for a name that no client has. */
export function chooseClients(names: readonly string[]): readonly string[] {
  const clients = listClients();
  const unknown = names.filter((name) => !clients.includes(name));
  if (unknown.length > 0) {
    throw new Error(`No client is named ${unknown.join(", ")}. There are: ${clients.join(", ")}.`);
  }
  return (names.length > 0 ? names : clients).flatMap((name) => [
    `${clientsFolder}/smoke/${name}.test.ts`,
    `${clientsFolder}/matrix/${name}`,
  ]);
}
