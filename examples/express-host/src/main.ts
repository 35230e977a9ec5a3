import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { openShop } from "./app.ts"
import { sampleInvoices } from "./invoices.ts"

const endLimitMs = 3_000

const { PORT = "3001", PUBLIC_URL, DATABASE_URL = "", ...env } = process.env
const url = PUBLIC_URL || `http://127.0.0.1:${PORT}`
// An absent secret gets a random value, which is lost when this process ends.
const tokenSecret = env["PIX_TOKEN_SECRET"] || randomBytes(32).toString("hex")
const callbackSecret = env["PIX_CALLBACK_SECRET"] || `whsec_${randomBytes(32).toString("base64")}`
const integratorKey = env["PIX_INTEGRATOR_KEY"] || randomBytes(24).toString("hex")
const operatorKey = env["OPERATOR_KEY"] || randomBytes(24).toString("hex")

try {
  const settings = { url, databaseUrl: DATABASE_URL, tokenSecret, callbackSecret, integratorKey, operatorKey }
  const shop = await openShop(settings)
  const server = shop.app.listen(Number(PORT), "127.0.0.1")
  await once(server, "listening")

  // Finishes open requests within the limit, and then open deliveries.
  const end = (): void => {
    shop.pix.endStreams()
    server.close(() => void shop.close())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), endLimitMs).unref()
  }
  process.once("SIGTERM", end).once("SIGINT", end)

  const asOperator = `-H 'Authorization: Bearer ${operatorKey}'`
  console.log(`The shop: ${url}

An operator returns an order's money; the order's page has its ID:
curl -X POST ${url}/operator/orders/ID/refund ${asOperator}
Or a part of it:
curl -X POST ${url}/operator/orders/ID/refunds ${asOperator} \\
  -H 'Content-Type: application/json' -d "{\\"key\\":\\"$(node -p 'crypto.randomUUID()')\\",\\"amountCents\\":500}"
Or finds an order by the endToEndId of a buyer's receipt:
curl ${url}/operator/payments/ENDTOENDID ${asOperator}
Or issues invoices, many at once:
curl ${url}/operator/invoices ${asOperator} \\
  -H 'Content-Type: application/json' -d '${JSON.stringify(sampleInvoices())}'`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
