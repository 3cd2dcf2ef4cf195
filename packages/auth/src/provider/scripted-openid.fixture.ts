// A provider of OpenID Connect whose claims a test makes up, whatever they are: what a real one never says.
import { generateKeyPairSync, sign } from "node:crypto";

type Claims = Readonly<Record<string, unknown>>;

export type ScriptedOpenid = {
  readonly settings: {
    readonly id: "acme";
    readonly name: "Acme";
    readonly kind: "openid";
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  /** Of the next sign-in: what is added to, or replaces what the ID token and userinfo say. */
  readonly say: (idToken: Claims, userinfo: Claims) => void;
  /** Where the browser is sent back to. */
  readonly signIn: (authorizationUrl: string) => URL;
  readonly close: () => Promise<void>;
};

export function startScriptedOpenid(): ScriptedOpenid {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let said: { readonly idToken: Claims; readonly userinfo: Claims } = { idToken: {}, userinfo: {} };
  let nonce = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { pathname, origin: issuer } = new URL(url);
      if (pathname === "/.well-known/openid-configuration")
        return Response.json(metadataOf(issuer));
      if (pathname === "/jwks") {
        return Response.json({
          keys: [{ ...publicKey.export({ format: "jwk" }), alg: "ES256", kid: "1" }],
        });
      }
      if (pathname === "/userinfo") return Response.json(said.userinfo);
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: issuer,
        aud: "turnpike",
        iat: now,
        exp: now + 7_200,
        nonce,
        ...said.idToken,
      };
      return Response.json({
        access_token: "access",
        token_type: "bearer",
        id_token: signToken(claims),
      });
    },
  });
  const signToken = (claims: Claims): string => {
    const encode = (value: Claims) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const content = `${encode({ alg: "ES256", kid: "1" })}.${encode(claims)}`;
    const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
    return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
  };
  const issuer = server.url.origin;
  return {
    settings: {
      id: "acme",
      name: "Acme",
      kind: "openid",
      issuer,
      clientId: "turnpike",
      clientSecret: "s",
    },
    say: (idToken, userinfo) => {
      said = { idToken, userinfo };
    },
    signIn(authorizationUrl) {
      const asked = new URL(authorizationUrl).searchParams;
      nonce = asked.get("nonce") ?? "";
      const back = new URL(asked.get("redirect_uri") ?? "");
      back.searchParams.set("code", "code");
      back.searchParams.set("state", asked.get("state") ?? "");
      return back;
    },
    close: () => server.stop(true),
  };
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  };
}
