import { TaggedError } from "@pixcharge/core/internal"
import * as Result from "effect/Result"
import ipaddr from "ipaddr.js"

/** How far callbacks can reach. Default: https on port 443 to public addresses. */
export interface NetworkPolicy {
  /** Allows plain http too, also on port 80, for example to a receiver on the developer's machine. */
  readonly allowHttp?: boolean
  /** Allows loopback and private ranges too. Link-local and cloud metadata addresses stay closed. */
  readonly allowPrivateNetworks?: boolean
  /** The allowed ports, instead of the schemes' default ports. */
  readonly ports?: ReadonlyArray<number> | "any"
}

const rules = {
  malformed: "must be a URL without spaces, backslashes and control characters",
  scheme: "must be https, unless allowHttp is set",
  credentials: "must not have a user or a password",
  port: "must have an open port: the option ports can list others than 443",
  host: "must have a public host name, unless allowPrivateNetworks is set",
  address: "must lead to a public address, unless allowPrivateNetworks is set",
}

/**
 * The policy forbids this callback; `rule` names the rule that the URL or its address breaks.
 *
 * @remedy Register a public https URL; for a receiver on your own machine set `allowHttp` and `allowPrivateNetworks`.
 * @repeat No, not before the URL or the policy is changed.
 */
export class ForbiddenUrl extends TaggedError("ForbiddenUrl")<{ readonly rule: keyof typeof rules }> {
  override get message(): string {
    return `The callback URL ${rules[this.rule]}.`
  }
}

const forbid = (rule: ForbiddenUrl["rule"]) => Result.fail(new ForbiddenUrl({ rule }))

// Parsers disagree about these characters: one parser's path is another's host.
const oddCharacters = /[\s\\\p{Cc}]/u

/** `URL.canParse` of Node 20 refuses names like "café.example" after some calls. */
const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/**
 * Checks a URL's text: scheme, credentials, port, literal address, and names that never lead to a public host. The name's
 * addresses are checked when dialled.
 */
export const checkUrl = (text: string, policy: NetworkPolicy): Result.Result<URL, ForbiddenUrl> => {
  const url = oddCharacters.test(text) ? undefined : parseUrl(text)
  if (url === undefined) return forbid("malformed")
  if (url.protocol !== "https:" && !(policy.allowHttp && url.protocol === "http:")) return forbid("scheme")
  if (url.username !== "" || url.password !== "") return forbid("credentials")
  if (!isOpenPort(urlPort(url), policy)) return forbid("port")
  const host = urlHost(url)
  if (ipaddr.isValid(host)) return isOpenAddress(host, policy) ? Result.succeed(url) : forbid("address")
  return policy.allowPrivateNetworks || isPublicName(host) ? Result.succeed(url) : forbid("host")
}

export const urlHost = ({ hostname }: URL): string => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname)

export const urlPort = ({ port, protocol }: URL): number =>
  port !== "" ? Number(port) : protocol === "https:" ? 443 : 80

const isOpenPort = (port: number, { ports, allowHttp }: NetworkPolicy): boolean =>
  ports === "any" || (ports ?? (allowHttp ? [443, 80] : [443])).includes(port)

// RFC 6761, RFC 6762 (appendix G), RFC 8375, and names of services in clusters.
const privateSuffixes = [
  ".localhost",
  ".local",
  ".localdomain",
  ".internal",
  ".intranet",
  ".private",
  ".corp",
  ".home",
  ".lan",
  ".home.arpa",
  ".svc",
]

const isPublicName = (host: string): boolean => {
  const name = host.endsWith(".") ? host.slice(0, -1) : host
  const labels = name.split(".")
  // A search domain can complete a name of one label, and resolvers disagree about empty labels.
  if (labels.length < 2 || labels.includes("")) return false
  return !privateSuffixes.some((suffix) => name.endsWith(suffix))
}

const privateRanges = new Set<string>(["loopback", "private", "uniqueLocal", "carrierGradeNat"])

// These are cloud metadata addresses outside of the link-local and reserved ranges, which are always closed.
const metadataAddresses = new Set([
  "168.63.129.16", // Azure WireServer, among public addresses
  "100.100.100.200", // Alibaba
  "fd00:ec2::254", // AWS: instance metadata, name server, credentials of a pod
  "fd00:ec2::253",
  "fd00:ec2::23",
  "fd20:ce::254", // Google
  "fd00:c1::a9fe:a9fe", // Oracle
  "fd00:42::42", // Scaleway
])

const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number]

/** Whether an address can be dialled; false for invalid text. */
export const isOpenAddress = (text: string, { allowPrivateNetworks }: NetworkPolicy): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  // Only link-local addresses have a zone.
  if (address instanceof ipaddr.IPv6 && address.zoneId !== undefined) return false
  if (metadataAddresses.has(address.toString())) return false
  const range = address.range()
  if (allowPrivateNetworks && privateRanges.has(range)) return true
  // IPv4 in disguise (compatible, NAT64, 6to4, Teredo) has a separate range, or is outside of global unicast.
  return range === "unicast" && (address.kind() === "ipv4" || address.match(globalUnicast))
}
