// `/v1/messages/batches` as Anthropic's clients ask: batches of the project of the calling key, which pays for their calls. What belongs to
// another project or account is answered as what never existed.
import { type BatchId, Fault, formatMessageBatchId, parseMessageBatchId } from "@turnpike/base";
import {
  type BatchScope,
  cancelBatch,
  deleteBatch,
  listBatches,
  queryBatch,
  readResults,
  type StoredBatch,
  submitBatch,
} from "@turnpike/batches";
import type { ObjectOwner } from "@turnpike/objects";
import {
  batchKeptSeconds,
  deletedMessageBatchBody,
  type MessageBatchView,
  messageBatchBody,
  messageBatchListBody,
  messageResultLine,
  messagesProtocol,
  parseMessageBatch,
  parseMessageBatchQuery,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import type { CallIds } from "../answers/answer-fault.ts";
import type { FileAccess, FindFileAccess } from "../files/find-file-access.ts";
import { publicOrigin } from "../routes/describe-url.ts";
import { answerJson, pathBehind, registerRoute } from "../routes/route.ts";
import { answerLines } from "./answer-lines.ts";
import { readBatchBody } from "./read-batch-body.ts";
import { stillRuns } from "./register-batches.ts";

const path = "/v1/messages/batches";
const prefix = `${path}/`;

export function registerMessageBatches(
  app: Pick<Elysia, "all">,
  services: Services,
  access: FindFileAccess,
): void {
  const viewFor = (request: Request) => {
    const origin = publicOrigin(services.config, new URL(request.url));
    return (batch: StoredBatch) => toView(batch, origin);
  };
  const answer = (ids: CallIds, body: object) =>
    answerJson(ids, body, messagesProtocol.errors.idHeaders?.(ids.requestId));
  registerRoute(app, services, path, {
    async GET(request, ids) {
      const { objects, owner, run } = await access(request);
      const query = parseMessageBatchQuery(new URL(request.url).searchParams);
      const { limit, afterId, beforeId } = query;
      const page = { limit, after: parseCursor(afterId), before: parseCursor(beforeId) };
      const found = await run((db) => listBatches(db, objects.sealer, inScope(owner), page));
      const views = found.batches.map(viewFor(request));
      return answer(ids, messageBatchListBody(views, found.hasMore));
    },
    async POST(request, ids) {
      const found = await access(request);
      const created = await readBatchBody(services, request, found, (text) => create(found, text));
      return answer(ids, messageBatchBody(viewFor(request)(created)));
    },
  });
  registerRoute(app, services, `${prefix}:id`, {
    async GET(request, ids) {
      const batch = await find(await access(request), idOf(request));
      return answer(ids, messageBatchBody(viewFor(request)(batch)));
    },
    async DELETE(request, ids) {
      const { objects, owner, run } = await access(request);
      const id = idOf(request);
      const outcome = await deleteBatch(run, objects, inScope(owner), id);
      if (outcome === "absent") throw noBatch();
      if (outcome === "running") throw stillRuns();
      return answer(ids, deletedMessageBatchBody(formatMessageBatchId(id)));
    },
  });
  registerRoute(app, services, `${prefix}:id/cancel`, {
    async POST(request, ids) {
      const { objects, owner, run } = await access(request);
      const id = idOf(request);
      const batch = await run((db) => cancelBatch(db, objects, inScope(owner), id));
      if (batch === undefined) throw noBatch();
      return answer(ids, messageBatchBody(viewFor(request)(batch)));
    },
  });
  registerRoute(app, services, `${prefix}:id/results`, {
    GET: async (request, ids) => answerResults(request, ids, await access(request)),
  });
}

function inScope(owner: ObjectOwner): BatchScope {
  return { owner, forms: ["anthropic"] };
}

function create({ keyId, objects, owner, run }: FileAccess, text: string): Promise<StoredBatch> {
  return submitBatch(run, objects, {
    form: "anthropic",
    endpoint: "/v1/messages",
    calls: parseMessageBatch(text),
    metadata: null,
    outputKeptSeconds: batchKeptSeconds,
    owner,
    keyId,
  });
}

async function find({ objects, owner, run }: FileAccess, id: BatchId): Promise<StoredBatch> {
  const batch = await run((db) => queryBatch(db, objects.sealer, inScope(owner), id));
  if (batch === undefined) throw noBatch();
  return batch;
}

async function answerResults(request: Request, ids: CallIds, found: FileAccess): Promise<Response> {
  const batch = await find(found, idOf(request));
  if (batch.endedAt === null) {
    throw new Fault("not_found", "This batch has no results yet: its processing has not ended.");
  }
  const { objects, owner, run } = found;
  const lines = await readResults(run, objects, owner, batch);
  if (lines === undefined) {
    throw new Fault("not_found", "The results of this batch were deleted, or have expired.");
  }
  return answerLines(request, ids, "application/x-jsonl", translate(lines));
}

async function* translate(lines: NonNullable<Awaited<ReturnType<typeof readResults>>>) {
  for await (const { text } of lines) yield messageResultLine(text);
}

function toView(batch: StoredBatch, origin: string): MessageBatchView {
  const id = formatMessageBatchId(batch.id);
  return { ...batch, id, resultsUrl: `${origin}${prefix}${id}/results` };
}

/** Throws for what is no id as for the id of somebody else. */
function idOf(request: Request): BatchId {
  const [text = ""] = pathBehind(request, prefix).split("/");
  const id = parseMessageBatchId(text);
  if (id === undefined) throw noBatch();
  return id;
}

function parseCursor(text: string | undefined): BatchId | undefined {
  if (text === undefined) return undefined;
  const id = parseMessageBatchId(text);
  if (id === undefined) throw noBatch();
  return id;
}

function noBatch(): Fault {
  return new Fault(
    "not_found",
    "No batch of the project of this key has this id. GET /v1/messages/batches lists those there are.",
  );
}
