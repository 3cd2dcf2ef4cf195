// The end of a call that held no money: counted in the metrics, and if its caller is known, shown in Logs without money.
// Called in one place, where calls end: stages throw Faults and add what they know to the record of the call.
import { type Fault, toFault } from "@turnpike/base";
import { faultOfThrown } from "@turnpike/db";
import { brokenRuleOf } from "@turnpike/keys";
import { findModel, type ParsedRequest } from "@turnpike/wire";
import type { Call, Gateway, IncomingCall } from "../gateway.ts";
import { reachedBudgetOf } from "../money/hold-fault.ts";
import { refusalTiming } from "../server-timing.ts";

/** Returns the Fault to answer with, and records it unless the end of the call already is. */
export function refuseCall(
  gateway: Pick<Gateway, "metrics" | "freeCalls">,
  call: IncomingCall & Partial<Pick<Call<ParsedRequest>, "text">>,
  thrown: unknown,
): Fault {
  const { record } = call;
  if (record.isRecorded) return toFault(thrown);
  record.isRecorded = true;
  const { facts, admission } = record;
  const fault = faultOfThrown(thrown);
  admission?.end(0);
  const status = call.errors.statusOf(fault);
  const elapsedMs = performance.now() - call.receivedAtMs;
  // A name that the body was not read to is not counted: callers may choose any.
  const model = facts?.model || undefined;
  gateway.metrics.requestEnded({ model, status, outcome: fault.code });
  const { code } = fault;
  call.trace?.end({ status, outcome: code, error: code, model, accountId: facts?.accountId });
  if (facts !== undefined) {
    facts.model ||= call.text === undefined ? "" : findModel(call.text);
    facts.status = status;
    facts.outcome = "refused";
    facts.errorCode = code;
    facts.totalMs = elapsedMs;
    facts.usageDetails = { refusal: describeRefusal(fault) };
    gateway.freeCalls.record(facts);
  }
  const timing = { "server-timing": refusalTiming(elapsedMs, record.authMs) };
  return fault.withHeaders({ ...timing, ...admission?.headers });
}

function describeRefusal(fault: Fault) {
  return {
    message: fault.storedMessage,
    param: fault.details.param,
    budget: reachedBudgetOf(fault),
    guardrail: brokenRuleOf(fault),
  };
}
