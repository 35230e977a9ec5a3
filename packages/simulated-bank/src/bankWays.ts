import type { PublishedWays } from "./BankOptions.ts"
import { efi } from "./ways/efi.ts"

/**
 * The ways of banks on the wire, each written from what the bank publishes and from nothing else, so that an adapter's
 * mistake about a bank is not repeated here.
 */
export const bankWays = {
  standard: { production: {} },
  efi,
} as const satisfies Record<string, PublishedWays>
