import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { type Script, scriptedWideToken } from "./parse-script.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());

function requestText(script: Script, stream: boolean, choices = 1): string {
  const content = `#script ${JSON.stringify(script)}`;
  const messages = [{ role: "user", content }];
  const body = JSON.stringify({ model: "m", stream, n: choices, messages });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}`;
  return `${head}\r\n\r\n${body}`;
}

type Received = { text: string; end: "fin" | "rst" };

/** Sends bytes and listens until the upstream ends the connection, or until `enough`. */
function exchange(
  sent: string,
  enough: (text: string) => boolean = () => false,
): Promise<Received> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(new URL(upstream.url).port), "127.0.0.1");
    const settle = (end: Received["end"]) => {
      socket.destroy();
      resolve({ text, end });
    };
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (enough(text)) settle("fin");
    });
    socket.on("end", () => settle("fin")).on("error", () => settle("rst"));
    socket.write(sent);
  });
}

const bodyOf = (text: string) => text.slice(text.indexOf("\r\n\r\n") + 4);

describe("broken answers", () => {
  test("a cut is a FIN and a reset an RST, after exactly the deltas asked for", async () => {
    const cut = await exchange(requestText({ tag: "cut", deltas: 9, cutAfterDeltas: 4 }, true));
    expect(cut.end).toBe("fin");
    expect(cut.text.match(/" tok"/g)).toHaveLength(4);
    expect(cut.text).not.toContain("[DONE]");
    expect(upstream.delivered("cut").tokens).toBe(4);
    const reset = await exchange(requestText({ tag: "rst", deltas: 9, resetAfterDeltas: 4 }, true));
    expect(reset.end).toBe("rst");
    expect(upstream.delivered("rst").tokens).toBe(4);
  });

  test("`ending` breaks the answer after its last delta, before the finish", async () => {
    const { text, end } = await exchange(requestText({ deltas: 3, ending: "cut" }, true));
    expect(end).toBe("fin");
    expect(text.match(/" tok"/g)).toHaveLength(3);
    expect(text).not.toContain('"finish_reason":"stop"');
  });

  test("a cut at byte n delivers n bytes of body, inside a chunk already announced", async () => {
    const whole = await exchange(
      requestText({ tag: "all", cutAfterBytes: 1_000_000 }, false),
      (t) => t.endsWith("}}}"),
    );
    const length = upstream.delivered("all").bytes;
    expect(bodyOf(whole.text).length).toBe(length);
    for (const bytes of [0, 1, 150, length]) {
      const { text, end } = await exchange(
        requestText({ tag: `at ${bytes}`, cutAfterBytes: bytes }, false),
      );
      expect(end).toBe("fin");
      expect(bodyOf(text).length).toBe(bytes);
      expect(text).toContain(`content-length: ${length}\r\n`);
      expect(upstream.delivered(`at ${bytes}`).bytes).toBe(bytes);
    }
    const torn = await exchange(requestText({ tag: "torn", cutAfterBytes: 300 }, true));
    expect(torn.text).not.toContain("\r\n0\r\n");
    expect(upstream.delivered("torn")).toEqual({ deltas: 0, tokens: 0, bytes: 300 });
  });

  test("a whole answer breaks in the middle of its body", async () => {
    const { text, end } = await exchange(requestText({ tag: "half", ending: "reset" }, false));
    expect(end).toBe("rst");
    expect(text).not.toContain("}}}");
    expect(upstream.delivered("half").tokens).toBe(0);
  });

  test("a head can be cut, flooded or missing", async () => {
    expect((await exchange(requestText({ cutInHead: 9 }, false))).text).toBe("HTTP/1.1 ");
    const flood = await exchange(requestText({ garbage: "headers", ending: "cut" }, false));
    expect(flood.text.match(/x-flood-/g)).toHaveLength(400);
    const garbage = await exchange(requestText({ garbage: "status-line" }, false), (t) =>
      t.endsWith("\r\n\r\n"),
    );
    expect(garbage.text).not.toContain("HTTP/");
  });

  test("a stream can be malformed: a bad chunk size, broken JSON, an event without end", async () => {
    const badChunk = await exchange(requestText({ garbage: "chunk-size" }, true), (t) =>
      t.includes("zz\r\n"),
    );
    expect(badChunk.text).toContain('" tok"');
    const broken = await exchange(requestText({ garbage: "event", ending: "cut" }, true));
    expect(broken.text).toContain('"content":\n\n');
    const endless = await exchange(
      requestText({ tag: "endless", garbage: "endless-event" }, true),
      (t) => t.length > 2_000_000,
    );
    expect(endless.text.slice(-70_000)).not.toContain("\n\n");
    const request = await upstream.waitFor(({ tag }) => tag === "endless");
    await request.gone;
  });

  test("characters are split across chunks and still add up", async () => {
    const { text } = await exchange(
      requestText({ deltas: 2, splitUtf8: true, ending: "cut" }, true),
    );
    expect(text).toContain(`1\r\n${Buffer.from([0x9f]).toString("latin1")}\r\n`);
    const joined = bodyOf(text).replace(/\r\n([0-9a-f]+\r\n)?/g, "");
    const decoded = Buffer.from(joined, "latin1").toString();
    expect(decoded.match(new RegExp(scriptedWideToken, "g"))).toHaveLength(2);
  });

  test("a connection serves one request after another, pipelined or chunked", async () => {
    const first = requestText({ tag: "first", deltas: 1 }, false);
    const last = requestText({ tag: "last", ending: "cut", deltas: 1 }, true);
    const chunked = first
      .replace(/content-length: \d+/, "transfer-encoding: chunked")
      .replace(/\r\n\r\n(.*)$/s, (_, body: string) => {
        return `\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      });
    const { text } = await exchange(first + chunked + last);
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    const served = upstream.requests.filter(({ tag }) => tag === "first" || tag === "last");
    expect(served.map(({ tag }) => tag)).toEqual(["first", "first", "last"]);
  });

  test("keep-alive bytes come before the content: comments in a stream, blank lines in JSON", async () => {
    const streamed = await exchange(
      requestText({ keepAlive: true, deltas: 2, ending: "cut" }, true),
    );
    expect(streamed.text.match(/: keep-alive\n\n/g)).toHaveLength(2);
    const whole = await exchange(requestText({ keepAlive: true }, false), (t) =>
      t.endsWith("0\r\n\r\n"),
    );
    expect(bodyOf(whole.text)).toStartWith("2\r\n\n\n\r\n");
  });
});
