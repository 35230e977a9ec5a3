import type { Cents } from "../money/Money.ts"
import { isPrintable } from "./Characters.ts"
import { type BrCodeRule, type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import { fieldName } from "./Tlv.ts"

const capacity = 13

/**
 * Reads field 54 in centavos: digits, optionally with a point and up to two decimals ("100." too); -1 for any other text
 * (EMV QRCPS-MPM 4.7.2).
 */
export const readAmount = (text: string): Cents | -1 => {
  if (text.length > capacity) return -1
  let cents = 0
  let decimals = -1
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x2e && decimals < 0 && i > 0) decimals = 0
    else if (unit < 0x30 || unit > 0x39 || decimals === 2) return -1
    else {
      cents = cents * 10 + unit - 0x30
      if (decimals >= 0) decimals++
    }
  }
  return (decimals === 2 ? cents : decimals === 1 ? cents * 10 : cents * 100) as Cents
}

export const amountViolation = (text: string): BrCodeViolation =>
  text.length > capacity
    ? violation("54", "size", `has ${text.length} characters, ${capacity} at most`)
    : violation("54", "amount", "must be digits with at most a point and two decimals")

/**
 * Writes field 54: "100.50". From R$ 10 billion on, drops trailing zeros to fit; undefined if the amount still doesn't
 * fit.
 */
export const writeAmount = (cents: Cents): string | undefined => {
  const rest = cents % 100
  const reais = String((cents - rest) / 100)
  const decimals = rest < 10 ? `0${rest}` : String(rest)
  const text = `${reais}.${decimals}`
  if (text.length <= capacity) return text
  const shorter = rest === 0 ? reais : text.replace(/0$/, "")
  return shorter.length <= capacity ? shorter : undefined
}

/** The receiver as the code names it. The payer's app shows the name in the DICT instead. */
export interface BrCodeMerchant {
  /** Field 59: 1 to 25 characters, no blank at either end. Accents are dropped. */
  readonly merchantName: string
  /** Field 60: 1 to 15 characters, no blank at either end. Accents are dropped. */
  readonly merchantCity: string
  /** Field 61: the CEP, 1 to 99 characters. */
  readonly postalCode?: string
  /** Field 52: four digits; by default `0000` (not informed). */
  readonly merchantCategoryCode?: string
  /**
   * Field 01: 11 is reusable, 12 should be paid once. It is advice and doesn't stop a second payment (Manual de Padrões
   * para Iniciação do Pix 2.10.0, §2.5).
   */
  readonly pointOfInitiation?: "reusable" | "singleUse"
}

/** A code that pays a Pix key (chave) directly. It never expires (Manual §2.6). */
export interface StaticBrCode extends BrCodeMerchant {
  readonly _tag: "Static"
  /** Field 26.01, as the DICT writes it: CPF, CNPJ, phone with `+` and country, e-mail or random key (EVP). */
  readonly key: string
  /** Field 26.02, infoAdicional: at most 72 characters, fewer with a long key. */
  readonly description?: string
  /** Field 26.03, fss: the ISPB of the institution that hands out cash (Pix Saque), 8 digits or capitals. */
  readonly facilitator?: string
  /** Field 54, in centavos. If absent, the payer types the amount. 0 needs a facilitator. */
  readonly amountCents?: Cents
  /** Field 62.05: 1 to 25 letters and digits. `***` is written if it is absent. */
  readonly txid?: string
  /** Field 80.25: the location of the Pix Automático offer, without a scheme (Manual §2.8). */
  readonly recurrenceUrl?: string
}

/**
 * A code that points to a charge at a payment institution, which makes the URL and holds amount, dates and txid (Manual
 * §2.7).
 */
export interface DynamicBrCode extends BrCodeMerchant {
  readonly _tag: "Dynamic"
  /** Field 26.25: host and path without a scheme, at most 77 characters. */
  readonly url: string
  /** Field 80.25: the location of the Pix Automático offer, on the same host (Manual §2.8.3). */
  readonly recurrenceUrl?: string
}

/** A code that offers a Pix Automático authorisation without a payment (Manual §2.8, journey 2). */
export interface RecurrenceBrCode extends BrCodeMerchant {
  readonly _tag: "Recurrence"
  /** Field 80.25: host and path without a scheme, at most 77 characters. */
  readonly recurrenceUrl: string
}

/** A static or dynamic code can also contain a recurrence. */
export type BrCode = StaticBrCode | DynamicBrCode | RecurrenceBrCode

const maxSize = 77

/** The last label starts with a letter, which excludes IPv4 addresses. */
const host = "(?:[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*\\.)+[A-Za-z][A-Za-z0-9]*(?:-+[A-Za-z0-9]+)*"
const hostAlone = new RegExp(`^${host}$`)
/** RFC 3986 `pchar` without `%`. */
const pathCharacters = "\\w.~!$&'()*+,;=:@-"
const wellFormed = new RegExp(`^${host}/+[%${pathCharacters}][%/${pathCharacters}]*$`)
const usual = new RegExp(`^${host}(?:/[\\w~!$&'()*+,;=:@-][${pathCharacters}]*)+$`)

const maxLabelLength = 63
const longLabel = /^[^/]*[^./]{64}/
const strayPercent = /%(?![0-9A-Fa-f]{2})/
/** Clients resolve dot segments and would fetch another path. */
const dotSegment = /\/(?:\.|%2[Ee]){1,2}(?:\/|$)/

/**
 * Requires a full domain name and a path, HTTPS implied: no scheme, user, port, IP address, query, fragment or dot segment
 * (Manual §2.5.2, RFC 3986). Before a fetch, callers must check that the name resolves to a public address.
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

const urlFlaw = (field: string, url: string): BrCodeViolation => {
  const refuse = (rule: BrCodeRule, sentence: string) => violation(field, rule, sentence)
  if (!isPrintable(url)) return refuse("characters", "has characters outside printable ASCII")
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return refuse("urlScheme", "contains a scheme; HTTPS is implied")
  const authority = urlAuthority(url)
  if (authority.includes("@")) return refuse("urlUser", "contains user information")
  if (/:\d*$/.test(authority)) return refuse("urlPort", "contains a port")
  if (!hostAlone.test(authority) || longLabel.test(url)) return refuse("host", "does not start with a full domain name")
  if (/[?#]/.test(url)) return refuse("urlQuery", "contains a query or a fragment")
  return refuse("urlPath", "has no path to a charge, or a path that RFC 3986 does not allow")
}

const urlAuthority = (url: string): string => url.slice(0, url.search(/[/?#\\]|$/))

export const haveSameHost = (url: string, other: string): boolean => {
  const authority = url.slice(0, url.indexOf("/") + 1)
  return other.startsWith(authority) || other.toLowerCase().startsWith(authority.toLowerCase())
}
