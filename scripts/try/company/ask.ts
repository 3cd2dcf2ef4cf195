// HTTP as the company uses it: its program calls the management API, its people the console and the models. A call that
// is told to wait waits; any other refusal that was not expected is an error.

export type Json = { readonly [name: string]: unknown };

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json };

export async function ask(url: string, init: RequestInit): Promise<Answer> {
  for (;;) {
    const response = await fetch(url, { ...init, redirect: "manual" });
    const text = await response.text();
    const body = parseJson(text);
    const waitSeconds = Number(response.headers.get("retry-after") ?? "0");
    if (!mustWait(response.status, body)) {
      return { status: response.status, headers: response.headers, body };
    }
    await Bun.sleep(waitSeconds * 1_000);
  }
}

/** The limit of the management key, and a machine that is too busy: both say how long. */
function mustWait(status: number, body: Json): boolean {
  if (status === 503) return valueAt(body, "error.code") === "overloaded";
  return status === 429 && valueAt(body, "error.metadata.limit_source") === "management_key";
}

function parseJson(text: string): Json {
  if (!text.startsWith("{") && !text.startsWith("[")) return { text };
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? { list: value } : Object(value);
}

/** E.g. `data.0.id`. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) found = Object(found)[name];
  return found;
}

export function textAt(value: unknown, path: string): string {
  const found = valueAt(value, path);
  if (typeof found === "string") return found;
  throw new Error(`no text at ${path} in ${JSON.stringify(value).slice(0, 500)}`);
}

export function listAt(value: unknown, path: string): readonly Json[] {
  const found = valueAt(value, path);
  if (Array.isArray(found)) return found;
  throw new Error(`no list at ${path} in ${JSON.stringify(value).slice(0, 500)}`);
}

/** What the management key did, for the comparison with the audit log. */
export type Manage = {
  /** `GET /keys`, below `/v1/management`. Rejects for what is not answered with 2xx. */
  readonly call: (call: string, body?: object) => Promise<Json>;
  /** Every row of a list. */
  readonly list: (path: string) => Promise<readonly Json[]>;
  /** How many calls changed something. */
  readonly changes: () => number;
};

/** `baseUrl` ends in `/v1`, and is another one after each night. */
export function createManage(baseUrl: () => string, key: string): Manage {
  let changes = 0;
  const call = async (words: string, body?: object) => {
    const [method = "GET", path = ""] = words.split(" ");
    const answer = await ask(`${baseUrl()}/management${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) {
      throw new Error(`${words}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    if (method !== "GET") changes += 1;
    return answer.body;
  };
  return {
    call,
    changes: () => changes,
    async list(path) {
      const rows: Json[] = [];
      let cursor: unknown = "";
      while (cursor !== null) {
        const more = cursor === "" ? "" : `&cursor=${encodeURIComponent(String(cursor))}`;
        const page = await call(`GET ${path}${path.includes("?") ? "&" : "?"}limit=100${more}`);
        rows.push(...listAt(page, "data"));
        cursor = page.next_cursor ?? null;
      }
      return rows;
    },
  };
}

/** A person with a browser. */
export type Visitor = {
  /** A procedure of the console; resolves with its result. Rejects for a refusal. */
  readonly mutate: (procedure: string, input: object) => Promise<Json>;
  /** The status of a read. */
  readonly statusOf: (procedure: string, input: object) => Promise<number>;
};

/** `slug` names the account that the requests are about. */
export function createVisitor(url: () => string, slug: () => string | undefined): Visitor {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit) => {
    const account = slug();
    const answer = await ask(`${url()}/trpc/${path}`, {
      ...init,
      headers: {
        "sec-fetch-site": "same-origin",
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
        "content-type": "application/json",
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(account !== undefined && { "x-turnpike-account": account }),
      },
    });
    for (const header of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  return {
    async mutate(procedure, input) {
      const answer = await send(procedure, { method: "POST", body: JSON.stringify(input) });
      if (answer.status === 200) return Object(valueAt(answer.body, "result.data"));
      throw new Error(`${procedure}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
    async statusOf(procedure, input) {
      const query = encodeURIComponent(JSON.stringify(input));
      return (await send(`${procedure}?input=${query}`, { method: "GET" })).status;
    },
  };
}

/** The token in the newest mail of a kind to an address, from the outbox of development. */
export async function tokenOf(url: string, to: string, kind: string): Promise<string> {
  const { body } = await ask(`${url}/dev/mail.json?to=${encodeURIComponent(to)}`, {});
  const mail = listAt(body, "list").find((one) => one.kind === kind);
  const token = /[?&]token=([\w-]+)/.exec(String(mail?.text))?.[1];
  if (token === undefined) throw new Error(`no token in a mail ${kind} to ${to}`);
  return token;
}
