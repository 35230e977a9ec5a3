import type { Exchange } from "@pixcharge/core"

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
