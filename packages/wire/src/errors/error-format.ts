// How a language writes refusals: each has its own statuses, headers and bodies for the same Faults, and
// a client that gets another language's error shows its user nothing useful.
import type { Fault } from "@turnpike/base";
import { answerForFault, type FaultAnswer, statusOfFault } from "./fault-answer.ts";

export type ErrorFormat = {
  /** The status of `answer`, for records and metrics. */
  readonly statusOf: (fault: Fault) => number;
  /** Headers of a successful answer in which clients of this language look for the request id. */
  readonly idHeaders?: (requestId: string) => Readonly<Record<string, string>>;
  /** `requestId` is the `req_…` of the call, for languages that repeat it in the body. */
  readonly answer: (fault: Fault, requestId: string) => FaultAnswer;
};

export const openaiErrors: ErrorFormat = { statusOf: statusOfFault, answer: answerForFault };
