// The version of this build: `/livez`, the operators' desk and `bun run admin --version` say it.
import manifest from "../package.json" with { type: "json" };

export const version = manifest.version;
