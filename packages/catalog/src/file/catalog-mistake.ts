// What is wrong with a catalog file, and where. All mistakes are reported together, so that an operator
// corrects a file once, not once per mistake.

import type { core } from "zod";

export type CatalogMistake = {
  /** `models[3].prices.output`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
};

/** Thrown for a file that must not be applied. `message` has one line per mistake. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly mistakes: readonly CatalogMistake[];

  constructor(mistakes: readonly CatalogMistake[]) {
    const lines = mistakes.map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`,
    );
    super(`the catalog has ${mistakes.length} mistake(s)\n${lines.join("\n")}`);
    this.mistakes = mistakes;
  }
}

/** `["models", 3, "prices"]` as people write it. */
export function showPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((shown, part) => {
    if (typeof part === "number") return `${shown}[${part}]`;
    return shown === "" ? String(part) : `${shown}.${String(part)}`;
  }, "");
}

/** Zod's findings under `path` in the catalog's terms; an unknown field gets its own path. */
export function describeIssues(
  issues: readonly core.$ZodIssue[],
  path: readonly PropertyKey[],
): CatalogMistake[] {
  return issues.flatMap((issue) => {
    const place = [...path, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        path: showPath([...place, key]),
        message: "unknown field",
      }));
    }
    return [{ path: showPath(place), message: issue.message }];
  });
}
