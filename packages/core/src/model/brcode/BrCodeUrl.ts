import { isPrintable } from "./Characters.ts"
import { type BrCodeRule, type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import { fieldName } from "./Tlv.ts"

const maxSize = 77

/** At least two labels; the last starts with a letter, so that no spelling of an IPv4 address passes. */
const host = "(?:[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*\\.)+[A-Za-z][A-Za-z0-9]*(?:-+[A-Za-z0-9]+)*"
const hostAlone = new RegExp(`^${host}$`)
/** RFC 3986 `pchar` without `%`. */
const pathCharacters = "\\w.~!$&'()*+,;=:@-"
/** A path that is more than slashes. */
const wellFormed = new RegExp(`^${host}/+[%${pathCharacters}][%/${pathCharacters}]*$`)
/** What nearly every location looks like, so that nothing further need be asked: no `%`, no segment that starts with a point. */
const usual = new RegExp(`^${host}(?:/[\\w~!$&'()*+,;=:@-][${pathCharacters}]*)+$`)

/** Domain names allow 63 characters between two dots. */
const maxLabelLength = 63
const longLabel = /^[^/]*[^./]{64}/
const strayPercent = /%(?![0-9A-Fa-f]{2})/
/** A client would resolve these away and so fetch another path than the one that is written. */
const dotSegment = /\/(?:\.|%2[Ee]){1,2}(?:\/|$)/

/**
 * The location of a charge or a recurrence is a full domain name and a path, 77 characters in all, HTTPS implied:
 * no scheme, user, port, IP address, query, fragment, space or dot segment (Manual §2.5.2, RFC 3986).
 *
 * `template` is the field that holds it, 26 to 51 or 80 to 99. The rule comes before anything is fetched; whether the name
 * resolves to a public address is still to be checked then.
 */
export const urlViolation = (template: number, url: string): BrCodeViolation | undefined => {
  if (typeof url !== "string" || url === "") return violation(urlField(template), "missing", "is missing: a URL")
  if (url.length > maxSize) {
    return violation(urlField(template), "size", `has ${url.length} characters, ${maxSize} at most`)
  }
  return (usual.test(url) || isAllowed(url)) && !(url.length > maxLabelLength && longLabel.test(url))
    ? undefined
    : urlFlaw(urlField(template), url)
}

const isAllowed = (url: string): boolean => wellFormed.test(url) && !strayPercent.test(url) && !dotSegment.test(url)

const urlField = (template: number): string => fieldName(template, 25)

/** Names the first rule, from left to right, that an ill-formed URL breaks. */
const urlFlaw = (field: string, url: string): BrCodeViolation => {
  const refuse = (rule: BrCodeRule, sentence: string) => violation(field, rule, sentence)
  if (!isPrintable(url)) return refuse("characters", "has characters outside printable ASCII")
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return refuse("urlScheme", "carries a scheme; HTTPS is implied")
  const authority = urlAuthority(url)
  if (authority.includes("@")) return refuse("urlUser", "carries user information")
  if (/:\d*$/.test(authority)) return refuse("urlPort", "carries a port")
  if (!hostAlone.test(authority) || longLabel.test(url)) return refuse("host", "does not start with a full domain name")
  if (/[?#]/.test(url)) return refuse("urlQuery", "carries a query or a fragment")
  return refuse("urlPath", "has no path to a charge, or one that RFC 3986 does not allow")
}

const urlAuthority = (url: string): string => url.slice(0, url.search(/[/?#\\]|$/))

/** Whether two locations lie on the same host; host names know no case. */
export const haveSameHost = (url: string, other: string): boolean => {
  const authority = url.slice(0, url.indexOf("/") + 1)
  return other.startsWith(authority) || other.toLowerCase().startsWith(authority.toLowerCase())
}
