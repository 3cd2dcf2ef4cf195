// Returns what an SDK throws as a value to check.

/**
 * The error of a refused call; undefined if it was not refused. The calls of some SDKs only look like
 * promises.
 */
export function catchError(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}
