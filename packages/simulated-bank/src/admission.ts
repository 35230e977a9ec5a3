import type { BankAccount, BankWays, Wanted } from "./BankOptions.ts"
import type { BankRequest } from "./BankRequest.ts"
import { problem, type BankAnswer } from "./problems.ts"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Makes a test whether a text is a UUID that is new under this name. */
export const makeFreshness = () => {
  const seen = new Set<string>()
  return (name: string, value: string): boolean => {
    const isNew = uuid.test(value) && !seen.has(`${name} ${value}`)
    seen.add(`${name} ${value}`)
    return isNew
  }
}

/** Makes a check that refuses calls without what this bank requires. */
export const makeAdmission = (ways: BankWays) => {
  const isFresh = makeFreshness()

  const isWanted = (name: string, value: string | undefined, wanted: Wanted, account: BankAccount): boolean => {
    if (value === undefined) return false
    if (typeof wanted === "object") return value === wanted.exactly
    if (wanted === "keyOrClientId") return value === (account.applicationKey ?? account.clientId)
    return wanted === "freshUuid" ? isFresh(name, value) : value === account[wanted]
  }

  return ({ headers, query }: BankRequest, account: BankAccount): BankAnswer | undefined => {
    const header = (name: string): string | undefined => headers[name.toLowerCase()]?.toString()
    const part = (name: string): string | undefined => query.get(name) ?? undefined
    const isSent = (names: string, read: typeof part, wanted: Wanted): boolean =>
      names.split("|").some((name) => isWanted(name, read(name), wanted, account))
    const lacks = [
      ...Object.entries(ways.wants.headers).filter(([names, wanted]) => !isSent(names, header, wanted)),
      ...Object.entries(ways.wants.query).filter(([names, wanted]) => !isSent(names, part, wanted)),
    ]
    return lacks.length === 0
      ? undefined
      : problem(403, "AcessoNegado", `wanted: ${lacks.map(([name]) => name).join(", ")}`)
  }
}
