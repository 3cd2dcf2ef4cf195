// What an SDK throws, as a value to check.

/**
 * What a call was refused with; undefined where it was not. The calls of some SDKs only look like promises.
 */
export function catchError(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}
