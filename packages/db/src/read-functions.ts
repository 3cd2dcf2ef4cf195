// The SQL functions of a folder such as `drizzle/functions/`. A hash tells whether a database has the same
// text.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export type FunctionFile = {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
};

export async function readFunctions(folder: string): Promise<readonly FunctionFile[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return { name, text, sha256: new Bun.CryptoHasher("sha256").update(text).digest("hex") };
    }),
  );
}
