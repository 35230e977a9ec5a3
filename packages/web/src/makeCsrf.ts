import type { Exchange } from "@pixcharge/core"
import { isCrossSite } from "./isCrossSite.ts"

/** What signs texts for one purpose, as `pix.tokens.signatures(purpose)` does. */
export interface TextSignatures {
  readonly sign: (text: string) => Promise<string>
  readonly verify: (text: string, signature: string) => Promise<boolean>
}

/** Tokens in forms: an app recognises by them that its own page was the sender. */
export interface Csrf {
  /** Makes a token for the forms of one reader. It is valid for twelve hours, as long as a page is left open. */
  readonly token: (who: string) => Promise<string>
  /** Whether a form comes from a page of this app that was made for `who`. */
  readonly isOwn: (exchange: Exchange, who: string, token: string | undefined) => Promise<boolean>
}

const validMs = 12 * 3_600_000

/** `now` gives the present in epoch milliseconds. */
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
