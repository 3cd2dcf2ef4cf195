// `bun run pictures [page …]`: takes pictures of the console's pages, as PNGs.
import { takePictures } from "../test/run-tests.ts";

process.exit(await takePictures(process.argv.slice(2)));
