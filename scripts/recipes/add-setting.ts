// "Add a setting" that chooses what `/livez` answers.
import type { Recipe } from "./recipe.ts";

export const addSetting: Recipe = {
  title: "Add a setting",
  edits: [
    {
      file: "apps/server/src/config.ts",
      before: '  LOG_LEVEL: z.enum(["trace"',
      insert: '  LIVEZ_TEXT: z.string().max(100).default("ok"),',
    },
    {
      file: "describe-instance.ts",
      before: '  LOG_LEVEL: "value",',
      insert: '  LIVEZ_TEXT: "value",',
    },
    {
      file: "docs/configuration.md",
      before: "| `LOG_LEVEL` ",
      insert: "| `LIVEZ_TEXT` | `ok` | what `/livez` answers |",
    },
    { file: ".env.example", before: "LOG_LEVEL=", insert: "LIVEZ_TEXT=" },
    {
      file: "apps/server/src/http/public/health.ts",
      replace: 'plain(200, ["ok", ',
      by: "plain(200, [services.config.LIVEZ_TEXT, ",
    },
  ],
};
