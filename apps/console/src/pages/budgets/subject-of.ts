// Whose budget it is, in words, and the page that shows what it counts.
import type { Budget } from "../shared/use-budgets.ts";

type Subject = {
  readonly name: string;
  readonly href: string | undefined;
};

export function subjectOf({ kind, subjectId, subjectName }: Budget): Subject {
  switch (kind) {
    case "account":
      return { name: subjectName || "The account", href: undefined };
    case "project":
      return { name: subjectName, href: `/usage?projects=${subjectId}` };
    case "member":
      return { name: subjectName, href: undefined };
    case "key":
      return { name: subjectName, href: `/keys/${subjectId}` };
  }
}
