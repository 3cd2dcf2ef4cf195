// `/v1/files` as OpenAI's clients ask: files of the project of the calling key. What belongs to another project or account is answered
// as what never existed.
import { formatFileId, parseFileId } from "@turnpike/base";
import {
  deleteObject,
  listObjects,
  openObjectWriter,
  queryObject,
  readObject,
  type StoredObject,
} from "@turnpike/objects";
import {
  deletedFileBody,
  type FileView,
  fileBody,
  fileListBody,
  parseFileQuery,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { declaredBytes } from "../requests/read-body.ts";
import { answerJson, pathBehind, registerRoute } from "../routes/route.ts";
import { answerContent } from "./answer-content.ts";
import { noFile } from "./fill-files.ts";
import type { FindFileAccess } from "./find-file-access.ts";
import { fileMaxBytes, readFileForm } from "./read-file-form.ts";

const prefix = "/v1/files/";

export function registerFiles(
  app: Pick<Elysia, "all">,
  services: Services,
  access: FindFileAccess,
): void {
  registerRoute(app, services, "/v1/files", {
    async GET(request, ids) {
      const { objects, owner, run } = await access(request);
      const { after: text, ...query } = parseFileQuery(new URL(request.url).searchParams);
      const after = text === undefined ? undefined : parseFileId(text);
      if (text !== undefined && after === undefined) throw noFile("after");
      const page = { kind: "file", ...query, after } as const;
      const found = await run((db) => listObjects(db, objects.sealer, owner, page));
      return answerJson(ids, fileListBody(found.objects.map(toView), found.hasMore));
    },
    async POST(request, ids) {
      const { principal, keyId, ...given } = await access(request);
      const slot = services.gateway.limiter.reserveSlot(principal, 0);
      const bytes = declaredBytes(request, fileMaxBytes);
      const about = { owner: given.owner, keyId, kind: "file", declaredBytes: bytes } as const;
      const writer = openObjectWriter(given.objects, given.run, about);
      try {
        slot.countParsed(given.objects.blobs.memoryBytes);
        const facts = await readFileForm(request, slot, writer);
        return answerJson(ids, fileBody(toView(await writer.store(facts))));
      } finally {
        slot.release();
        await writer.close();
      }
    },
  });
  registerRoute(app, services, `${prefix}:id`, {
    async GET(request, ids) {
      const { objects, owner, run } = await access(request);
      const id = idOf(request);
      const object = await run((db) => queryObject(db, objects.sealer, owner, "file", id));
      if (object === undefined) throw noFile("id");
      return answerJson(ids, fileBody(toView(object)));
    },
    async DELETE(request, ids) {
      const { objects, owner, run } = await access(request);
      const id = idOf(request);
      const isDeleted = await deleteObject(run, objects.blobs, owner, "file", id);
      if (!isDeleted) throw noFile("id");
      return answerJson(ids, deletedFileBody(formatFileId(id)));
    },
  });
  registerRoute(app, services, `${prefix}:id/content`, {
    async GET(request, ids) {
      const { objects, owner, run } = await access(request);
      const id = idOf(request);
      const found = await run((db) => readObject(db, objects, owner, "file", id));
      if (found === undefined) throw noFile("id");
      return answerContent(request, ids, found);
    },
  });
}

function toView(object: StoredObject): FileView {
  return { ...object, id: formatFileId(object.id) };
}

/** Throws for what is no id as for the id of somebody else. */
function idOf(request: Request) {
  const [text = ""] = pathBehind(request, prefix).split("/");
  const id = parseFileId(text);
  if (id === undefined) throw noFile("id");
  return id;
}
