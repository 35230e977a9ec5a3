import { type Cnpj, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { createHmac, timingSafeEqual } from "node:crypto"
import { ApiPixMisconfigured } from "../connection/ApiPixConnection.ts"

/** The secrets that authenticate the URLs that banks call. New URLs use the first; URLs of both are accepted. */
export type NoticeSecrets = readonly [current: string, other?: string]

const minBytes = 32

const makeMisconfigured = (why: string) =>
  new ApiPixMisconfigured({ message: `The webhook of API Pix can't work: ${why}.` })

export const checkSecrets = (secrets: NoticeSecrets | undefined): Effect.Effect<NoticeSecrets, ApiPixMisconfigured> => {
  if (secrets === undefined) return makeMisconfigured("it needs noticeSecrets")
  if (secrets[0] === undefined) return makeMisconfigured("the first of noticeSecrets is missing: it is undefined")
  const isShort = secrets.some((secret) => secret !== undefined && Buffer.byteLength(secret) < minBytes)
  return isShort ? makeMisconfigured(`each of noticeSecrets needs at least ${minBytes} bytes`) : Effect.succeed(secrets)
}

/** 128 of the 256 bits, in hexadecimal because some systems change upper and lower case. */
const macLength = 32

const computeMac = (secret: string, company: string): string =>
  createHmac("sha256", secret).update(`pixcharge notice address 1\n${company}`).digest("hex").slice(0, macLength)

export const noticeAddress = ([secret]: NoticeSecrets, company: Cnpj): string =>
  `/${company}/${computeMac(secret, company)}`

const isSame = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))

const addressForm = new RegExp(`^/([0-9A-Z]{14})/([0-9a-f]{${macLength}})(?:/(?:pix|rec|cobr)){0,2}$`, "i")

const addressWithin = new RegExp(`/([0-9A-Z]{14})/([0-9a-f]{${macLength}})(?![0-9a-f])`, "i")

const readCompany = (secrets: NoticeSecrets, found: RegExpExecArray | null): Cnpj | undefined => {
  const [, given = "", mac = ""] = found ?? []
  const company = given.toUpperCase()
  const isRight = secrets.map(
    (secret) => secret !== undefined && isSame(mac.toLowerCase(), computeMac(secret, company)),
  )
  return isRight.includes(true) ? Result.getOrUndefined(parseCnpj(company)) : undefined
}

/** Ignores upper and lower case. Most banks append `/pix`, `/rec` or `/cobr` to the registered URL. */
export const readNoticeAddress = (secrets: NoticeSecrets, below: string): Cnpj | undefined =>
  readCompany(secrets, addressForm.exec(below))

export const readWebhook = (secrets: NoticeSecrets, url: string): Cnpj | undefined =>
  readCompany(secrets, addressWithin.exec(url))
