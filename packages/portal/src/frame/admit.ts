import type { Exchange, Reply } from "@pixcharge/core"
import { type PageRequest, redirectReply } from "@pixcharge/web"
import type { Authorize, PortalVisit } from "./Access.ts"
import { checkAccess, type GrantedAccess } from "./checkAccess.ts"
import { problems } from "./frameTexts.ts"
import { bareProblem } from "./replies.ts"

const makeVisit = (exchange: Exchange): PortalVisit => ({
  method: exchange.method,
  url: exchange.fullUrl,
  address: exchange.address,
  frameworkRequest: exchange.frameworkRequest,
  header: (name) => exchange.header(name),
})

/** Asks the host who makes a request. Returns what they may do, or the reply to somebody who may do nothing. */
export const admit = async (
  authorize: Authorize,
  { exchange, root }: Pick<PageRequest, "exchange" | "root">,
): Promise<GrantedAccess | Reply> => {
  const access = checkAccess(await authorize(makeVisit(exchange)))
  if (access === undefined) return bareProblem(root, problems.refused)
  if ("companies" in access) return access.companies.length === 0 ? bareProblem(root, problems.refused) : access
  // A form doesn't survive a sign-in: its sender must read that nothing was done.
  return exchange.method === "POST"
    ? bareProblem(root, problems.signedOut, access.redirect)
    : redirectReply(access.redirect)
}
