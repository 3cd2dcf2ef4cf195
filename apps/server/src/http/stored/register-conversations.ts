// `/v1/conversations` as OpenAI's clients ask: conversations of the project of the calling key. What belongs to another project or
// account is answered as what never existed.
import {
  Fault,
  formatConversationId,
  type JsonObject,
  newId,
  type ObjectId,
  parseConversationId,
} from "@turnpike/base";
import {
  collectPage,
  conversationBody,
  deletedConversationBody,
  itemListBody,
  parseItemQuery,
  parseNewConversation,
  parseNewItems,
  parseNewMetadata,
  presentItem,
  withIds,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import {
  type Conversation,
  changeMetadata,
  createConversation,
  deleteConversation,
  deleteItem,
  noItem,
  readConversationHead,
  readItems,
  storeTurn,
} from "../../memory/conversations.ts";
import { findMemoryAccess, type MemoryAccess } from "../../memory/memory-access.ts";
import { noConversation } from "../../memory/read-turns.ts";
import type { Services } from "../../services.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";
import { bodyMaxBytes, declaredBytes, readBody } from "../requests/read-body.ts";
import { answerJson, type Methods, pathBehind, registerRoute } from "../routes/route.ts";
import { withSlot } from "./with-slot.ts";

const prefix = "/v1/conversations/";

export function registerConversations(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
): void {
  const finders = createFinders(services, authenticate);
  registerRoute(app, services, "/v1/conversations", methodsOfAll(finders));
  registerRoute(app, services, `${prefix}:id`, methodsOfOne(finders));
  registerRoute(app, services, `${prefix}:id/items`, methodsOfItems(finders));
  registerRoute(app, services, `${prefix}:id/items/:item`, methodsOfItem(finders));
}

type Finders = {
  /** Who asks. Rejects for who may not. */
  readonly find: (request: Request) => Promise<MemoryAccess>;
  /** The same, and what is made of its stored turns, which take memory until then. */
  readonly findToRead: <Result>(
    request: Request,
    use: (access: MemoryAccess) => Promise<Result>,
  ) => Promise<Result>;
  /** The same with a body, and what is made of it, which takes memory until then. */
  readonly findWithBody: <Result>(
    request: Request,
    use: (access: MemoryAccess, text: string) => Promise<Result>,
  ) => Promise<Result>;
};

function createFinders(services: Services, authenticate: Authenticate): Finders {
  const { gateway } = services;
  const find = async (request: Request) =>
    orNotKept(await findMemoryAccess(services, await authenticate(request)));
  return {
    find,
    async findToRead(request, use) {
      const access = await find(request);
      return withSlot(gateway, access.principal, bodyMaxBytes, () => use(access));
    },
    async findWithBody(request, use) {
      const access = await find(request);
      const declared = declaredBytes(request, bodyMaxBytes);
      return withSlot(gateway, access.principal, declared, async (slot) =>
        use(access, await readBody(request, bodyMaxBytes, { slot })),
      );
    },
  };
}

function methodsOfAll({ findWithBody }: Finders): Methods {
  return {
    POST: (request, ids) =>
      findWithBody(request, async (access, text) => {
        const { items, metadata } = parseNewConversation(text);
        const made = await createConversation(access, metadata);
        if (items.length > 0) await addFirstItems(access, made.id, items);
        return answerJson(ids, bodyOf(made));
      }),
  };
}

function methodsOfOne({ find, findWithBody }: Finders): Methods {
  return {
    async GET(request, ids) {
      return answerJson(
        ids,
        bodyOf(await readConversationHead(await find(request), idOf(request))),
      );
    },
    POST: (request, ids) =>
      findWithBody(request, async (access, text) => {
        const changed = await changeMetadata(access, idOf(request), parseNewMetadata(text));
        return answerJson(ids, bodyOf(changed));
      }),
    async DELETE(request, ids) {
      const access = await find(request);
      const id = idOf(request);
      await deleteConversation(access, id);
      return answerJson(ids, deletedConversationBody(formatConversationId(id)));
    },
  };
}

function methodsOfItems({ findToRead, findWithBody }: Finders): Methods {
  return {
    async GET(request, ids) {
      const query = parseItemQuery(new URL(request.url).searchParams);
      return findToRead(request, async (access) => {
        const items = readItems(access, idOf(request), query.order);
        return answerJson(ids, itemListBody(await collectPage(items, query, bodyMaxBytes)));
      });
    },
    POST: (request, ids) =>
      findWithBody(request, async (access, text) => {
        const added = await addItems(access, idOf(request), parseNewItems(text));
        return answerJson(ids, itemListBody({ items: added, hasMore: false }));
      }),
  };
}

function methodsOfItem({ findToRead }: Finders): Methods {
  return {
    GET: (request, ids) =>
      findToRead(request, async (access) => {
        const itemId = itemOf(request);
        for await (const item of readItems(access, idOf(request), "desc")) {
          if (item.id === itemId) return answerJson(ids, presentItem(item));
        }
        throw noItem();
      }),
    DELETE: (request, ids) =>
      findToRead(request, async (access) => {
        const id = idOf(request);
        await deleteItem(access, id, itemOf(request));
        return answerJson(ids, bodyOf(await readConversationHead(access, id)));
      }),
  };
}

/** Its caller does not get the id of a conversation whose items have no room. */
async function addFirstItems(
  access: MemoryAccess,
  id: ObjectId,
  items: readonly JsonObject[],
): Promise<void> {
  try {
    await addItems(access, id, items);
  } catch (thrown) {
    await deleteConversation(access, id).catch(() => undefined);
    throw thrown;
  }
}

async function addItems(
  access: MemoryAccess,
  id: ObjectId,
  items: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const input = withIds(items, newId<ObjectId>().replaceAll("-", ""));
  await storeTurn(access, id, { input, output: [] });
  return input;
}

function bodyOf({ id, ...conversation }: Conversation) {
  return conversationBody({ ...conversation, id: formatConversationId(id) });
}

/** Throws for what is no id as for the id of somebody else. */
function idOf(request: Request): ObjectId {
  const [text = ""] = pathBehind(request, prefix).split("/");
  const id = parseConversationId(text);
  if (id === undefined) throw noConversation();
  return id;
}

function itemOf(request: Request): string {
  return pathBehind(request, prefix).split("/")[2] ?? "";
}

function orNotKept(access: MemoryAccess | undefined): MemoryAccess {
  if (access !== undefined) return access;
  throw new Fault(
    "permission_denied",
    "Conversations are not kept here: the operator of this installation has to set OBJECTS_FOLDER and SEALING_KEY first.",
  );
}
