// The version of this build: `/livez`, the operators' desk and `bun run admin --version` show it.
import manifest from "../package.json" with { type: "json" };

export const version = manifest.version;
