import { idOf, type Identity } from "./Site.ts"

/** A site whose fault changes nothing that anybody could notice, and why. */
export interface Equivalent extends Identity {
  readonly reason: string
}

/** They are planted no more. Each is as `pnpm mutate` prints it. */
export const equivalents: ReadonlyArray<Equivalent> = [
  {
    file: "packages/callback-fetch/src/receiver/confirmByQuery.ts",
    operator: "string",
    original: 'oken === undefined) throw new Error("the service gave no token")',
    mutated: 'oken === undefined) throw new Error("")',
    reason: "The confirmation catches the error, and says `unconfirmed` whatever its text is.",
  },
  {
    file: "packages/http/src/Tokens.ts",
    operator: "string",
    original: 'Undefined(parseCnpj(secret?.cnpj ?? ""))',
    mutated: 'Undefined(parseCnpj(secret?.cnpj ?? "~"))',
    reason: "Neither text is a CNPJ.",
  },
  {
    file: "packages/http/src/Tokens.ts",
    operator: "string",
    original: 't right = isRightKey(secret?.key ?? "", entry?.credential?.key)',
    mutated: 't right = isRightKey(secret?.key ?? "~", entry?.credential?.key)',
    reason: "Without a secret there is no CNPJ, and so no entry with whose key the text could agree.",
  },
  {
    file: "packages/http/src/Tokens.ts",
    operator: "&& and ||",
    original: "if (cnpj === undefined || entry?.credential === undefined ||",
    mutated: "if (cnpj === undefined && entry?.credential === undefined ||",
    reason: "Without a credential no key is right, so that `!right` alone refuses; the other two are for the types.",
  },
]

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
