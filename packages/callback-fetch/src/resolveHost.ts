import { lookup, Resolver } from "node:dns/promises"

/** Every address of a name. */
export type ResolveHost = (hostname: string) => Promise<ReadonlyArray<string>>

const resolver = new Resolver({ timeout: 1_500, tries: 2 })

/**
 * Asks DNS without the thread pool: there, four names whose servers are dead would hold up every other look-up of the
 * process. Only what DNS doesn't know goes through the operating system, which has its hosts file and search domains.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  if (addresses.length > 0) return addresses
  const failure = answers.find((answer) => answer.status === "rejected")
  if (failure !== undefined && isTimeout(failure.reason)) throw failure.reason
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}

const isTimeout = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ETIMEOUT"
