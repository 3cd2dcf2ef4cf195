import { expect, test } from "bun:test";
import { openPasswordThreads } from "./password-threads.ts";

test("a job that cannot be done is rejected with the reason, and the next one is done", async () => {
  const threads = openPasswordThreads();
  const job = { password: "correct horse battery staple", memoryCost: 8_192, timeCost: 1 };
  const broken = threads.work({ ...job, timeCost: 0 });
  await expect(broken).rejects.toThrow(/timeCost|time cost/i);
  expect((await threads.work(job)).hash).toStartWith("$argon2id$v=19$m=8192,t=1,p=1$");
});
