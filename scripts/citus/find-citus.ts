// Finds a PostgreSQL on this machine that has Citus: distributions keep each version in its own folder.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [versions, extensions] = ["/usr/lib/postgresql", "/usr/share/postgresql"];

/** The folder of `initdb` and `postgres`; undefined where Citus is not installed. */
export function findCitus(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const version = readdirSync(versions).find((name) =>
    existsSync(join(extensions, name, "extension/citus.control")),
  );
  return version === undefined ? undefined : join(versions, version, "bin");
}

export const citusMissing =
  "Citus is not installed: a PostgreSQL in /usr/lib/postgresql with the extension citus is needed";
