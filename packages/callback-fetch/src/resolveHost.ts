import { lookup, Resolver } from "node:dns/promises"

/** Finds all addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<ReadonlyArray<string>>

const notFoundCodes = new Set<unknown>(["ENOTFOUND", "ENODATA"])

const systemLookup: ResolveHost = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

/**
 * Queries DNS without the thread pool, where four names with dead servers would block every other look-up of the process. The
 * operating system resolves names unknown to DNS, by its hosts file and search domains, and `localhost`, which must not be
 * looked up in DNS (RFC 6761).
 */
export const makeResolveHost =
  (resolver: Resolver): ResolveHost =>
  async (hostname) => {
    if (hostname === "localhost") return systemLookup(hostname)
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    if (addresses.length > 0) return addresses
    const failure = answers.find(
      (answer) => answer.status === "rejected" && !notFoundCodes.has(errorCode(answer.reason)),
    )
    if (failure?.status === "rejected") throw failure.reason
    return systemLookup(hostname)
  }

export const resolveHost: ResolveHost = makeResolveHost(new Resolver({ timeout: 1_500, tries: 2 }))

/** The code of an error, such as `ECONNRESET`. */
export const errorCode = (error: unknown): string | undefined => {
  const { code } = Object(error) as { readonly code?: unknown }
  return typeof code === "string" ? code : undefined
}
