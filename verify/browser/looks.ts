import type { PageOptions } from "./openPage.ts"

type Look = readonly [name: string, options: PageOptions]

/** The gate's looks: each colour scheme and each size once. */
export const looks: ReadonlyArray<Look> = [
  ["light", {}],
  ["dark-phone", { dark: true, phone: true }],
]

/** The remaining pairs of long runs. */
export const otherLooks: ReadonlyArray<Look> = [
  ["dark", { dark: true }],
  ["phone", { phone: true }],
]
