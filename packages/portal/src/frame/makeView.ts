import type { Pix } from "@pixcharge/embed"
import { type Csrf, type Html, html, type PageRequest, type TextSignatures } from "@pixcharge/web"
import { Buffer } from "node:buffer"
import type { GrantedAccess, PortalCompany } from "./Access.ts"
import type { PortalRoute } from "./PortalRoute.ts"
import type { View } from "./View.ts"
import { companyName } from "./layout.ts"

export const tokenField = "token"
export const keyField = "key"

/** The field with a sealed text, which only its sender can read. */
export const sealedTextField = "procura"

export const isActionKey = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

export const formSender = (who: string, company: string): string => JSON.stringify([who, company])

interface Operator extends GrantedAccess {
  readonly company: PortalCompany
}

export const makeView = (
  { pix, csrf, seals }: { readonly pix: Pix; readonly csrf: Csrf; readonly seals: Seals },
  { who, company, companies, rights }: Operator,
  { section }: Pick<PortalRoute, "section">,
  request: PageRequest,
): View => {
  let made: Promise<string> | undefined
  const token = (): Html => {
    made ??= csrf.token(formSender(who, company.cnpj))
    return made.then((value) => html`<input type="hidden" name="${tokenField}" value="${value}" />`)
  }
  return {
    pix,
    as: pix.by(who),
    who,
    company: company.cnpj,
    companyName: companyName(company),
    companies,
    section,
    may: (right) => rights.has(right),
    now: pix.clock.now(),
    link: (path = "") => `${request.root}${company.cnpj}${path}`,
    seal: (text) => seals.seal({ who, company: company.cnpj }, text),
    unseal: (given) => seals.open({ who, company: company.cnpj }, given),
    token,
    formFields: (key = crypto.randomUUID()) =>
      html`${token()}<input type="hidden" name="${keyField}" value="${key}" />`,
    ...request,
  }
}

/** As long as the form of an open page is valid. */
const validMs = 12 * 3_600_000
/** Padding to a multiple hides a text's length. */
const blockLength = 64

export interface SealReader {
  readonly who: string
  readonly company: string
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const encode = (bytes: ArrayBufferLike | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString("base64url")

/** AES-256-GCM. Each key is derived from the signing key, the reader, the expiry and a salt. */
export const makeSeals = (signatures: TextSignatures, now: () => number) => {
  const deriveKey = async ({ who, company }: SealReader, until: string, salt: string) => {
    const secret = await signatures.sign(JSON.stringify(["seal", who, company, until, salt]))
    const key = await crypto.subtle.digest("SHA-256", toBytes(secret))
    return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"])
  }
  const cipher = (salt: string) => ({ name: "AES-GCM", iv: Buffer.from(salt, "base64url") })

  return {
    seal: async (reader: SealReader, text: string): Promise<string> => {
      const until = String(now() + validMs)
      const salt = encode(crypto.getRandomValues(new Uint8Array(12)))
      const filled = text.padEnd(Math.ceil(text.length / blockLength) * blockLength)
      const sealed = await crypto.subtle.encrypt(cipher(salt), await deriveKey(reader, until, salt), toBytes(filled))
      return [until, salt, encode(sealed)].join(".")
    },
    /** Without trailing blanks; undefined if expired, invalid or another reader's. */
    open: async (reader: SealReader, token: string): Promise<string | undefined> => {
      const [until = "", salt = "", sealed = ""] = token.split(".", 3)
      if (!(Number(until) > now())) return undefined
      try {
        const key = await deriveKey(reader, until, salt)
        const text = await crypto.subtle.decrypt(cipher(salt), key, Buffer.from(sealed, "base64url"))
        return new TextDecoder().decode(text).trimEnd()
      } catch {
        return undefined
      }
    },
  }
}

export type Seals = ReturnType<typeof makeSeals>
