// A call whose prompt is priced or counted without running it: admitted like any other and free, so the
// time that counting takes is what it is limited by.
import { admitCall, type BodySlot, type Principal } from "@turnpike/gateway";
import type { ParsedRequest } from "@turnpike/wire";
import { rememberForEstimate } from "../../memory/remember-call.ts";
import { fillFiles } from "../files/fill-files.ts";
import { bodyMaxBytes, declaredBytes, readBody } from "../requests/read-body.ts";
import type { CallContext } from "./protocol-route.ts";
import { resolveForEstimate } from "./stored-items.ts";

export type MeasuredCall = {
  readonly principal: Principal;
  /** The body, with the files that it names, what it continues, and the items that it refers to. */
  readonly text: string;
  /** Parses the body, and counts the memory it takes until the answer exists. */
  readonly parse: <Parsed extends ParsedRequest>(read: (text: string) => Parsed) => Parsed;
};

/** Rejects with the Fault of the caller or of the body, or as `measure` does. */
export async function measureCall<Measured>(
  { services, authenticate }: CallContext,
  request: Request,
  measure: (call: MeasuredCall) => Promise<Measured>,
): Promise<Measured> {
  const { gateway } = services;
  await admitCall(gateway);
  const principal = await authenticate(request);
  gateway.countBudget.refuseSpent(principal.accountId);
  const slot = gateway.limiter.reserveSlot(principal, declaredBytes(request, bodyMaxBytes));
  try {
    const body = await readBody(request, bodyMaxBytes, { slot });
    const caller = { principal, headers: request.headers };
    const filled = await fillFiles(services, principal, body, slot);
    const continued = await rememberForEstimate(services, { principal, text: filled, slot });
    const text = await resolveForEstimate(services, caller, continued, slot);
    return await measure({ principal, text, parse: parseIn(slot, text) });
  } finally {
    slot.release();
  }
}

function parseIn(slot: BodySlot, text: string): MeasuredCall["parse"] {
  return (read) => {
    const parsed = read(text);
    slot.countParsed(parsed.parsedBytes ?? 0);
    return parsed;
  };
}
