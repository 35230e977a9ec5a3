import type { PageRequest } from "./Outbox.ts"

const largest = 1_000

/** The items on a page: 1 to 1000. A limit beyond an end counts as that end, and what is no number as 1. */
export const pageSizeOf = ({ limit }: PageRequest): number => Math.min(Math.max(Math.trunc(limit) || 1, 1), largest)
