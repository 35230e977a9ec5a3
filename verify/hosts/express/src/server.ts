import { pixRouter } from "@pixcharge/express"
import express from "express"
import { randomUUID } from "node:crypto"
import { cnpj, pix } from "./pix.js"

const app = express()
app.use("/payments", pixRouter(pix))
app.get("/buy", async (_request, response) => {
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
  response.redirect(await pix.checkout.link(cnpj, id))
})
app.get("/", (_request, response) => void response.send("a shop"))

const main = async () => {
  // Starts the background work: events are delivered and payments reconciled even if nobody calls.
  await pix.ready()
  const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1")
  const end = () => {
    pix.endStreams()
    server.close(() => void pix.dispose())
    server.closeIdleConnections()
  }
  process.once("SIGTERM", end).once("SIGINT", end)
}

void main()
