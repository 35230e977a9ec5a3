import { checkout } from "@pixcharge/checkout"
import { testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { bindings } from "./bindings.ts"
import { openEvents } from "./openEvents.ts"
import { checkoutWorld, url } from "./world.ts"

const stream = { accept: "text/event-stream" }

describe.each(bindings)("the checkout through %s", (_, mounted) => {
  it("doesn't keep a stream open for a HEAD request", async () => {
    const { pix, issue, makePath } = checkoutWorld({ maxStreams: 5 })
    const state = `${await mounted(pix)}${await makePath(await issue())}/estado`
    for (let requests = 0; requests < 25; requests++) {
      const head = await fetch(state, { method: "HEAD", headers: stream })
      expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"])
    }
    const page = await openEvents(state)
    expect(page.status).toBe(200)
    await page.until(() => page.events().length === 1)
    await pix.dispose()
  })

  it("sends answers whose length doesn't depend on the length of the path", async () => {
    const pix = testPix({ checkout: checkout({ url }) })
    const mount = await mounted(pix)
    const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 10_000 })
    const terms = { expiresAt: pix.clock.now() + 86_400_000 }
    const link = (await pix.checkout.link(pix.company.cnpj, id, terms)).slice(url.length)
    const measure = async (path: string): Promise<number> => {
      const answer = await fetch(mount + path, { redirect: "manual" })
      return (await answer.text()).length + JSON.stringify([...answer.headers]).length
    }
    const shortest = await measure("/pagar/x")
    for (const path of [
      `/pagar/x${"/".repeat(14_000)}`,
      `/pagar/x${"/a".repeat(7_000)}`,
      `/pagar/${"x".repeat(14_000)}`,
      `/pagar/x?${"a/".repeat(7_000)}`,
      `${"/".repeat(14_000)}pagar/x`,
      `/pagar${"/".repeat(14_000)}x`,
      `/pagar/assets/${"a/".repeat(7_000)}`,
    ]) {
      expect([path.slice(0, 20), await measure(path)]).toEqual([path.slice(0, 20), expect.closeTo(shortest, -3)])
    }
    expect(await measure(link + "/".repeat(14_000))).toBeLessThan((await measure(link)) + 1_000)
    await pix.dispose()
  })

  it("forbids caches to store an answer, and lets other origins read only the state", async () => {
    const { pix, issue, makePath } = checkoutWorld()
    const link = (await mounted(pix)) + (await makePath(await issue()))
    const origin = { origin: "https://evil.example" }
    const requests: ReadonlyArray<readonly [string, RequestInit, boolean]> = [
      ["/estado", { headers: { ...origin, accept: "application/json" } }, true],
      ["/estado", { headers: { ...origin, ...stream } }, true],
      ["/estado", { method: "HEAD", headers: origin }, true],
      ["/estado/", { headers: origin }, true],
      ["/novo", { method: "POST", headers: origin }, false],
      ["/estado/x", { headers: origin }, false],
      ["/ESTADO", { headers: origin }, false],
      ["/%65stado", { method: "OPTIONS", headers: origin }, false],
      ["/novo", { method: "OPTIONS", headers: origin }, false],
    ]
    for (const [path, init, isOpen] of requests) {
      const answer = await fetch(link + path, { ...init, redirect: "manual" })
      const { headers } = answer
      const requestLine = `${init.method ?? "GET"} ${path}`
      expect([requestLine, headers.get("access-control-allow-origin")]).toEqual([requestLine, isOpen ? "*" : null])
      expect([requestLine, headers.get("access-control-allow-credentials")]).toEqual([requestLine, null])
      if (isOpen) {
        expect([requestLine, headers.get("vary")]).toEqual([requestLine, expect.stringContaining("Accept")])
        expect([requestLine, headers.get("cache-control")]).toEqual([requestLine, expect.stringContaining("no-store")])
      }
      await answer.body?.cancel()
    }
    await pix.dispose()
  })
})

it.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("no")
    },
  ],
  ["rejects with undefined", () => Promise.reject(undefined)],
  [
    "returns an object that throws when awaited",
    () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no")
          },
        },
      ),
  ],
])("answers 503 if `renew` %s, without ending the process", async (_, renew) => {
  const unhandled = vi.fn<(error: unknown) => void>()
  process.on("unhandledRejection", unhandled)
  onTestFinished(() => void process.off("unhandledRejection", unhandled))
  const { pix, issue, makePath, call } = checkoutWorld({ renew })
  const id = await issue()
  const path = await makePath(id)
  await pix.expire(id)
  expect(await call("POST", `${path}/novo`)).toMatchObject({ status: 503 })
  await new Promise((later) => setTimeout(later, 20))
  expect(unhandled).not.toHaveBeenCalled()
  await pix.dispose()
})
