import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { describe, expect, it } from "vitest"
import { createPix, type EventKind, type FactKind, type SandboxOptions } from "../src/index.ts"

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

  it("reports callbacks that want kinds which the instance doesn't publish", async () => {
    const { directory: _, ...rest } = options
    const callback = { url: "https://loja.example.com/pix", secrets: [`whsec_${"a".repeat(32)}`] }
    const company = { cnpj: "12345678000195", name: "Loja", city: "Recife", pixKey: "loja@example.com" }
    const eventsOf = async (kinds: ReadonlyArray<EventKind> | undefined, events?: ReadonlyArray<FactKind>) => {
      const companies = [{ ...company, callback: { ...callback, ...(kinds && { kinds }) } }]
      const findings = await createPix({ ...rest, companies, ...(events && { events }) }).diagnose()
      return findings.filter(({ check }) => check === "events")
    }
    expect(await eventsOf(["paid", "expired", "cancelled"])).toEqual([
      {
        check: "events",
        status: "failed",
        message: "callbacks name kinds that aren't published: add expired, cancelled to the option events",
      },
    ])
    expect(await eventsOf(undefined, ["expired"])).toMatchObject([{ status: "failed" }])
    expect(await eventsOf(["paid", "test", "expired"], ["paid", "expired"])).toEqual([])
    expect(await eventsOf(undefined)).toEqual([])
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
