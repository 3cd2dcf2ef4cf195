// Sign-in group: login.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function LoginPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
