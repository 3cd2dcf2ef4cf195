// The page for unknown addresses; the navigation around it still works.
import type { JSX } from "solid-js";
import { useSignedIn } from "../lib/session.ts";
import { ButtonLink } from "../ui/buttons/button.tsx";

export function NotFoundPage(): JSX.Element {
  const signedIn = useSignedIn();
  return (
    <div class="mx-auto flex max-w-lg flex-col items-center gap-4 px-5 py-24 text-center">
      <p class="figures text-2xl font-semibold text-muted">404</p>
      <p class="text-lg">There's no page at this address.</p>
      <div class="flex flex-wrap justify-center gap-2">
        <ButtonLink href="/" variant="primary">
          {signedIn() ? "Go to Overview" : "Go to the home page"}
        </ButtonLink>
        <ButtonLink href="/models">Browse models</ButtonLink>
        <ButtonLink href="/docs">Read the docs</ButtonLink>
      </div>
    </div>
  );
}
