import { serve } from "@hono/node-server"
import { checkout } from "@pixcharge/checkout"
import { createPix } from "@pixcharge/embed"
import { pixRoutes } from "@pixcharge/hono"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { Hono } from "hono"
import { randomBytes } from "node:crypto"
import { shop } from "./shop.ts"

const port = Number(process.env["PORT"] ?? 3010)
const mount = `http://127.0.0.1:${port}/payments`
const issuer = "12345678000195"

const pix = createPix({
  environment: "sandbox",
  store: memoryStore(),
  companies: [{ cnpj: issuer, name: "Café do Porto Ltda.", city: "Recife", pixKey: "pix@cafe.example" }],
  tokens: { keys: [{ kid: "1", secret: randomBytes(32).toString("base64url") }] },
  processor: sandboxProcessor(),
  checkout: checkout({ url: mount }),
})

await pix.ready()
const app = new Hono().route("/payments", pixRoutes(pix)).route("/", shop(pix, issuer, mount))
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => console.log(`The shop: http://127.0.0.1:${port}`))
