// Issues a charge, waits until it is paid, refunds it, and runs the doctor's checks. Under HTTPS it requires the bank's
// certificate.
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { setTimeout } from "node:timers/promises"
import { pixRouter } from "@pixcharge/express"
import express from "express"
import { bank, pix, shop } from "./pix.mjs"

const { HOST_CERT, HOST_KEY, BANK_CA } = process.env
const app = express().use("/payments", pixRouter(pix))
const server =
  HOST_CERT === undefined
    ? createServer(app)
    : createSecureServer(
        {
          cert: readFileSync(HOST_CERT),
          key: readFileSync(HOST_KEY),
          ca: readFileSync(BANK_CA),
          requestCert: true,
          rejectUnauthorized: true,
        },
        app,
      )

const tell = (line) => process.stdout.write(`${line}\n`)

const until = async (holds) => {
  while (!(await holds())) await setTimeout(20)
}

await pix.ready()
await once(server.listen(0, "127.0.0.1"), "listening")
const mountedAt = `${HOST_CERT === undefined ? "http" : "https"}://127.0.0.1:${server.address().port}/payments`
await bank.registerWebhook(shop.cnpj, { pixKey: shop.pixKey, mountedAt, reconcile: pix.reconcile })

const { id } = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 1 })
tell("issued")
await until(async () => (await pix.find(shop.cnpj, id)).status === "paid")
tell("paid")
await until(async () => (await pix.refund(shop.cnpj, id)).status === "refunded")
tell("refunded")
const findings = await pix.diagnose({ companies: { [shop.cnpj]: shop.pixKey } })
for (const { check, status, message } of findings)
  tell(status === "ok" ? `${check} ok` : `${check} ${status}: ${message}`)

server.close()
server.closeAllConnections()
await pix.dispose()
