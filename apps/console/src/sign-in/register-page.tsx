// Sign-in group: register.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function RegisterPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
