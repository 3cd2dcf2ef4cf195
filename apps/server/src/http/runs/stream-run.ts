// The events of a run as its readers ask for them: from the first, or behind one that they have.
import { Fault } from "@turnpike/base";
import type { StoredRun } from "@turnpike/runs";
import type { HttpListener } from "../../listen.ts";
import type { MemoryAccess } from "../../memory/memory-access.ts";
import { followRun } from "../../runs/follow-run.ts";
import type { LiveRuns } from "../../runs/live-runs.ts";
import { streamHeaders } from "../../runs/start-run.ts";
import { answerHeaders, type CallIds } from "../answers/answer-fault.ts";

type Streams = { readonly liveRuns: LiveRuns };

type Asked = {
  readonly request: Request;
  readonly ids: CallIds;
  readonly listener: Pick<HttpListener, "keepUntilSent">;
};

export function streamRun(
  { liveRuns }: Streams,
  access: MemoryAccess,
  { id }: StoredRun,
  { request, ids, listener }: Asked,
): Response {
  const { body, sent } = followRun({ liveRuns, access, id, after: parseAfter(request) });
  // As of the stream of a call: one network has only so many at a time.
  listener.keepUntilSent(request, sent);
  return new Response(body, { headers: { ...answerHeaders(ids), ...streamHeaders } });
}

const digits = /^\d{1,9}$/;

/** The number of the last event that the reader has, as the query says it or a browser; -1 if it has none. */
function parseAfter({ url, headers }: Request): number {
  const text = new URL(url).searchParams.get("starting_after") || headers.get("last-event-id");
  if (text === null || text === "") return -1;
  if (digits.test(text)) return Number(text);
  throw new Fault(
    "invalid_value",
    "Invalid 'starting_after': send the number of the last event that you have, or omit it for all.",
    { param: "starting_after" },
  );
}
