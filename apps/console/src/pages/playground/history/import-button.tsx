// Chooses the file of a conversation and reads it; what is wrong with it is shown below.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { Button } from "../../../ui/buttons/button.tsx";
import type { Conversation } from "../conversation/conversation.ts";
import { fileCharsMax, parseConversation } from "../conversation/parse-conversation.ts";
import { NotAConversation } from "../conversation/parse-fields.ts";

export function ImportButton(props: { onImport: (read: Conversation) => void }): JSX.Element {
  let field: HTMLInputElement | undefined;
  const [problem, setProblem] = createSignal<string>();
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    setProblem(undefined);
    try {
      // Reading it would take more memory than the answer is worth.
      if (file.size > fileCharsMax) throw new NotAConversation("The file is larger than 24 MB.");
      props.onImport(parseConversation(await file.text()));
    } catch (error) {
      const isKnown = error instanceof NotAConversation;
      setProblem(`${file.name} was not imported. ${isKnown ? error.message : "It can't be read."}`);
    }
  };
  return (
    <>
      <Show when={problem()}>
        <p role="alert" class="text-sm text-danger sm:order-first sm:me-auto sm:self-center">
          {problem()}
        </p>
      </Show>
      <Button onClick={() => field?.click()}>Import</Button>
      <input
        ref={(element) => (field = element)}
        type="file"
        hidden
        aria-label="Import a conversation"
        accept=".json,application/json"
        onChange={(event) => {
          void read(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
