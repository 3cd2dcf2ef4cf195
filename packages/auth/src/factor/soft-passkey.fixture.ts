// A passkey in software, for tests: makes keys and signs what it is asked, for whichever site it is told it is at.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

export type Place = {
  readonly origin: string;
  /** The name the passkey belongs to. */
  readonly host: string;
  /** That the user proved who they are to the passkey. */
  readonly isVerified: boolean;
};

export const atHome: Place = {
  origin: "http://console.test",
  host: "console.test",
  isVerified: true,
};

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest();

export function makeSoftPasskey() {
  const id = randomBytes(16);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // Key type EC2, algorithm ES256, curve P-256.
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, "base64url"))],
      [-3, Uint8Array.from(Buffer.from(y, "base64url"))],
    ]),
  );
  let uses = 0;
  const authenticatorData = (place: Place, attested?: Uint8Array) => {
    const flags = 1 | (place.isVerified ? 4 : 0) | (attested === undefined ? 0 : 64);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(uses);
    return Buffer.concat([
      sha256(place.host),
      Uint8Array.of(flags),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  };
  const clientData = (type: string, challenge: string, { origin }: Place) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const write = (response: object) => {
    const name = id.toString("base64url");
    const rest = { type: "public-key", clientExtensionResults: {}, response };
    return JSON.stringify({ id: name, rawId: name, ...rest });
  };
  return {
    create(challenge: string, place = atHome): string {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cose]);
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, never>>([
          ["fmt", "none"],
          ["attStmt", new Map<string, never>()],
          ["authData", Uint8Array.from(authenticatorData(place, attested))],
        ]),
      );
      return write({
        clientDataJSON: clientData("webauthn.create", challenge, place).toString("base64url"),
        attestationObject: Buffer.from(attestation).toString("base64url"),
        transports: ["internal"],
      });
    },
    answer(challenge: string, place = atHome): string {
      uses += 1;
      const data = authenticatorData(place);
      const client = clientData("webauthn.get", challenge, place);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return write({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      });
    },
    /** As if it were a copy that was used less often. */
    rewind() {
      uses = 0;
    },
  };
}
