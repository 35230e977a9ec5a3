import { InvalidOption, isLegible } from "@pixcharge/core"
import { parseCnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import type { PortalAccess, PortalCompany, PortalRedirect, Right } from "./Access.ts"

const rights: Readonly<Record<Right, true>> = {
  read: true,
  refund: true,
  cancel: true,
  exceptions: true,
  events: true,
  payers: true,
  reconcile: true,
}

/** What `authorize` answered, once it was checked. */
export type Access =
  | { readonly _tag: "Refused" }
  | { readonly _tag: "Redirected"; readonly location: string }
  | {
      readonly _tag: "Granted"
      readonly who: string
      readonly companies: ReadonlyArray<PortalCompany>
      readonly rights: ReadonlySet<Right>
    }

const refuse = (rule: string) => new InvalidOption({ message: `The portal's authorize must answer with ${rule}.` })

const checkedCompany = (given: unknown): PortalCompany => {
  const { cnpj, name } = Object(given) as Partial<PortalCompany>
  const parsed = parseCnpj(typeof cnpj === "string" ? cnpj : "")
  const isNamed = name === undefined || typeof name === "string"
  if (Result.isFailure(parsed) || !isNamed) throw refuse('companies like { cnpj: "12345678000195", name: "Loja" }')
  return { cnpj: parsed.success, ...(name !== undefined && name.trim() !== "" && { name }) }
}

/** What a header may hold: visible ASCII. */
const headerText = /^[\x21-\x7e]+$/

/** Throws `InvalidOption` for what can't be meant: a host's mistake grants nothing. */
export const checkAccess = (answer: unknown): Access => {
  if (answer === undefined) return { _tag: "Refused" }
  const { redirect, who, companies, rights: granted } = Object(answer) as Partial<PortalAccess & PortalRedirect>
  if (redirect !== undefined) {
    if (typeof redirect !== "string" || !headerText.test(redirect)) throw refuse("a redirect that is a path or URL")
    return { _tag: "Redirected", location: redirect }
  }
  if (typeof who !== "string" || !isLegible(who)) {
    throw refuse("who uses it, as a text without control and direction characters, or with undefined")
  }
  if (!Array.isArray(companies)) throw refuse("a list of companies")
  if (!Array.isArray(granted) || !granted.every((right) => Object.hasOwn(rights, right))) {
    throw refuse(`a list of rights, of ${Object.keys(rights).join(", ")}`)
  }
  return { _tag: "Granted", who, companies: companies.map(checkedCompany), rights: new Set(granted) }
}
