import { createAdaptorServer } from "@hono/node-server"
import { createPix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"

const cnpj = "12345678000195"
const company = { cnpj, name: "Minha Loja", city: "Recife", pixKey: "loja@example.com", integratorKey: "chave-da-loja" }

const hosts = {
  Express: (pix) => createServer(express().use("/payments", pixRouter(pix))),
  Fastify: async (pix) => {
    const app = fastify()
    app.register(pixPlugin(pix), { prefix: "/payments" })
    return (await app.ready()).server
  },
  Hono: (pix) => createAdaptorServer({ fetch: new Hono().route("/payments", pixRoutes(pix)).fetch }),
}

test.each(Object.entries(hosts))("a charge is paid over HTTP in %s", async (_, serve) => {
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    companies: [company],
    processor: sandboxProcessor(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
  })
  const server = (await serve(pix)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const ask = async (method, path, body, headers) => {
    const url = `http://127.0.0.1:${server.address().port}/payments/api/${path}`
    return (await fetch(url, { method, headers: { "content-type": "application/json", ...headers }, body })).json()
  }
  const token = await ask("POST", "token", JSON.stringify({ cnpj, chave: company.integratorKey }))
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
  const paid = await ask("POST", `pix/simular-pagamento/${id}`, undefined, { authorization: `Bearer ${token.data}` })
  expect(paid).toMatchObject({ sucesso: true })
  expect((await pix.find(cnpj, id)).status).toBe("paid")
  server.closeAllConnections()
  server.close()
  await pix.dispose()
})
