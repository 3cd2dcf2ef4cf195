// What people ask before they sign up.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For } from "solid-js";

const questions = [
  {
    question: "Is there a fee beside the price of the model?",
    answer: "No. A request costs its tokens times the price shown, and nothing else.",
    doc: "billing",
  },
  {
    question: "Are prompts and answers stored?",
    answer: "Not unless you switch it on for a project.",
    doc: "billing",
  },
  {
    question: "What happens when my balance runs out?",
    answer:
      "Requests are refused with 402 before a provider is called. You can have an email sent before that.",
    doc: "errors",
  },
  {
    question: "Can I limit what a key, a project or a person spends?",
    answer: "Yes: keys, projects, members and the whole account have limits and budgets.",
    doc: "budgets",
  },
] as const;

export function Questions(): JSX.Element {
  return (
    <section class="flex flex-col gap-5">
      <h2 class="text-xl font-semibold tracking-tight">Questions and answers</h2>
      <div class="divide-y divide-border rounded-card border border-border">
        <For each={questions}>
          {({ question, answer, doc }) => (
            <details class="px-5 py-3.5">
              <summary class="cursor-pointer font-medium">{question}</summary>
              <p class="mt-2 text-muted">
                {answer}{" "}
                <A href={`/docs/${doc}`} class="link">
                  Read more
                </A>
              </p>
            </details>
          )}
        </For>
      </div>
    </section>
  );
}
