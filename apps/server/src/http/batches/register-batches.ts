// `/v1/batches` as OpenAI's and OpenRouter's clients ask: batches of the project of the calling key, which pays for their lines. Those of the
// latter have their calls in the request and their results in the answer. What belongs to another project or account is answered as what
// never existed.

import {
  type BatchId,
  Fault,
  formatBatchId,
  formatFileId,
  type ObjectId,
  parseBatchId,
  parseFileId,
} from "@turnpike/base";
import {
  type BatchScope,
  cancelBatch,
  createBatch,
  deleteBatch,
  listBatches,
  noInputFile,
  queryBatch,
  readResults,
  type StoredBatch,
  submitBatch,
} from "@turnpike/batches";
import type { ObjectOwner } from "@turnpike/objects";
import {
  type BatchView,
  batchBody,
  batchKeptSeconds,
  batchListBody,
  deletedInlineBatchBody,
  inlineBatchBody,
  inlineResult,
  parseBatchQuery,
  parseNewBatch,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import type { CallIds } from "../answers/answer-fault.ts";
import type { FileAccess, FindFileAccess } from "../files/find-file-access.ts";
import { openRouterBetaBase } from "../routes/api-base.ts";
import {
  answerJson,
  type Methods,
  pathBehind,
  registerPath,
  registerRoute,
} from "../routes/route.ts";
import { answerLines } from "./answer-lines.ts";
import { readBatchBody } from "./read-batch-body.ts";

/** Behind every base. */
const prefix = "/batches/";

export function registerBatches(
  app: Pick<Elysia, "all">,
  services: Services,
  access: FindFileAccess,
): void {
  const register = (path: string, methods: Methods) => {
    registerRoute(app, services, `/v1${path}`, methods);
    registerPath(app, services, openRouterBetaBase + path, methods);
  };
  register("/batches", {
    async GET(request, ids) {
      const { objects, owner, run } = await access(request);
      const { after: text, limit } = parseBatchQuery(new URL(request.url).searchParams);
      const after = text === undefined ? undefined : parseBatchId(text);
      if (text !== undefined && after === undefined) throw noBatch("after");
      const page = { limit, after };
      const found = await run((db) => listBatches(db, objects.sealer, inScope(owner), page));
      return answerJson(ids, batchListBody(found.batches.map(toBody), found.hasMore));
    },
    async POST(request, ids) {
      const found = await access(request);
      const created = await readBatchBody(services, request, found, (text) => create(found, text));
      return answerJson(ids, toBody(created), {}, created.form === "openrouter" ? 202 : 200);
    },
  });
  register(`${prefix}:id`, {
    async GET(request, ids) {
      const found = await access(request);
      const id = idOf(request);
      const { objects, owner, run } = found;
      const batch = await run((db) => queryBatch(db, objects.sealer, inScope(owner), id));
      if (batch === undefined) throw noBatch("id");
      return batch.form === "openrouter"
        ? answerWithResults(request, ids, found, batch)
        : answerJson(ids, toBody(batch));
    },
    async DELETE(request, ids) {
      const { objects, owner, run } = await access(request);
      const id = idOf(request);
      const outcome = await deleteBatch(run, objects, inScope(owner), id);
      if (outcome === "absent") throw noBatch("id");
      if (outcome === "running") throw stillRuns();
      return answerJson(ids, deletedInlineBatchBody(formatBatchId(id)));
    },
  });
  register(`${prefix}:id/cancel`, {
    async POST(request, ids) {
      const { objects, owner, run } = await access(request);
      const id = idOf(request);
      const batch = await run((db) => cancelBatch(db, objects, inScope(owner), id));
      if (batch === undefined) throw noBatch("id");
      return answerJson(ids, toBody(batch));
    },
  });
}

function inScope(owner: ObjectOwner): BatchScope {
  return { owner, forms: ["openai", "openrouter"] };
}

function create({ keyId, objects, owner, run }: FileAccess, text: string): Promise<StoredBatch> {
  const { form, fields } = parseNewBatch(text);
  if (form === "openrouter") {
    const rest = { metadata: null, outputKeptSeconds: batchKeptSeconds };
    return submitBatch(run, objects, { ...fields, ...rest, form, owner, keyId });
  }
  const { inputFileId, ...given } = fields;
  const inputObjectId = parseFileId(inputFileId);
  if (inputObjectId === undefined) throw noInputFile();
  return run((db) => createBatch(db, objects, { ...given, owner, keyId, inputObjectId }));
}

/** Its results are read while they are sent. Null if it has no results, or they were deleted. */
async function answerWithResults(
  request: Request,
  ids: CallIds,
  { objects, owner, run }: FileAccess,
  batch: StoredBatch,
): Promise<Response> {
  const { results, ...body } = inlineBatchBody(toView(batch), batch.model);
  const isOver = batch.endedAt !== null && batch.state !== "failed";
  const lines = isOver ? await readResults(run, objects, owner, batch) : undefined;
  if (lines === undefined) return answerJson(ids, { ...body, results });
  const head = `${JSON.stringify(body).slice(0, -1)},"results":[`;
  return answerLines(request, ids, "application/json", inArray(head, lines));

  async function* inArray(begin: string, read: NonNullable<typeof lines>) {
    let separator = begin;
    for await (const { text, isGood } of read) {
      yield separator + inlineResult(text, isGood);
      separator = ",";
    }
    yield separator === begin ? `${begin}]}` : "]}";
  }
}

function toBody(batch: StoredBatch) {
  const view = toView(batch);
  return batch.form === "openrouter" ? inlineBatchBody(view, batch.model) : batchBody(view);
}

function toView({
  inputObjectId,
  outputObjectId,
  errorObjectId,
  ...batch
}: StoredBatch): BatchView {
  const idOfFile = (id: ObjectId | null) => (id === null ? null : formatFileId(id));
  return {
    ...batch,
    id: formatBatchId(batch.id),
    inputFileId: formatFileId(inputObjectId),
    outputFileId: idOfFile(outputObjectId),
    errorFileId: idOfFile(errorObjectId),
  };
}

/** Throws for what is no id as for the id of somebody else. */
function idOf(request: Request): BatchId {
  const [text = ""] = pathBehind(request, prefix).split("/");
  const id = parseBatchId(text);
  if (id === undefined) throw noBatch("id");
  return id;
}

function noBatch(param: string): Fault {
  const sentence =
    "No batch of the project of this key has this id. GET /v1/batches lists those there are.";
  return new Fault("not_found", sentence, { param });
}

/** For a batch that is to be deleted. */
export function stillRuns(): Fault {
  return new Fault("conflict", "This batch is not over. Cancel it first, and wait until it ends.");
}
