import { createHash } from "node:crypto"
import type { Site } from "./Site.ts"

/** Which sites are asked for. */
export interface Choice {
  readonly package?: string | undefined
  /** `<file>:<line>`, for all sites of a line. */
  readonly site?: string | undefined
  readonly operator?: string | undefined
}

export const choose = (sites: ReadonlyArray<Site>, choice: Choice): ReadonlyArray<Site> =>
  sites.filter(
    ({ owner, file, line, operator }) =>
      (choice.package === undefined || owner === choice.package) &&
      (choice.site === undefined || choice.site === `${file}:${line}`) &&
      (choice.operator === undefined || operator === choice.operator),
  )

const rank = (seed: number, { id }: Site): string => createHash("sha256").update(`${seed} ${id}`).digest("hex")

const byOwner = (sites: ReadonlyArray<Site>): ReadonlyArray<ReadonlyArray<Site>> =>
  [...new Set(sites.map(({ owner }) => owner))].map((name) => sites.filter(({ owner }) => owner === name))

/**
 * As many sites as asked for, of each package in proportion to its sites. The seed ranks each site by itself, so that one
 * that is added or gone leaves the rest of a sample as it was.
 */
export const sample = (sites: ReadonlyArray<Site>, size: number, seed: number): ReadonlyArray<Site> => {
  const share = Math.min(1, size / sites.length)
  const groups = byOwner(sites).map((group) => ({ group, exact: group.length * share }))
  const missing = Math.round(sites.length * share) - groups.reduce((sum, { exact }) => sum + Math.floor(exact), 0)
  const byRest = groups.toSorted((a, b) => (b.exact % 1) - (a.exact % 1))
  const taken = new Set(
    byRest.flatMap(({ group, exact }, index) => {
      const ranks = new Map(group.map((site) => [site, rank(seed, site)]))
      return group
        .toSorted((a, b) => ((ranks.get(a) ?? "") < (ranks.get(b) ?? "") ? -1 : 1))
        .slice(0, Math.floor(exact) + (index < missing ? 1 : 0))
    }),
  )
  return sites.filter((site) => taken.has(site))
}
