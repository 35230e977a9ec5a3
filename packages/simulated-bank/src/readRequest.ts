import type { BankWays } from "./BankOptions.ts"
import type { BankRequest } from "./BankRequest.ts"

/** A root's host and path; a bank without names has one host. */
const splitRoot = (root: string, host: string | undefined) => {
  if (!URL.canParse(root)) return { host, path: root }
  const { hostname, pathname } = new URL(root)
  return { host: hostname, path: pathname }
}

/** The path of a call below its root; undefined outside of the API. */
const locate = (ways: BankWays, method: string, host: string, pathname: string): string | undefined => {
  const { hosts, apiRoot, apiRoots, tokenPath } = ways
  if (method === "POST" && pathname === tokenPath && host === (hosts?.token ?? host)) return "/oauth/token"
  const found = [apiRoot, ...Object.values(apiRoots)]
    .map((root) => ({ root, ...splitRoot(root, hosts?.api) }))
    .filter((at) => pathname.startsWith(`${at.path}/`) && (hosts === undefined || host === at.host))
    .map(({ root, path }) => ({ root, below: pathname.slice(path.length) }))
    .find(({ root, below }) => root === (apiRoots[`${method} ${below.split("/")[1]}`] ?? apiRoot))?.below
  // No token is given at the path by which this bank knows its own endpoint.
  return found === "/oauth/token" ? undefined : found
}

/** Reads a call in this bank's ways. */
export const readRequest = (
  ways: BankWays,
  { hostname, pathname, searchParams }: URL,
  sent: Pick<BankRequest, "method" | "headers" | "text" | "caller">,
): BankRequest => {
  const path = locate(ways, sent.method, hostname, pathname)
  return {
    ...sent,
    path: path ?? pathname,
    isElsewhere: path === undefined,
    query: searchParams,
    authorization: sent.headers.authorization,
  }
}
