// The operator's terms and privacy policy (`TERMS_FILE`, `PRIVACY_FILE`), as Markdown for the console's pages. They are read
// at the start: a newer file counts after a restart.
import { readFileSync } from "node:fs";
import type { Elysia } from "elysia";
import { type Config, ConfigError } from "../config.ts";

type Files = Pick<Config, "TERMS_FILE" | "PRIVACY_FILE">;

export function registerLegal(app: Pick<Elysia, "get">, config: Files): void {
  for (const [name, text] of Object.entries(readLegal(config))) {
    app.get(`/legal/${name}.md`, () => {
      const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" };
      return new Response(text, { headers });
    });
  }
}

/** Throws ConfigError for a file that cannot be read. */
export function readLegal({ TERMS_FILE, PRIVACY_FILE }: Files): Readonly<Record<string, string>> {
  return {
    ...(TERMS_FILE !== undefined && { terms: readText("TERMS_FILE", TERMS_FILE) }),
    ...(PRIVACY_FILE !== undefined && { privacy: readText("PRIVACY_FILE", PRIVACY_FILE) }),
  };
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new ConfigError([`${setting}: ${path} cannot be read; it must be a Markdown file.`]);
  }
}
