// `bun run size [COMMIT…]`: how large the product is in each commit, HEAD by default.
import { installDependencies } from "../install/install-dependencies.ts";
import { measureSize } from "./measure-size.ts";

await installDependencies();
const commits = process.argv.slice(2);
const sizes = await Promise.all(
  (commits.length === 0 ? ["HEAD"] : commits).map(async (commit) => {
    const { product, tests, snapshots, filesOfOneCall } = await measureSize(commit);
    return {
      commit,
      "product lines": product.lines,
      "product files": product.files,
      "test lines": tests.lines,
      "test files": tests.files,
      "lines of snapshots": snapshots.lines,
      "files of one call": filesOfOneCall,
    };
  }),
);
console.table(sizes);
