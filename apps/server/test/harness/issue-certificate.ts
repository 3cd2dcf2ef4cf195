// Certificates of tests: written here, because no program that writes them is everywhere. X.509 (RFC 5280) with
// keys of P-256, valid from yesterday, by default until tomorrow.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export type Certificate = {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
};

export type Authority = Certificate & {
  /** A certificate for this address or name, signed by the authority, for so many days. */
  readonly issue: (subject: Subject, days?: number) => Certificate;
};

/** An IPv4 address or a name. */
type Subject = { readonly address: string } | { readonly name: string };

type Issuer = { readonly name: string; readonly key: KeyObject };

const dayMs = 86_400_000;

export function openAuthority(): Authority {
  const name = "Turnpike tests";
  const { publicKey, privateKey } = newKeys();
  const issuer = { name, key: privateKey };
  return {
    ...seal(tbs(issuer, name, publicKey, basicConstraints), issuer, privateKey),
    issue(subject, days) {
      const own = newKeys();
      const signed = tbs(issuer, "server", own.publicKey, subjectNames(subject), days);
      return seal(signed, issuer, own.privateKey);
    },
  };
}

/** For this address or name, signed by no authority. */
export function selfSigned(subject: Subject): Certificate {
  const { publicKey, privateKey } = newKeys();
  const issuer = { name: "server", key: privateKey };
  return seal(tbs(issuer, "server", publicKey, subjectNames(subject)), issuer, privateKey);
}

function newKeys() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** One value of DER. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  return Buffer.concat([Buffer.from([tag, ...spellLength(length)]), content]);
}

function spellLength(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const yes = der(0x01, Buffer.from([0xff]));

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid("550403"), text(0x0c, name))));
}

/** GeneralizedTime. */
function time(atMs: number): Buffer {
  return text(0x18, `${new Date(atMs).toISOString().replaceAll(/[-:T]|\.\d+/g, "")}`);
}

/** It may sign others. */
const basicConstraints = sequence(oid("551d13"), yes, der(0x04, sequence(yes)));

function subjectNames(subject: Subject): Buffer {
  const general =
    "address" in subject
      ? der(0x87, Buffer.from(subject.address.split(".").map(Number)))
      : text(0x82, subject.name);
  return sequence(oid("551d11"), der(0x04, sequence(general)));
}

/** The signed part. */
function tbs(
  issuer: Issuer,
  name: string,
  publicKey: KeyObject,
  extension: Buffer,
  days = 1,
): Buffer {
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  return sequence(
    version3,
    serial,
    ecdsaWithSha256,
    commonName(issuer.name),
    sequence(time(Date.now() - dayMs), time(Date.now() + days * dayMs)),
    commonName(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
}

function seal(signed: Buffer, issuer: Issuer, privateKey: KeyObject): Certificate {
  const signature = der(0x03, Buffer.from([0]), sign("sha256", signed, issuer.key));
  const bytes = sequence(signed, ecdsaWithSha256, signature);
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
