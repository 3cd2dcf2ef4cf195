// What the console must know before anybody signs in.

import { noInput, publicProcedure, router } from "../procedure.ts";

export const configRouter = router({
  public: publicProcedure.input(noInput).query(({ ctx }) => ({
    ...ctx.config,
    currency: "USD" as const,
  })),
});
