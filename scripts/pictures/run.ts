// `bun run pictures [page …]`: what the console looks like, as PNGs to look through.
import { takePictures } from "../test/run-tests.ts";

process.exit(await takePictures(process.argv.slice(2)));
