// The operator's terms and privacy policy (`TERMS_FILE`, `PRIVACY_FILE`), as Markdown for the console's pages. They are read
// at the start: a newer file counts after a restart.
import { readFileSync } from "node:fs";
import type { Elysia } from "elysia";
import { type Config, ConfigError } from "../../config.ts";

type Files = Pick<Config, "TERMS_FILE" | "PRIVACY_FILE">;

export function registerLegal(app: Pick<Elysia, "get">, config: Files): void {
  for (const [name, text] of Object.entries(readLegal(config))) {
    app.get(`/legal/${name}.md`, () => {
      const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" };
      return new Response(text, { headers });
    });
  }
}

/** Throws ConfigError for files that cannot be read. */
export function readLegal({ TERMS_FILE, PRIVACY_FILE }: Files): Readonly<Record<string, string>> {
  const mistakes: string[] = [];
  const texts = {
    ...readText("terms", "TERMS_FILE", TERMS_FILE, mistakes),
    ...readText("privacy", "PRIVACY_FILE", PRIVACY_FILE, mistakes),
  };
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return texts;
}

function readText(name: string, setting: string, path: string | undefined, mistakes: string[]) {
  if (path === undefined) return {};
  try {
    return { [name]: readFileSync(path, "utf8") };
  } catch {
    mistakes.push(`${setting}: ${path} cannot be read; it must be a Markdown file.`);
    return {};
  }
}
