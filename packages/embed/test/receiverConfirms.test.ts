import { callbackFetch } from "@pixcharge/callback-fetch"
import { type PixReceiver, pixReceiver } from "@pixcharge/callback-fetch/receiver"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { createPix, type SandboxPix } from "../src/index.ts"

const cnpj = "12345678000195"
const integratorKey = "chave da loja"
const secrets = ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="]
const callback = { url: "https://loja.example/pix", secrets }
const facts = { cnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }

it("lets a receiver confirm an event at a host that accepts no keys in paths", async () => {
  const statuses: Array<number> = []
  const receiver: PixReceiver = pixReceiver({
    secrets,
    confirm: {
      baseUrl: "http://localhost",
      key: integratorKey,
      fetch: (input, init): Promise<Response> => pix.fetch(new Request(input, init)),
    },
    onEvent: () => undefined,
  })
  const deliver: typeof fetch = async (input, init) => {
    const response = await receiver.fetch(new Request(input, init))
    statuses.push(response.status)
    return response
  }
  await using pix: SandboxPix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({ companies: [{ ...facts, integratorKey, callback }] }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch({ fetch: deliver }),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }], path: false },
  })
  const id = randomUUID()
  await pix.issue(cnpj, { id, amountCents: 1_990, payer: { name: "Maria das Dores", taxId: "52998224725" } })
  await pix.simulatePayment(cnpj, id)
  await expect.poll(() => statuses.length).toBeGreaterThan(0)
  expect(statuses).toEqual([200])
})
