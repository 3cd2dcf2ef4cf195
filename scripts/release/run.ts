// `bun run release 1.2.3`: see cut-release.ts. Afterwards the change is reviewed, committed and tagged.
import { join } from "node:path";
import { installDependencies } from "../install/install-dependencies.ts";
import { cutRelease } from "./cut-release.ts";

await installDependencies();
const [version = ""] = process.argv.slice(2);
const day = new Date().toISOString().slice(0, 10);
const refused = cutRelease(join(import.meta.dirname, "../.."), version, day);
if (refused !== undefined) {
  console.error(`usage: bun run release VERSION\n${refused}`);
  process.exit(2);
}
console.log(
  `Every package has version ${version}. Commit, tag v${version}, and build from the tag.`,
);
