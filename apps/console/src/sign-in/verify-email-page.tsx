// Sign-in group: verify-email.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function VerifyEmailPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
