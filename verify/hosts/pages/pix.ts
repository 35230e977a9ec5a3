import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { consoleFor } from "@pixcharge/console"
import { createPix } from "@pixcharge/embed"
import { fetchHandler, type Responder } from "@pixcharge/http"
import { portal } from "@pixcharge/portal"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"

const { PIX_TOKEN_SECRET, PIX_CALLBACK_URL = "", PIX_CALLBACK_SECRET = "", PUBLIC_URL = "http://x" } = process.env

export const cnpj = "12345678000195"
const integratorKey = "chave-da-loja"
const company = { cnpj, name: "Minha Loja", city: "Recife", pixKey: "loja@example.com", integratorKey, graceDays: 5 }

type Exchange = Parameters<Responder["respond"]>[0]

/** The request as an app that is mounted at this path gets it. */
const below = (path: string, exchange: Exchange): Exchange => ({
  method: exchange.method,
  url: exchange.url.slice(path.length),
  fullUrl: exchange.fullUrl,
  address: exchange.address,
  header: (name) => exchange.header(name),
  body: (maxBytes) => exchange.body(maxBytes),
  signal: exchange.signal,
})

/**
 * Replaces the host's `pix`. Its routes include the portal and the console, and `/link` issues a charge and returns the
 * address of its payer's page.
 */
const makePix = () => {
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    companies: [
      {
        ...company,
        ...(PIX_CALLBACK_URL !== "" && { callback: { url: PIX_CALLBACK_URL, secrets: [PIX_CALLBACK_SECRET] } }),
      },
    ],
    processor: sandboxProcessor(),
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    // There is no secret when a bundler loads this module.
    tokens: { keys: [{ kid: "1", secret: PIX_TOKEN_SECRET ?? "no token is issued while building" }] },
    checkout: checkout({ url: PUBLIC_URL }),
  })
  const operators = portal(pix, { authorize: () => ({ who: "ana", companies: [{ cnpj }], rights: ["read"] }) })
  const sandbox = consoleFor(pix, { company, integratorKey })
  const answerLink = async () => {
    const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
    return { status: 200, headers: {}, body: await pix.checkout.link(cnpj, id) }
  }
  const respond: Responder["respond"] = (exchange) => {
    if (exchange.url === "/link") return answerLink()
    if (exchange.url.startsWith("/portal/")) return operators.respond(below("/portal", exchange))
    if (exchange.url.startsWith("/sandbox/")) return sandbox.respond(below("/sandbox", exchange))
    return pix.respond(exchange)
  }
  return { ...pix, respond, fetchAt: (base: string) => fetchHandler({ respond }, base) }
}

// Next.js loads this module once for each bundle.
const shared = globalThis as typeof globalThis & { pix?: ReturnType<typeof makePix> }

export const pix = (shared.pix ??= makePix())
