// What is known of a call so far: each stage adds what it learns, and whatever ends the call reads it here.
import type { CallFacts } from "@turnpike/ledger";
import type { Admission } from "./rates/limit-rates.ts";

export class CallRecord {
  /** Its row in Logs, once its caller is known: nobody else could read it. */
  facts: CallFacts | undefined;
  /** How long authentication took, once it is over. */
  authMs: number | undefined;
  /** What it was granted of the rates of its key. */
  admission: Admission | undefined;
  /** How it ended is recorded, or will be when it is charged. */
  isRecorded = false;
}
