import { callbackFetch } from "@pixcharge/callback-fetch"
import { verifyEvent } from "@pixcharge/callback-fetch/receiver"
import { createPix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import assert = require("node:assert")
import crypto = require("node:crypto")

const cnpj = "12345678000195"
const pix = createPix({
  environment: "sandbox",
  store: memoryStore(),
  companies: [{ cnpj, name: "Minha Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }],
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
})

const main = async () => {
  const charge = await pix.issue(cnpj, { id: crypto.randomUUID(), amountCents: 1990 })
  const code: string = charge.brCode
  // @ts-expect-error -- an unreadable type would be `any` and fit every type
  const wrong: number = charge.brCode
  assert.equal(wrong, code)
  assert.equal((await pix.simulatePayment(cnpj, charge.id))._tag, "Paid")
  assert.equal(typeof pixRouter(pix)[0], "function")
  assert.equal(verifyEvent({ header: () => undefined, body: "" }, [`whsec_${"A".repeat(32)}`]), "unsigned")
  await pix.dispose()
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
