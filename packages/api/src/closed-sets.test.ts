// What the console offers is what the API takes: every word of a closed set, and no other.
import { expect, test } from "bun:test";
import {
  callerNames,
  graceSeconds,
  operations,
  origins,
  overlapHours,
  statusClasses,
  webhookMessageStates,
} from "@turnpike/terms";
import type { z } from "zod";
import { rotateKeyInput } from "./routers/keys.ts";
import { logsInput } from "./routers/logs.ts";
import { messagesInput, rotateSecretInput } from "./routers/webhooks.ts";

const fields: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
  ["statusClass", logsInput.shape.statusClass, statusClasses],
  ["origin", logsInput.shape.origin, origins],
  ["operation", logsInput.shape.operation, operations],
  ["without", logsInput.shape.without, callerNames.map((name) => [name])],
  ["graceSeconds", rotateKeyInput.shape.graceSeconds, graceSeconds],
  ["overlapHours", rotateSecretInput.shape.overlapHours, overlapHours],
  ["state", messagesInput.shape.state, webhookMessageStates],
];

test.each(fields)("%s takes every word that there is, and no other", (_, field, words) => {
  for (const word of words) expect(field.safeParse(word).data).toEqual(word);
  for (const other of ["other", "", 2, ["other"]]) {
    expect(field.safeParse(other).success).toBe(false);
  }
});
