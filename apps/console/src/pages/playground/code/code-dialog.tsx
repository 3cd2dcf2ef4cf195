// The next request as code: conversation, settings, and the current draft.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { useConfig } from "../../../lib/session.ts";
import { CodeSnippet } from "../../../ui/code/code-snippet.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { shorten } from "../composer/attachments.ts";
import { firstExample } from "../composer/examples.tsx";
import { newMessage, requestOf } from "../conversation/conversation.ts";
import type { Playground } from "../create-playground.ts";
import { requestSnippets } from "./request-snippets.ts";

export function CodeDialog(props: { playground: Playground }): JSX.Element {
  const config = useConfig();
  const { attached, columns, draft, modelOf, setSheet, sheet } = props.playground;
  const isOpen = () => sheet() === "code";
  const snippets = createMemo(() => {
    if (config.data === undefined || !isOpen()) return [];
    const first = columns()[0]?.asked();
    if (first === undefined) return [];
    const typed = draft().trim() === "" ? [] : [newMessage("user", draft().trim(), attached())];
    const messages = [...first.messages, ...typed].map((message) => ({
      ...message,
      attachments: message.attachments.map(shorten),
    }));
    const asked = messages.length > 0 ? messages : [newMessage("user", firstExample)];
    const request = requestOf({ ...first, messages: asked }, modelOf(first.model));
    return requestSnippets(config.data.apiBaseUrl, request);
  });
  return (
    <Dialog
      open={isOpen()}
      onOpenChange={() => setSheet(undefined)}
      title="View code"
      description="Reads your key from API_KEY."
      shape="wide"
    >
      <CodeSnippet snippets={snippets()} />
    </Dialog>
  );
}
