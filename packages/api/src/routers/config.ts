// What the console must know before anyone signs in.

import { noInput, publicProcedure, router } from "../procedure.ts";

export const configRouter = router({
  public: publicProcedure.input(noInput).query(({ ctx }) => ({
    ...ctx.config,
    currency: "USD" as const,
  })),
});
