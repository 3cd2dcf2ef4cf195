// How the outcomes and operations of requests are called wherever usage and logs name them.

export const usageStatusNames = {
  ok: "Succeeded",
  client_error: "Refused (4xx)",
  server_error: "Failed (5xx)",
  canceled: "Canceled",
} as const;

export const operationNames = {
  chat: "Chat completion",
  embeddings: "Embeddings",
} as const;
