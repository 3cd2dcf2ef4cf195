// The one question the console asks when the server wants a recent proof of who is there. Requests
// that wait for it at the same time share one answer.
import { type Accessor, createSignal } from "solid-js";

type Prompt = { readonly answer: (proved: boolean) => void };

const [prompt, setPrompt] = createSignal<Prompt>();
let shared: Promise<boolean> | undefined;

/** The question that is open, for the dialog. */
export const openPrompt: Accessor<Prompt | undefined> = prompt;

/** Resolves to true once the person proved themselves, to false when they gave up. */
export function askForProof(): Promise<boolean> {
  shared ??= new Promise<boolean>((resolve) => {
    setPrompt({
      answer(proved) {
        shared = undefined;
        setPrompt(undefined);
        resolve(proved);
      },
    });
  });
  return shared;
}
