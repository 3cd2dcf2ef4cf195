// The SQL functions of this version, as `drizzle/functions/` has them. A hash tells whether a database has the same
// text.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type FunctionFile = {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
};

const ownFolder = fileURLToPath(new URL("../../../drizzle/functions", import.meta.url));

export async function readFunctions(folder = ownFolder): Promise<readonly FunctionFile[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return { name, text, sha256: new Bun.CryptoHasher("sha256").update(text).digest("hex") };
    }),
  );
}
