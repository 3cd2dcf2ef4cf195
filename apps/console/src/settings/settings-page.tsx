// Settings.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function SettingsPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
