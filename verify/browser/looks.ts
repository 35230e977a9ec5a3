import type { PageOptions } from "./openPage.ts"

type Look = readonly [name: string, options: PageOptions]

/** Each colour scheme and each size once, for the gate. */
export const looks: ReadonlyArray<Look> = [
  ["light", {}],
  ["dark-phone", { dark: true, phone: true }],
]

/** The remaining pairs, for long runs. */
export const otherLooks: ReadonlyArray<Look> = [
  ["dark", { dark: true }],
  ["phone", { phone: true }],
]
