// Abort listeners for signals that live as long as the process: one native listener per signal, however
// many calls wait for it. A native listener per call would cost each call a microsecond or two.

/** An object, so that one which lives as long as its call listens without a closure. */
export type AbortListener = { handleAbort(): void };

type Listeners = Set<AbortListener>;

const known = new WeakMap<AbortSignal, Listeners>();

/** Calls `handleAbort` once when `signal` aborts; immediately if it already has. */
export function onSharedAbort(signal: AbortSignal, listener: AbortListener): void {
  if (signal.aborted) {
    listener.handleAbort();
    return;
  }
  let listeners = known.get(signal);
  if (listeners === undefined) {
    listeners = new Set();
    known.set(signal, listeners);
    signal.addEventListener("abort", () => callAll(signal), { once: true });
  }
  listeners.add(listener);
}

export function offSharedAbort(signal: AbortSignal, listener: AbortListener): void {
  known.get(signal)?.delete(listener);
}

function callAll(signal: AbortSignal): void {
  const listeners = known.get(signal) ?? new Set();
  known.delete(signal);
  for (const listener of listeners) callOne(listener);
}

/**
 * Reports an error as uncaught, as a native listener's is: the other listeners are still called.
 */
function callOne(listener: AbortListener): void {
  try {
    listener.handleAbort();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
