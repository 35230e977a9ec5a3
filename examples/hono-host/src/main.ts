import { serve } from "@hono/node-server"
import { createPix, isPixError } from "@pixcharge/embed"
import { pixRoutes } from "@pixcharge/hono"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { Hono } from "hono"
import { bearerAuth } from "hono/bearer-auth"
import { randomBytes, randomUUID } from "node:crypto"

// An absent secret gets a random value, which is lost when this process ends.
const secretFor = (name: string): string => process.env[name] || randomBytes(32).toString("hex")
const port = Number(process.env["PORT"] ?? 3000)

const shop = {
  cnpj: "12345678000195",
  name: "Minha Loja",
  city: "Recife",
  pixKey: "loja@example.com",
  integratorKey: secretFor("PIX_INTEGRATOR_KEY"),
}

const pix = createPix({
  environment: "sandbox",
  // Loses everything when the process ends. A real shop uses `postgresStore`.
  store: memoryStore(),
  companies: [shop],
  processor: sandboxProcessor(),
  // Signs the tokens of integrators.
  tokens: { keys: [{ kid: "1", secret: secretFor("PIX_TOKEN_SECRET") }] },
  // Called at least once for each event, and again if it throws: handle a repeated event.
  onEvent: ({ kind, payment }) => console.log(kind, payment?.chargeId),
})

const app = new Hono()

/** The contract's routes, for integrators that issue over HTTP. */
app.route("/payments", pixRoutes(pix))

/** The shop sells one product. Its server, not the caller, sets the price. */
app.post("/orders", async (context) => {
  const { id, brCode } = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 1_990 })
  return context.json({ id, brCode }, 201)
})

app.get("/orders/:id", async (context) => {
  const { status } = await pix.find(shop.cnpj, context.req.param("id"))
  return context.json({ status })
})

app.post("/orders/:id/refund", bearerAuth({ token: secretFor("OPERATOR_KEY") }), async (context) => {
  const { status } = await pix.by("operator").refund(shop.cnpj, context.req.param("id"))
  return context.json({ status })
})

app.onError((error, context) => {
  if (isPixError(error, "ChargeNotFound") || isPixError(error, "InvalidChargeId")) return context.notFound()
  if (isPixError(error, "ChargeNotPaid")) return context.json({ error: error.code }, 409)
  if ("getResponse" in error) return error.getResponse()
  console.error("a request failed:", error.name)
  return context.text("Internal Server Error", 500)
})

// Starts the background work: events are delivered and payments reconciled even if nobody calls.
await pix.ready()
const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (address) =>
  console.log(`listening on http://127.0.0.1:${address.port}`),
)

const end = () => {
  pix.endStreams()
  server.close(() => void pix.dispose())
  if ("closeIdleConnections" in server) server.closeIdleConnections()
}
process.once("SIGTERM", end).once("SIGINT", end)
