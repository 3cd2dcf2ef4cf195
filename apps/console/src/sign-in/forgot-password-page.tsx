// Sign-in group: forgot-password.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function ForgotPasswordPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
