// Management keys of the account: created with permissions, shown once, revoked. A key cannot create another one.
import {
  createManagementKey,
  grantablePermissions,
  listManagementKeys,
  revokeManagementKey,
  scopeOf,
} from "@turnpike/accounts";
import { Fault, type ManagementKeyId } from "@turnpike/base";
import { z } from "zod";
import { idInput, instantInput, line } from "../inputs.ts";
import { orNull, toIso } from "../present.ts";
import { accountProcedure, noInput, provenAccountProcedure, router } from "../procedure.ts";

const createInput = z.strictObject({
  name: line(200),
  permissions: z.array(z.enum(grantablePermissions)).max(grantablePermissions.length),
  expiresAt: instantInput.optional(),
  attemptId: idInput<ManagementKeyId>(),
});

export const managementKeysRouter = router({
  list: accountProcedure("management.read")
    .input(noInput)
    .query(async ({ ctx }) => {
      const keys = await listManagementKeys(ctx.db, ctx.scope);
      const { role } = ctx.account;
      return {
        keys: keys.map((key) => ({
          ...key,
          createdAt: key.createdAt.toISOString(),
          expiresAt: orNull(key.expiresAt, toIso),
          lastUsedAt: orNull(key.lastUsedAt, toIso),
        })),
        /** What a key of the caller can be given. */
        grantable: grantablePermissions.filter((one) => scopeOf(role, one) !== undefined),
      };
    }),
  create: provenAccountProcedure("management.change")
    .input(createInput)
    .mutation(async ({ ctx, input }) => {
      const { attemptId: id, ...key } = input;
      if (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now()) {
        throw new Fault("invalid_value", "The expiry must be in the future.", {
          param: "expiresAt",
        });
      }
      return createManagementKey(ctx.db, ctx.member, { ...key, id });
    }),
  revoke: accountProcedure("management.change")
    .input(z.strictObject({ id: idInput<ManagementKeyId>() }))
    .mutation(async ({ ctx, input }) => {
      await revokeManagementKey(ctx.db, ctx.member, input.id, ctx.scope.ownerOfKeys);
      return {};
    }),
});
