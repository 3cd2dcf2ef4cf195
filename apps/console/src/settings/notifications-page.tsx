// Settings: notifications.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function NotificationsPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
