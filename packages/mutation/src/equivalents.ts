import { idOf, type Identity } from "./Site.ts"

/** A site whose fault changes nothing that anybody could notice, and why. */
export interface Equivalent extends Identity {
  readonly reason: string
}

/** They are planted no more. Each is as `pnpm mutate` prints it. */
export const equivalents: ReadonlyArray<Equivalent> = []

/** Takes away the sites that are listed as equivalent. Throws if one is listed that is no site, or is no more. */
export const withoutEquivalents = <S extends { readonly id: string }>(
  sites: ReadonlyArray<S>,
  listed: ReadonlyArray<Equivalent>,
): ReadonlyArray<S> => {
  const ids = new Set(sites.map(({ id }) => id))
  const listedIds = listed.map(idOf)
  const stale = listedIds.filter((id) => !ids.has(id))
  if (stale.length > 0) throw new Error(`Listed as equivalent, but no site:\n${stale.join("\n")}`)
  const equivalent = new Set(listedIds)
  return sites.filter(({ id }) => !equivalent.has(id))
}
