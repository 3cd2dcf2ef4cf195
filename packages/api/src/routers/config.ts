// What the console must know before anyone signs in.

import { noInput, publicProcedure, router } from "../procedure.ts";

export const configRouter = router({
  public: publicProcedure.input(noInput).query(({ ctx }) => {
    const { maintenance } = ctx.catalog.current;
    return {
      ...ctx.config,
      currency: "USD" as const,
      /** While no call is accepted: what its callers read, empty for a sentence of our own. */
      maintenance: maintenance === undefined ? null : { message: maintenance.message },
    };
  }),
});
