// The text inside a block of Markdown as elements. HTML in the text stays text, images become
// links, and a link with an unsafe address is just its text.
import { A } from "@solidjs/router";
import type { MarkedToken, Token, Tokens } from "marked";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { decodeEntities } from "../../lib/markdown/decode-entities.ts";
import { ownHref, safeHref } from "../../lib/markdown/safe-href.ts";

export type InlineProps = {
  tokens: readonly Token[] | undefined;
  /** Our own texts may link within this site. */
  trusted?: boolean | undefined;
};

export function Inline(props: InlineProps): JSX.Element {
  return (
    <For each={props.tokens ?? []}>
      {(token) => <InlineToken token={known(token)} trusted={props.trusted} />}
    </For>
  );
}

type InlineTokenProps = { token: MarkedToken; trusted?: boolean | undefined };

function InlineToken(props: InlineTokenProps): JSX.Element {
  // Tokens are immutable: new text makes new tokens.
  const { token } = props;
  const inner = (tokens: readonly Token[] | undefined) => (
    <Inline tokens={tokens} trusted={props.trusted} />
  );
  switch (token.type) {
    case "strong":
      return <strong class="font-semibold">{inner(token.tokens)}</strong>;
    case "em":
      return <em>{inner(token.tokens)}</em>;
    case "del":
      return <del>{inner(token.tokens)}</del>;
    case "codespan":
      return (
        <code
          translate="no"
          class="rounded-[4px] border border-border bg-surface px-1 py-px font-mono text-[0.92em] wrap-anywhere"
        >
          {token.text}
        </code>
      );
    case "br":
      return <br />;
    case "link":
      return <Link token={token} trusted={props.trusted} />;
    case "image":
      return <Address href={safeHref(token.href)}>{token.text || token.href}</Address>;
    case "checkbox":
      return <span aria-hidden="true">{token.checked ? "☑ " : "☐ "}</span>;
    case "text":
      return token.tokens ? inner(token.tokens) : decodeEntities(token.text);
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
}

function Link(props: { token: Tokens.Link; trusted?: boolean | undefined }): JSX.Element {
  const href = () => (props.trusted ? ownHref : safeHref)(props.token.href);
  return (
    <Address href={href()}>
      <Inline tokens={props.token.tokens} trusted={props.trusted} />
    </Address>
  );
}

function Address(props: { href: string | undefined; children: JSX.Element }): JSX.Element {
  return (
    <Show when={props.href} fallback={props.children}>
      {(href) => (
        <Show
          when={/^[/#]/.test(href())}
          fallback={
            <a href={href()} target="_blank" rel="noopener noreferrer" class="link wrap-anywhere">
              {props.children}
            </a>
          }
        >
          <A href={href()} class="link">
            {props.children}
          </A>
        </Show>
      )}
    </Show>
  );
}

/** Guarantee: without extensions, the lexer produces only its own token types. */
export function known(token: Token): MarkedToken {
  return token as MarkedToken;
}
