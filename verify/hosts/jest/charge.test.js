import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"

const cnpj = "12345678000195"

test("a charge is paid", async () => {
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    companies: [{ cnpj, name: "Minha Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }],
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
  })
  const id = randomUUID()
  await pix.issue(cnpj, { id, amountCents: 1990 })
  expect((await pix.simulatePayment(cnpj, id))._tag).toBe("Paid")
  await pix.dispose()
})
