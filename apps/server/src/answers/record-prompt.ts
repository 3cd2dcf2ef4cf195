// Has the prompt and the answer of a call stored, if its project wants that. The call is answered as if nobody looked.
import type { FaultCode } from "@turnpike/base";
import { faultOfThrown } from "@turnpike/db";
import type { Answer, Call } from "@turnpike/gateway";
import type { PromptStorage } from "@turnpike/keys";
import type { PromptLog, PromptRecord } from "@turnpike/prompts";
import type { ParsedRequest } from "@turnpike/wire";
import { isAudio } from "./body-form.ts";
import { passOnBody } from "./pass-on-body.ts";

/** How calls fail that a provider may have seen. Those that were refused here say nothing worth keeping. */
const failures: ReadonlySet<FaultCode> = new Set([
  "upstream_rejected",
  "content_filter",
  "bad_gateway",
  "upstream_timeout",
  "upstream_rate_limited",
  "upstream_overloaded",
  "client_closed_request",
  "shutting_down",
  "internal_error",
]);

type AskedCall = Pick<Call<ParsedRequest>, "principal" | "generationId" | "text">;

/** Resolves and rejects as `answering` does; for nearly all calls it is `answering` itself. */
export function recordPrompt(
  log: PromptLog,
  call: AskedCall,
  answering: Promise<Answer>,
): Promise<Answer> {
  const { prompts } = call.principal;
  return prompts === undefined ? answering : recordStored(log, call, prompts, answering);
}

async function recordStored(
  log: PromptLog,
  call: AskedCall,
  storage: PromptStorage,
  answering: Promise<Answer>,
): Promise<Answer> {
  const { principal, generationId, text } = call;
  const record = log.begin({ accountId: principal.accountId, generationId, storage, text });
  if (record === undefined) return answering;
  try {
    return recordAnswer(record, await answering);
  } catch (thrown) {
    const { code, message } = faultOfThrown(thrown);
    if (failures.has(code)) record.end(JSON.stringify({ error: { code, message } }));
    else record.drop();
    throw thrown;
  }
}

function recordAnswer(record: PromptRecord, answer: Answer): Answer {
  if (typeof answer.body === "string") {
    record.end(answer.body);
    return answer;
  }
  const { body, read, sent } = passOnBody(answer.body, record.add);
  const type = answer.headers["content-type"];
  const end = isAudio(answer.headers)
    ? () => record.endAudio(JSON.stringify({ audio: type }))
    : record.endStream;
  // An answer that broke off is stored as far as it came.
  void Promise.allSettled([read, answer.ended]).then(end);
  return { ...answer, body, sent };
}
