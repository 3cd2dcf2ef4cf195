// Sign-in group: reset-password.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function ResetPasswordPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
