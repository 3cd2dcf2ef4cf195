// What screen readers hear of running answers: only the start and the end, once for all columns.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { plural } from "../../../lib/plural.ts";
import type { Playground } from "../create-playground.ts";

export function Announcer(props: { playground: Playground }): JSX.Element {
  const said = createMemo<string>((before) => {
    const { columns, running } = props.playground;
    if (running()) return "Generating…";
    if (before === "" || columns().every(({ failure }) => failure())) return "";
    const [first, second] = columns();
    if (second) return "All responses finished.";
    const run = first?.thread.messages.at(-1)?.run;
    if (run?.ending?.kind === "stopped") return "Response stopped.";
    if (run?.ending?.kind === "failed") return "Response failed.";
    const tokens = run?.usage?.completionTokens ?? 0;
    const finished = `Response finished, ${tokens} token`;
    return plural(tokens, finished, `${finished}s`);
  }, "");
  return (
    <p class="sr-only" role="status">
      {said()}
    </p>
  );
}
