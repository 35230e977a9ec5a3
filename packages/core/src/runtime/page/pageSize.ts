import type { PageRequest } from "./Page.ts"

const largest = 1_000

/** How many items the page has at most: 1 to 1000. A limit outside counts as the nearer end, and NaN as 1. */
export const pageSize = ({ limit }: PageRequest): number => Math.min(Math.max(Math.trunc(limit) || 1, 1), largest)
