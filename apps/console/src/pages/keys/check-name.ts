// The name of a key, as a form checks it; the server checks it again.
import { t } from "./texts.ts";

const nameMax = 64;

export function checkName(name: string): string | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return t("create.nameMissing");
  return [...trimmed].length > nameMax ? t("create.nameLong") : undefined;
}
