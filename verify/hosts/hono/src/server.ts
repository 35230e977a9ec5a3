import { serve } from "@hono/node-server"
import { pixRoutes } from "@pixcharge/hono"
import { Hono } from "hono"
import { randomUUID } from "node:crypto"
import { cnpj, pix } from "./pix.js"

const app = new Hono()
app.route("/payments", pixRoutes(pix))
app.get("/buy", async (context) => {
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
  return context.redirect(await pix.checkout.link(cnpj, id))
})
app.get("/", (context) => context.text("a shop"))

const main = async () => {
  // Starts the background work: events are delivered and payments reconciled even if nobody calls.
  await pix.ready()
  const server = serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000), hostname: "127.0.0.1" })
  const end = () => {
    pix.endStreams()
    server.close(() => void pix.dispose())
    if ("closeIdleConnections" in server) server.closeIdleConnections()
  }
  process.once("SIGTERM", end).once("SIGINT", end)
}

void main()
