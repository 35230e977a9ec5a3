import { checkout } from "@pixcharge/checkout"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { makeCallLog } from "../src/calls/CallLog.ts"
import { company, type RunningConsole, startConsole } from "./startConsole.ts"

let running: RunningConsole

beforeAll(async () => {
  running = await startConsole({
    sandbox: {
      checkout: checkout({
        url: "http://127.0.0.1:1",
        renew: ({ issuer, newId, amountCents }) => running.pix.issue(issuer, { id: newId, amountCents }),
      }),
    },
  })
})

beforeEach(async () => {
  await running.send("console/forget")
})

afterAll(() => running.close())

const shown = async (): Promise<string> => {
  const list = await running.page("console/calls")
  const numbers = [...list.matchAll(/console\/calls\/(\d+)/g)].map(([, number]) => number)
  const pages = await Promise.all(numbers.map((number) => running.page(`console/calls/${number}`)))
  return [list, ...pages].join("\n")
}

describe("the log of calls", () => {
  it.each([
    ["slashes in the secret", "/api/token/first/SECRET-PART"],
    ["percent-encoded letters", "/api/%74oken/SECRET-PART"],
    ["capital letters", "/API/Token/SECRET-PART"],
    ["repeated slashes", "//api//token//SECRET-PART"],
    ["the secret in the query", "/api/token?chave=SECRET-PART"],
  ])("hides the secret of a token path with %s", async (_, path) => {
    await fetch(running.url + path)
    expect(await shown()).not.toContain("SECRET-PART")
  })

  it.each([
    ["that contains a quote", JSON.stringify({ cnpj: company.cnpj, chave: 'a"SECRET-PART' })],
    ["in a body that is cut off", `{"cnpj":"${company.cnpj}","chave":"SECRET-PART`],
    ["in single quotes", "{'chave': 'SECRET-PART'}"],
    ["in a form", "cnpj=1&chave=SECRET-PART"],
  ])("hides an integrator key %s", async (_, body) => {
    const headers = { "content-type": "application/json" }
    await fetch(`${running.url}/api/token`, { method: "POST", headers, body })
    expect(await shown()).not.toContain("SECRET-PART")
  })

  it("hides a payer's link in a path and in a redirect to a new charge", async () => {
    const { pix } = running
    const id = randomUUID()
    await pix.issue(company.cnpj, { id, amountCents: 1_990 })
    const link = await pix.checkout.link(company.cnpj, id, { expiresAt: pix.clock.now() + 30 * 86_400_000 })
    const capability = link.slice(link.lastIndexOf("/") + 1)
    const page = `${running.url}/pagar/${capability}`
    for (const path of ["", "/", "/estado", "/qr.svg", "/comprovante"]) await fetch(page + path)
    await fetch(`${running.url}/PAGAR/${capability}`)
    await pix.clock.advance(5 * 86_400_000)
    const renewed = await fetch(`${page}/novo`, { method: "POST", redirect: "manual" })
    expect(renewed.status).toBe(303)
    const other = renewed.headers.get("location")?.split("/").at(-1) ?? ""
    expect(other.length).toBeGreaterThan(80)
    const all = await shown()
    expect(all).toContain("/pagar/•••/estado")
    expect(all).not.toContain(capability)
    expect(all).not.toContain(other)
  })
})

it("records a call without reading its signal or full URL, which frameworks make on demand", async () => {
  const read: Array<string> = []
  const exchange = {
    method: "POST",
    url: "/api/pix",
    get fullUrl() {
      read.push("fullUrl")
      return "/sandbox/api/pix"
    },
    get signal() {
      read.push("signal")
      return new AbortController().signal
    },
    header: (name: string) => (name === "host" ? "127.0.0.1" : undefined),
    body: async () => ({ _tag: "Text", text: "asked" }) as const,
  }
  const log = makeCallLog(
    () => 1,
    () => {},
  )
  const answer = await log.record(exchange, async (watched) => {
    await watched.body(10)
    return { status: 200, headers: {}, body: "answered" }
  })
  expect([answer?.body, read]).toEqual(["answered", []])
  const call = { requestHeaders: [["host", "127.0.0.1"]], requestBody: "asked", answer: { body: "answered" } }
  expect(log.list()).toMatchObject([call])
})
