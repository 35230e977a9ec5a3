import type { Pix } from "@pixcharge/embed"
import { Hono } from "hono"
import { randomUUID } from "node:crypto"
import { shopPage, shopScript, shopStyles } from "./shopPage.ts"

/** A content policy that lets the element load its script, its QR code and its state from the mount. */
const policyFor = (origin: string): string =>
  `default-src 'none'; style-src 'self'; script-src 'self' ${origin}; img-src ${origin}; connect-src ${origin}`

/** A shop that issues a charge for each visit. pixcharge can run on another origin, below `mount`. */
export const shop = (pix: Pick<Pix, "issue" | "checkout" | "clock">, issuer: string, mount: string): Hono =>
  new Hono()
    .get("/", async ({ html }) => {
      const { id } = await pix.issue(issuer, { id: randomUUID(), amountCents: 4590 })
      const link = await pix.checkout.link(issuer, id)
      return html(shopPage(link, mount), 200, { "content-security-policy": policyFor(new URL(mount).origin) })
    })
    .get("/shop.css", ({ body }) => body(shopStyles, 200, { "content-type": "text/css" }))
    .get("/shop.js", ({ body }) => body(shopScript, 200, { "content-type": "text/javascript" }))
