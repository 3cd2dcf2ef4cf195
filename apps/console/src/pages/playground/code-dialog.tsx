// The next request as code: conversation, settings, and the current draft.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import { CodeSnippet } from "../../ui/code-snippet.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { shorten } from "./attachments.ts";
import { type Message, type Model, newMessage, requestOf } from "./conversation.ts";
import type { Playground } from "./create-playground.ts";
import { requestSnippets } from "./request-snippets.ts";

type CodeDialogProps = {
  playground: Playground;
  models: readonly Model[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

export default function CodeDialog(props: CodeDialogProps): JSX.Element {
  const config = useConfig();
  const snippets = createMemo(() => {
    if (config.data === undefined || !props.open) return [];
    const { columns, draft, attached } = props.playground;
    const first = columns()[0]?.asked();
    if (first === undefined) return [];
    const typed = draft().trim() === "" ? [] : [newMessage("user", draft().trim(), attached())];
    const messages = [...first.messages, ...typed].map(readable);
    const asked =
      messages.length > 0
        ? messages
        : [newMessage("user", "Explain prepaid billing in two sentences.")];
    const model = props.models.find((one) => one.id === first.model);
    return requestSnippets(config.data.apiBaseUrl, requestOf({ ...first, messages: asked }, model));
  });
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="View code"
      description="Reads your key from API_KEY."
      shape="wide"
    >
      <CodeSnippet snippets={snippets()} />
    </Dialog>
  );
}

function readable(message: Message): Message {
  const { attachments } = message;
  return attachments ? { ...message, attachments: attachments.map(shorten) } : message;
}
