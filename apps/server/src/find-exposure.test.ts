import { expect, test } from "bun:test";
import { ConfigError, readConfig } from "./config.ts";

const production = {
  NODE_ENV: "production",
  DATABASE_URL: "postgres://u:p@localhost:5432/t",
  PUBLIC_URL: "https://turnpike.example",
  BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
};

function mistakesOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig({ ...production, ...environment });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}
const namesOf = (environment: Readonly<Record<string, string>>) =>
  mistakesOf(environment).map((mistake) => mistake.split(":")[0]);

const halves = "0.0.0.0/1,128.0.0.0/1";
const eighths = Array.from({ length: 256 }, (_, n) => `${n}.0.0.0/8`).join(",");

test.each([
  "0.0.0.0/0",
  "::/0",
  "::ffff:0:0/96",
  "::ffff:0.0.0.0/96",
  "::/8",
  halves,
  `10.0.0.0/8,${halves}`,
  eighths,
  "2000::/3",
  "::/1,8000::/1",
])("production refuses to trust every address as a proxy: %s", (TRUSTED_PROXIES) => {
  expect(namesOf({ TRUSTED_PROXIES })).toEqual(["TRUSTED_PROXIES"]);
});

test("production trusts every private network, and the networks of a large proxy service", () => {
  const privates = "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7, fe80::/10";
  expect(mistakesOf({ TRUSTED_PROXIES: `${privates}, 104.16.0.0/12, 2606:4700::/32` })).toEqual([]);
});

test.each(["0.05", "11", "1000", "1e9", "0.0001"])(
  "production refuses limits scaled to nothing or to zero: %s",
  (THROTTLE_SCALE) => {
    expect(namesOf({ THROTTLE_SCALE })).toEqual(["THROTTLE_SCALE"]);
  },
);

test.each(["0.1", "1", "10"])("production accepts limits scaled by %s", (THROTTLE_SCALE) => {
  expect(mistakesOf({ THROTTLE_SCALE })).toEqual([]);
});

test("production refuses the sandbox, and no other setting enables it", () => {
  expect(namesOf({ SANDBOX: "true" })).toEqual(["SANDBOX"]);
  const { NODE_ENV: _, ...unset } = production;
  expect(readConfig(unset).SANDBOX).toBe(false);
  expect(readConfig({ ...unset, SANDBOX: "true" }).SANDBOX).toBe(true);
});

test.each(["https://a.example", "a.example/", "a b", "u@a.example", "*.example", "a.example?x"])(
  "ALLOWED_HOSTS refuses what is not a host: %s",
  (entry) => {
    expect(namesOf({ ALLOWED_HOSTS: `ok.example, ${entry}` })).toEqual(["ALLOWED_HOSTS"]);
  },
);
