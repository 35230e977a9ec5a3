import { type Exchange, InvalidOption } from "@pixcharge/core"
import { isLegible } from "@pixcharge/core/internal"
import { parseCnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"

/** An operator's rights. Pages need `read`. */
export type Right =
  | "read"
  | "issue"
  | "refund"
  | "changeCharge"
  | "cancel"
  | "exceptions"
  | "events"
  | "payers"
  | "reconcile"
  | "recurrences"

/** A company whose data an operator can see. */
export interface PortalCompany {
  readonly cnpj: string
  /** The name on pages; default: the CNPJ. */
  readonly name?: string
}

/** An operator with companies and rights. */
export interface PortalAccess {
  /** The operator's name or login at the host; the audit log records it with each change. */
  readonly who: string
  /** The operator's companies; the portal hides all other companies. An empty list refuses the operator. */
  readonly companies: ReadonlyArray<PortalCompany>
  /** The operator's rights at each of these companies. */
  readonly rights: ReadonlyArray<Right>
}

/** Leads a visitor to the host's sign-in page. */
export interface PortalRedirect {
  /** A path or URL of the host's sign-in page. */
  readonly redirect: string
}

/** The request that `authorize` decides about. */
export interface PortalVisit extends Pick<Exchange, "method" | "address" | "frameworkRequest"> {
  /** The browser's path and query, including the mount's prefix: the address to return to after sign-in. */
  readonly url: string
  /** A header's value by its lower-case name. */
  readonly header: (name: string) => string | undefined
}

/**
 * Decides who sends a request and which rights they have: `undefined` refuses, `redirect` leads to the host's sign-in.
 *
 * The portal calls it for each request before it reads data. If it throws or rejects, the operator gets an error page without
 * details.
 */
export type Authorize = (
  visit: PortalVisit,
) => PortalAccess | PortalRedirect | undefined | Promise<PortalAccess | PortalRedirect | undefined>

const rights: Readonly<Record<Right, true>> = {
  read: true,
  issue: true,
  refund: true,
  changeCharge: true,
  cancel: true,
  exceptions: true,
  events: true,
  payers: true,
  reconcile: true,
  recurrences: true,
}

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

/** Visible ASCII characters, which are valid in a header. */
const headerText = /^[\x21-\x7e]+$/

/** Throws `InvalidOption` for an invalid value, so a host's mistake grants no right. */
export const checkAccess = (answer: unknown): GrantedAccess | PortalRedirect | undefined => {
  if (answer === undefined) return undefined
  const { redirect, who, companies, rights: granted } = Object(answer) as Partial<PortalAccess & PortalRedirect>
  if (redirect !== undefined) {
    if (typeof redirect !== "string" || !headerText.test(redirect)) throw refuse("a redirect that is a path or URL")
    return { redirect }
  }
  if (typeof who !== "string" || !isLegible(who)) {
    throw refuse("undefined, or `who` as a string without control and direction characters")
  }
  if (!Array.isArray(companies)) throw refuse("a list of companies")
  if (!Array.isArray(granted) || !granted.every((right) => Object.hasOwn(rights, right))) {
    throw refuse(`a list of rights, of ${Object.keys(rights).join(", ")}`)
  }
  return { who, companies: companies.map(checkCompany), rights: new Set(granted) }
}
