// A scripted GitHub on loopback: its OAuth pages and the two calls of its API that say who a user is. It checks the
// client, the redirect URI and the code verifier as GitHub does, and answers a refused code with 200.

export type GithubUser = {
  readonly id: number;
  readonly login: string;
  readonly name?: string | null;
  readonly emails: readonly {
    readonly email: string;
    readonly primary: boolean;
    readonly verified: boolean;
  }[];
};

export type ScriptedGithub = {
  /** Without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The person who signs in next. */
  user: GithubUser;
  /** The variables of a server that uses it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Opens the page that a browser was sent to; returns the URL it is sent back to. */
  readonly authorize: (authorizationUrl: string) => URL;
  readonly close: () => Promise<void>;
};

type Grant = {
  readonly user: GithubUser;
  readonly redirectUri: string;
  readonly challenge: string;
};

export function startScriptedGithub(user: GithubUser): ScriptedGithub {
  const clientId = "Iv1.scripted";
  const clientSecret = Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString("hex");
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, GithubUser>();

  function authorize(authorizationUrl: string): URL {
    const { searchParams: query } = new URL(authorizationUrl);
    const isPlain = query.get("code_challenge_method") !== "S256";
    if (query.get("client_id") !== clientId || isPlain) throw new Error("GitHub refuses this.");
    const redirectUri = query.get("redirect_uri") ?? "";
    const code = crypto.randomUUID();
    const challenge = query.get("code_challenge") ?? "";
    grants.set(code, { user: github.user, redirectUri, challenge });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    return back;
  }

  async function exchange(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const verifier = form.get("code_verifier") ?? "";
    const challenge = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
    const isOurs = form.get("client_id") === clientId && form.get("client_secret") === clientSecret;
    const isFor = grant?.redirectUri === form.get("redirect_uri") && grant?.challenge === challenge;
    if (grant === undefined || !isOurs || !isFor) {
      return Response.json({ error: "bad_verification_code", error_description: "No." });
    }
    const token = `gho_${crypto.randomUUID()}`;
    tokens.set(token, grant.user);
    const scope = "read:user,user:email";
    return Response.json({ access_token: token, token_type: "bearer", scope });
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/login/oauth/authorize") {
        return Response.redirect(authorize(request.url).href, 302);
      }
      if (pathname === "/login/oauth/access_token") return exchange(request);
      const token = request.headers.get("authorization")?.replace(/^bearer /i, "") ?? "";
      const known = tokens.get(token);
      if (known === undefined)
        return Response.json({ message: "Bad credentials" }, { status: 401 });
      const { emails, ...facts } = known;
      if (pathname === "/api/v3/user") return Response.json(facts);
      if (pathname === "/api/v3/user/emails") return Response.json(emails);
      return Response.json({ message: "Not Found" }, { status: 404 });
    },
  });
  const url = server.url.origin;
  const github: ScriptedGithub = {
    url,
    clientId,
    clientSecret,
    user,
    environment: {
      GITHUB_URL: url,
      GITHUB_CLIENT_ID: clientId,
      GITHUB_CLIENT_SECRET: clientSecret,
    },
    authorize,
    close: () => server.stop(true),
  };
  return github;
}
