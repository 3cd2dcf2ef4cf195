// Whose budget it is, in words, and the page that shows what it counts.
import type { Budget } from "../../product/limits/use-budgets.ts";

type Subject = {
  readonly name: string;
  readonly href: string | undefined;
};

export function subjectOf({ kind, subjectId, subjectName }: Budget): Subject {
  const hrefs = { project: `/usage?projects=${subjectId}`, key: `/keys/${subjectId}` };
  const href = kind === "project" || kind === "key" ? hrefs[kind] : undefined;
  return { name: subjectName || (kind === "account" ? "The account" : ""), href };
}
