import { callbackFetch } from "@pixcharge/callback-fetch"
import type { Exchange, StorePorts } from "@pixcharge/core"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { afterEach, describe, expect, it, vi } from "vitest"
import { createPix, type Pix, type ProductionOptions, type SandboxOptions } from "../src/index.ts"

const shop = "12345678000195"

const company = {
  cnpj: shop,
  name: "Loja",
  city: "Recife",
  pixKey: "loja@example.com",
  integratorKey: "chave da loja",
  graceDays: 5,
}

const options = (store: Layer.Layer<StorePorts, unknown> = memoryStore()): SandboxOptions => ({
  environment: "sandbox",
  store,
  directory: memoryDirectory({ companies: [company] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
})

/** Makes a store that logs when it is opened and closed, and runs `first` before it is ready. */
const observedStore = (first: Effect.Effect<unknown, unknown> = Effect.void) => {
  const log: Array<string> = []
  const opened = Effect.acquireRelease(
    Effect.sync(() => log.push("opened")),
    () => Effect.sync(() => log.push("closed")),
  )
  const preparing = Layer.effectDiscard(
    Effect.andThen(
      opened,
      Effect.suspend(() => first),
    ),
  )
  return { store: Layer.provideMerge(memoryStore(), preparing), log }
}

const charge = () => ({ id: randomUUID(), amountCents: 1 })

const get = (path: string): Exchange => ({
  method: "GET",
  url: path,
  fullUrl: path,
  header: () => undefined,
  body: async () => ({ _tag: "Text", text: "" }),
  signal: new AbortController().signal,
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe("an unused instance", () => {
  it("isn't a promise, opens no connection and sets no timer", async () => {
    const { store, log } = observedStore()
    const before = process.getActiveResourcesInfo()
    const pix = createPix(options(store))
    expect(pix).not.toHaveProperty("then")
    expect(await pix).toBe(pix)
    expect(process.getActiveResourcesInfo()).toEqual(before)
    expect(log).toEqual([])
    await pix.dispose()
    expect(log).toEqual([])
  })

  it("answers only our routes and the bank's, and doesn't boot for the host's routes", async () => {
    const { store, log } = observedStore()
    const pix = createPix({
      ...options(store),
      environment: "production",
      processor: Layer.empty,
      notices: { path: "/webhooks/pix", layer: Layer.empty },
    } as unknown as ProductionOptions)
    for (const path of ["/", "/host", "/api/outra"]) expect(pix.respond(get(path))).toBeUndefined()
    expect(log).toEqual([])
    await pix.dispose()
    for (const path of ["/api/pix/x", "/webhooks/pix/y"]) {
      expect(await pix.respond(get(path))).toMatchObject({ status: 503 })
    }
  })

  it("boots once for the first uses of any kind", async () => {
    const { store, log } = observedStore()
    await using pix = createPix(options(store))
    const backlog = pix.events.backlog()
    const answer = pix.fetch(new Request("http://localhost/api/pix/x"))
    const listed = pix.exceptions.list(shop)[Symbol.asyncIterator]().next()
    await Promise.all([pix.ready(), pix.issue(shop, charge()), backlog, listed, pix.ready()])
    expect((await answer).status).toBe(401)
    expect(log).toEqual(["opened"])
  })

  it("throws immediately for invalid options and on Cloudflare's runtime", () => {
    expect(() => createPix({ ...options(), environment: "Sandbox" } as never)).toThrow("environment")
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" })
    expect(() => createPix(options())).toThrow(
      expect.objectContaining({
        _tag: "BootFailure",
        message: "pixcharge could not start: Cloudflare Workers (workerd) is not supported; Node, Bun and Deno are",
      }),
    )
  })
})

/** Makes a store that fails to open this number of times. */
const failingStore = (failures: number) => {
  let failuresLeft = failures
  return observedStore(
    Effect.suspend(() => (failuresLeft-- > 0 ? Effect.fail(new Error("no such database")) : Effect.void)),
  )
}

describe("an instance that can't boot", () => {
  it("fails every use within a second, and then tries again", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    const { store, log } = failingStore(2)
    await using pix = createPix(options(store))
    const failure = { _tag: "BootFailure", message: expect.stringContaining("no such database") }
    await expect(pix.ready()).rejects.toMatchObject(failure)
    vi.advanceTimersByTime(999)
    await expect(pix.issue(shop, charge())).rejects.toMatchObject(failure)
    expect(log).toEqual(["opened", "closed"])
    vi.advanceTimersByTime(1)
    await expect(pix.events.backlog()).rejects.toMatchObject(failure)
    expect(log).toHaveLength(4)
    vi.advanceTimersByTime(1_000)
    await expect(pix.issue(shop, charge())).resolves.toMatchObject({ _tag: "Pending" })
    await pix.ready()
    expect(log).toEqual(["opened", "closed", "opened", "closed", "opened"])
  })

  it("answers requests with a 503 and a retry time, and logs the reason once", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    const logged = vi.spyOn(console, "log").mockImplementation(() => {})
    const { store } = failingStore(1)
    await using pix = createPix(options(store))
    for (let again = 0; again < 2; again++) {
      const answer = await pix.fetch(new Request("http://localhost/api/pix/x"))
      expect(answer.status).toBe(503)
      expect(answer.headers.get("retry-after")).toBe("1")
      expect(answer.headers.get("pix-erro")).toBe("servico-indisponivel")
      expect(await answer.json()).toEqual({ sucesso: false, errors: expect.any(String) })
    }
    expect(pix.respond(get("/host"))).toBeUndefined()
    expect(logged.mock.calls.flat().filter((line) => String(line).includes("could not start"))).toHaveLength(1)
    logged.mockRestore()
    vi.advanceTimersByTime(1_000)
    expect((await pix.fetch(new Request("http://localhost/api/pix/x"))).status).toBe(401)
  })
})

describe("a disposed instance", () => {
  const expectEnded = async (pix: Pix) => {
    await expect(pix.ready()).rejects.toMatchObject({ _tag: "PixDisposed" })
    await expect(pix.issue(shop, charge())).rejects.toThrow("dispose() was called")
    await expect(pix.payments(shop, { from: 0, until: 1 })[Symbol.asyncIterator]().next()).rejects.toThrow("ended")
    const answer = await pix.fetch(new Request("http://localhost/api/pix/x"))
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"])
  }

  it("has closed its services once, and rejects every call", async () => {
    const { store, log } = observedStore()
    const pix = createPix(options(store))
    await pix.ready()
    await Promise.all([pix.dispose(), pix.dispose(), pix[Symbol.asyncDispose]()])
    expect(log).toEqual(["opened", "closed"])
    await expectEnded(pix)
    await pix.dispose()
    expect(log).toEqual(["opened", "closed"])
  })

  it("never boots if it wasn't used before", async () => {
    const { store, log } = observedStore()
    const pix = createPix(options(store))
    await pix.dispose()
    await expectEnded(pix)
    expect(log).toEqual([])
  })

  it("doesn't boot again after a failed boot", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    const { store, log } = failingStore(1)
    const pix = createPix(options(store))
    await expect(pix.ready()).rejects.toMatchObject({ _tag: "BootFailure" })
    await pix.dispose()
    vi.advanceTimersByTime(1_000)
    await expectEnded(pix)
    expect(log).toEqual(["opened", "closed"])
  })

  it("ends a boot under way, closes its services, and rejects the waiting calls", async () => {
    const begun = Deferred.makeUnsafe<void>()
    const { store, log } = observedStore(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
    const pix = createPix(options(store))
    const waiting = Promise.allSettled([pix.ready(), pix.issue(shop, charge())])
    const answer = pix.fetch(new Request("http://localhost/api/pix/x"))
    await Effect.runPromise(Deferred.await(begun))
    await pix.dispose()
    expect(log).toEqual(["opened", "closed"])
    for (const result of await waiting) expect(result).toMatchObject({ reason: { _tag: "PixDisposed" } })
    expect((await answer).status).toBe(503)
    await expectEnded(pix)
  })
})
