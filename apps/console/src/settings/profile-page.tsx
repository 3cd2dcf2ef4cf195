// Settings: profile.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function ProfilePage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
