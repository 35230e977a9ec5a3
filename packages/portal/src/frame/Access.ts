import { type Exchange, InvalidOption } from "@pixcharge/core"
import { isLegible } from "@pixcharge/core/internal"
import { parseCnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"

/** What an operator may do. Without `read` there is no page to see. */
export type Right =
  | "read"
  | "issue"
  | "refund"
  | "cancel"
  | "exceptions"
  | "events"
  | "payers"
  | "reconcile"
  | "recurrences"

/** A company whose charges an operator may see. */
export interface PortalCompany {
  readonly cnpj: string
  /** The name that pages show. Default: its CNPJ. */
  readonly name?: string
}

/** An operator of the portal, with companies and rights. */
export interface PortalAccess {
  /** The operator's name or login at the host. The audit log records changes under it. */
  readonly who: string
  /** At least one. The portal treats any other company as one that doesn't exist. */
  readonly companies: ReadonlyArray<PortalCompany>
  /** The rights are the same for each of these companies. */
  readonly rights: ReadonlyArray<Right>
}

/** Where to sign in. */
export interface PortalRedirect {
  /** A path or URL of the host's. */
  readonly redirect: string
}

/** The request that `authorize` decides about. */
export interface PortalVisit extends Pick<Exchange, "method" | "address" | "frameworkRequest"> {
  /** Path and query of the browser's request, with the prefix of the mount: the address to come back to. */
  readonly url: string
  /** A header's value by its lower-case name. */
  readonly header: (name: string) => string | undefined
}

/**
 * Says who makes a request and what they may do: `undefined` refuses, `redirect` leads to the host's sign-in.
 *
 * The portal calls it for each request, before it reads anything. If it throws or rejects, the operator gets an error page that
 * says nothing.
 */
export type Authorize = (
  visit: PortalVisit,
) => PortalAccess | PortalRedirect | undefined | Promise<PortalAccess | PortalRedirect | undefined>

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
