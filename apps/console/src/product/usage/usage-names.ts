// How the outcomes and operations of requests are called wherever usage and logs name them.
import { type Operation, operations, operationTable, type RequestClass } from "@turnpike/terms";

export const usageStatusNames = {
  ok: "Succeeded",
  client_error: "Refused (4xx)",
  server_error: "Failed (5xx)",
  canceled: "Canceled",
} as const satisfies Record<RequestClass, string>;

export const operationNames = Object.fromEntries(
  operations.map((operation) => [operation, operationTable[operation].label]),
) as Record<Operation, string>;
