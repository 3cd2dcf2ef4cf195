// The Wallet.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function WalletPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
