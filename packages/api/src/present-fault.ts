// A Fault as the console reads it, in tRPC's shape; also for requests that never reach tRPC.

import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import type { Fault, FaultCode } from "@turnpike/base";
import { trpcErrorOf } from "./fault-to-trpc.ts";

/** What the console finds in `error.data`. */
export type FaultData = {
  readonly code: string;
  readonly httpStatus: number;
  readonly fault: FaultCode;
  readonly param?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly retryAfterMs?: number;
  /** `req_…`, for people to quote. */
  readonly requestId: string;
};

export function faultData(fault: Fault, requestId: string): FaultData {
  const error = trpcErrorOf(fault);
  const { param, metadata, retryAfterMs } = fault.details;
  return {
    code: error.code,
    httpStatus: getHTTPStatusCodeFromError(error),
    fault: fault.code,
    ...(param !== undefined && { param }),
    ...(metadata !== undefined && { metadata }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    requestId,
  };
}

/** The whole answer to a request that is refused before any procedure is looked up. */
export function refusalOf(
  fault: Fault,
  requestId: string,
): { readonly status: number; readonly body: unknown } {
  const data = faultData(fault, requestId);
  const code = TRPC_ERROR_CODES_BY_KEY[trpcErrorOf(fault).code];
  return { status: data.httpStatus, body: { error: { message: fault.message, code, data } } };
}
