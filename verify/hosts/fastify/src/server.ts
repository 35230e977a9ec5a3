import { pixPlugin, pixRewriteUrl } from "@pixcharge/fastify"
import Fastify from "fastify"
import { randomUUID } from "node:crypto"
import { cnpj, pix } from "./pix.js"

const prefix = "/payments"
const app = Fastify({ logger: true, rewriteUrl: pixRewriteUrl({ prefix }) })
app.register(pixPlugin(pix), { prefix })
app.get("/buy", async (_request, reply) => {
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
  return reply.redirect(await pix.checkout.link(cnpj, id))
})
app.get("/", () => "a shop")
// Starts the background work: events are delivered and payments reconciled even if nobody calls.
app.addHook("onReady", () => pix.ready())
app.addHook("preClose", async () => pix.endStreams())
app.addHook("onClose", () => pix.dispose())

void app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" })
const end = () => void app.close()
process.once("SIGTERM", end).once("SIGINT", end)
