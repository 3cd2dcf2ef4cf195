// Opens a request of Logs in the playground: its messages and parameters where they are stored, else its model.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createEffect } from "solid-js";
import { api } from "../../../lib/api.ts";
import { readFailure } from "../../../lib/read-failure.ts";
import { useConfig, useMay } from "../../../lib/session.ts";
import { useQuery } from "../../../lib/use-query.ts";
import { showToast } from "../../../ui/notices/toasts.tsx";
import { Loaded } from "../../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../../ui/states/skeleton.tsx";
import type { Conversation } from "../conversation/conversation.ts";
import { hasOtherRouting, replayRequest } from "./replay-request.ts";

type ReplayProps = { id: string; onRead: (conversation: Conversation) => void };

export default function Replay(props: ReplayProps): JSX.Element {
  const client = useQueryClient();
  const config = useConfig();
  const mayRead = useMay("prompts.read");
  const query = useQuery(() => ({
    queryKey: ["logs", "replay", props.id],
    queryFn: async () => {
      const detail = await client.fetchQuery({
        queryKey: ["logs", "detail", props.id],
        queryFn: ({ signal }) => api.logs.detail.query({ id: props.id }, { signal }),
      });
      const stored = config.data?.prompts && mayRead() ? await queryStored(props.id) : undefined;
      return { conversation: replayRequest(detail, stored), stored };
    },
    enabled: config.data !== undefined,
    retry: false,
    gcTime: 0,
  }));
  createEffect(() => {
    if (query.data === undefined) return;
    const { conversation, stored } = query.data;
    if (stored === undefined) showToast("Its prompt is not stored: only the model was taken over.");
    else if (stored.truncated.request) showToast("Its prompt is longer than what is stored of it.");
    if (hasOtherRouting(stored?.request)) {
      showToast("Its routing rules were left out: another provider may answer.");
    }
    props.onRead(conversation);
  });
  return (
    <Loaded query={query} what="this request">
      {() => <SkeletonRows />}
    </Loaded>
  );
}

async function queryStored(id: string) {
  try {
    return await api.logs.prompt.query({ id });
  } catch (error) {
    if (readFailure(error).code === "not_found") return undefined;
    throw error;
  }
}
