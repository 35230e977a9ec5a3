import type { PageOptions } from "./openPage.ts"

type Look = readonly [name: string, options: PageOptions]

/** The looks that the gate tests: each colour scheme and each size once. */
export const looks: ReadonlyArray<Look> = [
  ["light", {}],
  ["dark-phone", { dark: true, phone: true }],
]

/** The remaining combinations, which long runs test. */
export const otherLooks: ReadonlyArray<Look> = [
  ["dark", { dark: true }],
  ["phone", { phone: true }],
]
