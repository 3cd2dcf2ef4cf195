// Events that proxies put among those of an answer. They have the message of an error and no other sign of one.
export const notices = [
  { status: "processing", message: "Your request is queued" },
  { event: "ping", message: "keepalive" },
  { id: "gen-1", model: "x", message: "processing" },
  { message: "warming up", code: null, errors: [] },
] as const;
