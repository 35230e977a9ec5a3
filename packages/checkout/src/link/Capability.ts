import { type Exchange, InvalidLink } from "@pixcharge/core"
import type { Charge, ChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { AboutRecurrence } from "@pixcharge/core/recurrence"
import type { Signature } from "@pixcharge/http"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"

/** A link's content: its charge or recurrence, and its expiry. It contains no data of the payer. */
export interface Capability<Id extends string = ChargeId> {
  readonly issuer: Cnpj
  readonly id: Id
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The purposes differ, so a charge's link isn't valid for a recurrence. Raise the number if the byte layout changes. */
export const capabilityPurpose = "checkout link 1"
export const recurrencePurpose = "checkout recurrence link 1"

const cnpjBytes = 14
const idBytes = 16
const momentBytes = 6
const size = cnpjBytes + idBytes + momentBytes
/** The number of Base64url characters for 36 bytes. */
const termsLength = 48
/** Enough for a kid of 200 bytes and a signature. */
const maxLength = 400

const formatUuid = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5")

/** Formats a capability with letters, digits, `-` and `_`. Equal capabilities under the same key give equal strings. */
export const formatCapability = ({ issuer, id, expiresAt }: Capability<string>, { sign }: Signature): string => {
  const bytes = Buffer.alloc(size)
  bytes.write(issuer)
  bytes.write(id.replaceAll("-", ""), cnpjBytes, "hex")
  bytes.writeUIntBE(expiresAt, cnpjBytes + idBytes, momentBytes)
  const terms = bytes.toString("base64url")
  return `${terms}${sign(terms)}`
}

/** Parses a string with our signature; undefined without it. */
export const parseCapability = <Id extends string = ChargeId>(
  text: string,
  { verify }: Signature,
): Capability<Id> | undefined => {
  if (text.length > maxLength) return undefined
  const terms = text.slice(0, termsLength)
  if (!verify(terms, text.slice(termsLength))) return undefined
  const bytes = Buffer.from(terms, "base64url")
  return {
    issuer: bytes.subarray(0, cnpjBytes).toString() as Cnpj,
    id: formatUuid(bytes.subarray(cnpjBytes, cnpjBytes + idBytes)) as Id,
    expiresAt: bytes.readUIntBE(cnpjBytes + idBytes, momentBytes),
  }
}

const dayMs = 86_400_000
const yearMs = 366 * dayMs

/** A year after `watchUntil`: the payer needs the receipt for that time. */
export const latestExpiry = ({ watchUntil }: Pick<Charge, "watchUntil">): number => watchUntil + yearMs

const defaultAfterMs = 30 * dayMs

/** Rounds up to whole days, so links stay the same for a day. */
const defaultAfter = (now: number): number => Math.ceil(now / dayMs) * dayMs + defaultAfterMs

const defaultExpiry = (charge: Charge, now: number): number =>
  Math.min(latestExpiry(charge), Math.max(charge.payableUntil + defaultAfterMs, defaultAfter(now)))

const isBetween = (moment: number, now: number, latest: number): boolean =>
  Number.isInteger(moment) && moment > now && moment <= latest

/** `now` is in epoch milliseconds. */
export const checkExpiresAt = (
  charge: Charge,
  expiresAt: number | undefined,
  now: number,
): Effect.Effect<number, InvalidLink> => {
  const latest = latestExpiry(charge)
  const ending = expiresAt === undefined ? defaultExpiry(charge, now) : expiresAt
  return isBetween(ending, now, latest)
    ? Effect.succeed(ending)
    : Effect.fail(new InvalidLink({ issuer: charge.issuer, id: charge.id, latest }))
}

export const checkRecurrenceExpiresAt = (
  about: AboutRecurrence,
  expiresAt: number | undefined,
  now: number,
): Effect.Effect<number, InvalidLink> => {
  const latest = now + yearMs
  const ending = expiresAt === undefined ? defaultAfter(now) : expiresAt
  return isBetween(ending, now, latest) ? Effect.succeed(ending) : Effect.fail(new InvalidLink({ ...about, latest }))
}

export interface LinkRequest {
  readonly exchange: Exchange
  readonly capability: Capability<string>
  /** The rest of the path after the link: `""`, `/estado`, `/qr.svg`. */
  readonly path: string
  /** Epoch milliseconds of business time. */
  readonly now: number
}
