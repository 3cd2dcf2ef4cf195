// Why a waiting caller need not wait any longer: it has disconnected, or the process ends its answers.
import {
  clientClosed,
  type Fault,
  offSharedAbort,
  onSharedAbort,
  shuttingDown,
} from "@turnpike/base";

/** `promise` resolves with the Fault to answer with; call `unwatch` at the end. */
export type Gone = { readonly promise: Promise<Fault>; readonly unwatch: () => void };

export function watchGone(client: AbortSignal, end: AbortSignal): Gone {
  const { promise, resolve } = Promise.withResolvers<Fault>();
  const onLeave = () => resolve(clientClosed());
  const ending = { handleAbort: () => resolve(shuttingDown()) };
  if (client.aborted) onLeave();
  client.addEventListener("abort", onLeave, { once: true });
  onSharedAbort(end, ending);
  return {
    promise,
    unwatch() {
      client.removeEventListener("abort", onLeave);
      offSharedAbort(end, ending);
    },
  };
}
