import type { Exchange } from "@pixcharge/core"

/**
 * Whether a browser reports that another site's page sent the request.
 *
 * False if the request has no such header. `Origin` is `null` for forms of pages that send no referrer, like ours.
 */
export const isCrossSite = (exchange: Pick<Exchange, "header">): boolean => {
  const site = exchange.header("sec-fetch-site")
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  const origin = exchange.header("origin")
  if (origin === undefined || origin === "null") return false
  return origin.replace(/^[a-z][a-z\d+.-]*:\/\//i, "").toLowerCase() !== exchange.header("host")?.toLowerCase()
}

/** Signs strings for one purpose, like `pix.tokens.signatures(purpose)`. */
export interface TextSignatures {
  readonly sign: (text: string) => Promise<string>
  readonly verify: (text: string, signature: string) => Promise<boolean>
}

/** Makes and checks tokens that prove that a page of the app sent a form. */
export interface Csrf {
  /** A token for one reader's forms, valid for twelve hours. */
  readonly token: (who: string) => Promise<string>
  /** Whether a page of this app, made for `who`, sent the form. */
  readonly isOwn: (exchange: Exchange, who: string, token: string | undefined) => Promise<boolean>
}

const validMs = 12 * 3_600_000

/** `now` returns epoch milliseconds. */
export const makeCsrf = (signatures: TextSignatures, now: () => number): Csrf => {
  const signed = (who: string, expiresAt: string) => JSON.stringify([who, expiresAt])
  return {
    token: async (who) => {
      const expiresAt = String(now() + validMs)
      return `${expiresAt}.${await signatures.sign(signed(who, expiresAt))}`
    },
    isOwn: async (exchange, who, token = "") => {
      const [expiresAt = "", signature = ""] = token.split(".", 2)
      if (isCrossSite(exchange) || !(Number(expiresAt) > now())) return false
      return signatures.verify(signed(who, expiresAt), signature)
    },
  }
}
