import { InvalidOption } from "@pixcharge/core"
import { isLegible } from "@pixcharge/core/internal"
import { parseCnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import type { PortalAccess, PortalCompany, PortalRedirect, Right } from "./Access.ts"

const rights: Readonly<Record<Right, true>> = {
  read: true,
  issue: true,
  refund: true,
  cancel: true,
  exceptions: true,
  events: true,
  payers: true,
  reconcile: true,
  recurrences: true,
}

/** What `authorize` granted, once it was checked. */
export interface GrantedAccess extends Omit<PortalAccess, "rights"> {
  readonly rights: ReadonlySet<Right>
}

const refuse = (rule: string) => new InvalidOption({ message: `The portal's authorize must return ${rule}.` })

const checkCompany = (given: unknown): PortalCompany => {
  const { cnpj, name } = Object(given) as Partial<PortalCompany>
  const parsed = parseCnpj(typeof cnpj === "string" ? cnpj : "")
  const isNamed = name === undefined || typeof name === "string"
  if (Result.isFailure(parsed) || !isNamed) throw refuse('companies like { cnpj: "12345678000195", name: "Loja" }')
  return { cnpj: parsed.success, ...(name !== undefined && name.trim() !== "" && { name }) }
}

/** The characters that a header may hold: visible ASCII. */
const headerText = /^[\x21-\x7e]+$/

/** Checks what `authorize` returned. Throws `InvalidOption` for an invalid value: a host's mistake grants nothing. */
export const checkAccess = (answer: unknown): GrantedAccess | PortalRedirect | undefined => {
  if (answer === undefined) return undefined
  const { redirect, who, companies, rights: granted } = Object(answer) as Partial<PortalAccess & PortalRedirect>
  if (redirect !== undefined) {
    if (typeof redirect !== "string" || !headerText.test(redirect)) throw refuse("a redirect that is a path or URL")
    return { redirect }
  }
  if (typeof who !== "string" || !isLegible(who)) {
    throw refuse("who uses it, as a text without control and direction characters, or undefined")
  }
  if (!Array.isArray(companies)) throw refuse("a list of companies")
  if (!Array.isArray(granted) || !granted.every((right) => Object.hasOwn(rights, right))) {
    throw refuse(`a list of rights, of ${Object.keys(rights).join(", ")}`)
  }
  return { who, companies: companies.map(checkCompany), rights: new Set(granted) }
}
