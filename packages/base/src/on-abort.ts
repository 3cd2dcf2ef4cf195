// Abort listeners for signals that live as long as the process: one native listener per signal, however
// many calls wait for it. A native listener per call would cost each call a microsecond or two.

type Listeners = Set<() => void>;

const known = new WeakMap<AbortSignal, Listeners>();

/** Calls `listener` once when `signal` aborts; immediately if it already has. */
export function onSharedAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) {
    listener();
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

export function offSharedAbort(signal: AbortSignal, listener: () => void): void {
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
function callOne(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
