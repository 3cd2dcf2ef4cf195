// A link that saves a file of the account. The browser writes it to the disk while it arrives, however large it is.
import type { JSX } from "solid-js";
import { accountSlug } from "../../lib/account-address.ts";

type DownloadLinkProps = {
  /** `file-…`. */
  id: string;
  /** Names the file to screen readers, where several have such a link. */
  of: string;
  children: JSX.Element;
};

export function DownloadLink(props: DownloadLinkProps): JSX.Element {
  const query = accountSlug === undefined ? "" : `?account=${accountSlug}`;
  return (
    <a
      href={`/console/files/${props.id}${query}`}
      download=""
      rel="external"
      class="link text-sm whitespace-nowrap"
      aria-label={`${props.children} ${props.of}`}
    >
      {props.children}
    </a>
  );
}
