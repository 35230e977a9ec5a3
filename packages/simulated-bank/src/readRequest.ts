import type { BankWays } from "./BankOptions.ts"
import type { BankRequest } from "./BankRequest.ts"

/** The path of a call below its root; undefined outside of the API. */
const locate = (ways: BankWays, method: string, host: string, pathname: string): string | undefined => {
  const { hosts, apiRoot, apiRoots, tokenPath } = ways
  if (method === "POST" && pathname === tokenPath && host === (hosts?.token ?? host)) return "/oauth/token"
  if (host !== (hosts?.api ?? host)) return undefined
  return [apiRoot, ...Object.values(apiRoots)]
    .filter((root) => pathname.startsWith(`${root}/`))
    .map((root) => ({ root, below: pathname.slice(root.length) }))
    .find(({ root, below }) => root === (apiRoots[`${method} ${below.split("/")[1]}`] ?? apiRoot))?.below
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
