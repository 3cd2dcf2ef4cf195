// The order of a short list of models that should not be all of one lab.

/** The first of each lab, then the second of each, and so on: a short list of them leads to several labs. */
export function spreadOverLabs<Of extends { readonly lab: string }>(
  models: readonly Of[],
): readonly Of[] {
  const labs = [...Map.groupBy(models, ({ lab }) => lab).values()];
  const longest = Math.max(0, ...labs.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    labs.flatMap((own) => own[turn] ?? []),
  ).flat();
}
