// The step-up prompt, shown when the server requires a recent password. Requests that wait for it at the
// same time share one answer.
import { type Accessor, createSignal } from "solid-js";

type Prompt = { readonly answer: (proved: boolean) => void };

const [prompt, setPrompt] = createSignal<Prompt>();
let shared: Promise<boolean> | undefined;

/** The open prompt, for the dialog. */
export const openPrompt: Accessor<Prompt | undefined> = prompt;

/** Resolves to true once the password was accepted, to false when the prompt was canceled. */
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
