// Files that the keys of the account keep here: what there is, and deleting it. Their contents are downloaded over HTTP.
import { Fault, formatFileId, parseFileId } from "@turnpike/base";
import { recordAudit } from "@turnpike/db";
import { hideObject, listObjects, type Objects, type StoredObject } from "@turnpike/objects";
import { z } from "zod";
import { pageLimitInput, pageRowsDefault, parsedInput } from "../inputs.ts";
import { orNull, toIso } from "../present.ts";
import { accountProcedure, router } from "../procedure.ts";

/** `file-…`. */
export const fileIdInput = parsedInput(parseFileId, "Not the id of a file.");

const listInput = z.strictObject({
  cursor: fileIdInput.optional(),
  limit: pageLimitInput.optional(),
});

export const filesRouter = router({
  list: accountProcedure("files.read")
    .input(listInput)
    .query(async ({ ctx, input: { cursor: after, limit = pageRowsDefault } }) => {
      const { objects, scope, report } = ctx;
      if (objects === undefined) return { rows: [], nextCursor: null };
      const page = { kind: "file", order: "desc", limit, after } as const;
      const found = await report((db) => listObjects(db, objects.sealer, scope, page));
      const last = found.hasMore ? found.objects.at(-1) : undefined;
      return {
        rows: found.objects.map(presentFile),
        nextCursor: last ? formatFileId(last.id) : null,
      };
    }),
  delete: accountProcedure("files.change")
    .input(z.strictObject({ id: fileIdInput }))
    .mutation(async ({ ctx, input: { id } }) => {
      requireObjects(ctx);
      await ctx.db.transaction(async (tx) => {
        const hidden = await hideObject(tx, ctx.scope, "file", id);
        if (hidden === undefined) throw new Fault("not_found", "There is no such file.");
        // Its name may say what nobody else is to know, so it is not in the audit log.
        const object = { id, name: formatFileId(id) };
        const { scope, actor } = ctx;
        await recordAudit(tx, {
          accountId: scope.accountId,
          by: actor,
          action: "file.delete",
          object,
        });
      });
      return {};
    }),
});

/** Throws `not_found` where no files are kept. */
export function requireObjects({ objects }: { readonly objects: Objects | undefined }): Objects {
  if (objects !== undefined) return objects;
  throw new Fault("not_found", "No files are kept here.");
}

function presentFile({ id, filename, purpose, mediaType, size, ...at }: StoredObject) {
  return {
    id: formatFileId(id),
    name: filename,
    purpose,
    mediaType,
    size,
    createdAt: toIso(at.createdAt),
    /** Null: it is kept until it is deleted. */
    expiresAt: orNull(at.expiresAt, toIso),
  };
}
