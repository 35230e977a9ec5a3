import type { Exchange } from "@pixcharge/core"

/** What somebody may do. Without `read` nobody sees a page. */
export type Right = "read" | "refund" | "cancel" | "exceptions" | "events" | "payers" | "reconcile"

/** A company whose charges somebody may see. */
export interface PortalCompany {
  readonly cnpj: string
  /** As it is to be shown; its CNPJ, if none is given. */
  readonly name?: string
}

/** Who uses the portal, and what for. */
export interface PortalAccess {
  /** A name or login of the host's, under which all that this person changes is recorded. */
  readonly who: string
  /** At least one. Any other company is as unknown as one that doesn't exist. */
  readonly companies: ReadonlyArray<PortalCompany>
  /** The same for each of these companies. */
  readonly rights: ReadonlyArray<Right>
}

/** Where somebody goes who isn't signed in. */
export interface PortalRedirect {
  /** A path or URL of the host's. */
  readonly redirect: string
}

/** What `authorize` is asked about. */
export interface PortalVisit extends Pick<Exchange, "method" | "address" | "frameworkRequest"> {
  /** Path and query as the browser asked for them, with the prefix of the mount: where to come back to. */
  readonly url: string
  /** A header's value by its lower-case name. */
  readonly header: (name: string) => string | undefined
}

/**
 * Says who makes a request and what they may do: `undefined` refuses, `redirect` sends to the host's sign-in. It is asked anew
 * for each request, before anything of the portal is read. If it throws or rejects, nothing is granted and nothing is told.
 */
export type Authorize = (
  visit: PortalVisit,
) => PortalAccess | PortalRedirect | undefined | Promise<PortalAccess | PortalRedirect | undefined>
