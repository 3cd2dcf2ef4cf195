// Sign-in group: confirm-email.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function ConfirmEmailPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
