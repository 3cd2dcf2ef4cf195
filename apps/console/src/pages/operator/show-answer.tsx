// What a verb answered, where it says more than that it was done: such as the secret of a key that was made.
import { lazy } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { openDialog } from "../../ui/open-dialog.tsx";
import { describeResult, splitWords } from "./describe-result.ts";

const AnswerDialog = lazy(loadOnce(() => import("./answer-dialog.tsx")));

/** Without what was given. */
export function showAnswer(
  title: string,
  answer: unknown,
  given: Readonly<Record<string, unknown>>,
): void {
  if (typeof answer !== "object" || answer === null) return;
  const facts = Object.entries(answer)
    .filter(([name, value]) => given[name] !== value)
    .map(([name, value]) => [splitWords(name), describeResult(value)] as const)
    .filter(([, text]) => text !== "");
  if (facts.length > 0) {
    openDialog((close) => <AnswerDialog title={title} facts={facts} onClose={close} />);
  }
}
