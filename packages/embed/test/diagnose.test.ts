import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { describe, expect, it } from "vitest"
import { createPix, type SandboxOptions } from "../src/index.ts"

const options: SandboxOptions = {
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({ companies: [] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
}

describe("pix.diagnose", () => {
  it("passes the named companies to the adapters", async () => {
    const orders: Array<unknown> = []
    const store = Object.assign(Object.create(options.store) as typeof options.store, {
      diagnose: async (order: unknown) => {
        orders.push(order)
        return [{ check: "store", status: "ok" as const, message: "seen" }]
      },
    })
    const pix = createPix({ ...options, store })
    const companies = { "12345678000195": "loja@example.com" }
    expect((await pix.diagnose({ companies })).map(({ check }) => check)).toEqual(["secrets", "store"])
    expect(orders).toEqual([{ companies }])
  })

  it("reports an adapter whose check fails as a finding", async () => {
    const store = Object.assign(Object.create(options.store) as typeof options.store, {
      diagnose: () => Promise.reject(new Error("with a secret")),
    })
    const findings = await createPix({ ...options, store }).diagnose()
    const message = "the check failed: see what this adapter needs"
    expect(findings.at(-1)).toEqual({ check: "store", status: "failed", message })
    expect(JSON.stringify(findings)).not.toContain("with a secret")
  })
})
