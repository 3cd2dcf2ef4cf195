import { expect, test } from "bun:test";
import { connect } from "node:net";
import { startMailCatcher } from "./mail-catcher.ts";

/** Uses SMTP directly: the catcher is checked without the mailer that tests use it for. */
async function sendMail(url: string, to: string, message: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const answers = socket[Symbol.asyncIterator]();
  await answers.next();
  for (const line of ["EHLO here", "MAIL FROM:<a@here>", `RCPT TO:<${to}>`, "DATA"]) {
    socket.write(`${line}\r\n`);
    await answers.next();
  }
  socket.write(`${message}\r\n.\r\n`);
  const { value } = await answers.next();
  expect(String(value)).toStartWith("250");
  socket.end("QUIT\r\n");
}

test("a mail is found by its address and decoded, whether it was awaited before or after it arrived", async () => {
  const catcher = await startMailCatcher();
  try {
    const early = catcher.waitFor("ada@example.com", ({ subject }) => subject === "Grüße");
    const head =
      "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\nContent-Transfer-Encoding: quoted-printable";
    await sendMail(catcher.url, "bob@example.com", "Subject: other\r\n\r\nfor Bob");
    await sendMail(catcher.url, "ada@example.com", `${head}\r\n\r\na=3Db =\r\nc`);
    expect((await early).text.trim()).toBe("a=b c");
    expect((await catcher.waitFor("bob@example.com")).text.trim()).toBe("for Bob");
    expect(catcher.mails).toHaveLength(2);
  } finally {
    await catcher.close();
  }
});
