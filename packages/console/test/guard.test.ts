import type { Pix, SandboxPix } from "@pixcharge/embed"
import { once } from "node:events"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { consoleFor } from "../src/index.ts"
import { company, type RunningConsole, startConsole, startSandbox } from "./startConsole.ts"

const exchangeBytes = async (port: number, bytes: string): Promise<string> => {
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  socket.setEncoding("utf8")
  let answer = ""
  socket.on("data", (text: string) => (answer += text))
  socket.write(bytes)
  await once(socket, "close")
  return answer
}

const request = (target: string, ...headers: ReadonlyArray<string>): string =>
  [`GET ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n")

describe.each(["hono", "express"] as const)("the console in %s", (binding) => {
  let host: RunningConsole
  beforeAll(async () => {
    host = await startConsole({ binding })
  })
  afterAll(() => host.close())

  const fetchStatus = async (bytes: string): Promise<number> =>
    Number((await exchangeBytes(host.port, bytes)).split(" ", 2)[1] ?? 0)

  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])(
    "answers this machine's requests to the host %s",
    async (name) => {
      expect(await fetchStatus(request("/", `Host: ${name}:${host.port}`))).toBe(200)
    },
  )

  it.each([
    ["a foreign host", "/", ["Host: evil.example"]],
    ["a host that begins with localhost", "/", ["Host: localhost.evil.example"]],
    ["a host that ends in localhost", "/", ["Host: evil.localhost"]],
    ["a host that begins with a loopback address", "/", ["Host: 127.0.0.1.evil.example"]],
    ["a host with a user name", "/", ["Host: localhost@evil.example"]],
    ["an empty host", "/", ["Host:"]],
    ["no host", "/", []],
    ["the header X-Forwarded-Host", "/", ["Host: localhost", "X-Forwarded-Host: evil.example"]],
    ["the header X-Forwarded-For", "/", ["Host: localhost", "X-Forwarded-For: 127.0.0.1"]],
    ["the header Forwarded", "/", ["Host: localhost", "Forwarded: host=localhost"]],
    ["an absolute target with a foreign host", "http://evil.example/", ["Host: localhost"]],
    ["an absolute target and a header with a foreign host", "http://evil.example/", ["Host: evil.example"]],
    ["a foreign host and a charge's path", "/console/charges/7", ["Host: evil.example"]],
    ["a foreign host and the stream's path", "/console/live", ["Host: evil.example"]],
    ["a foreign host and the path of the calls", "/console/calls", ["Host: evil.example"]],
  ])("rejects a request with %s", async (_, target, headers) => {
    const answer = await exchangeBytes(host.port, request(target, ...headers))
    expect(Number(answer.split(" ", 2)[1])).toBeGreaterThanOrEqual(400)
    expect(answer).not.toContain("csrf")
    expect(answer).not.toContain("<form")
  })

  it("doesn't send CORS headers to other origins", async () => {
    const answer = await fetch(`${host.url}/`, { headers: { origin: "https://evil.example" } })
    expect(answer.headers.get("access-control-allow-origin")).toBeNull()
    const preflight = await fetch(`${host.url}/console/seed`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    })
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull()
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'")
  })

  const foreign: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ["another origin", { origin: "https://evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["another site by Sec-Fetch-Site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["another port by Sec-Fetch-Site", { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }],
  ]

  it.each(foreign)("doesn't open a stream or accept an event for %s", async (_, headers) => {
    const stream = await fetch(`${host.url}/console/live`, { headers })
    expect([stream.status, stream.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"])
    const sent = await fetch(`${host.url}/console/receiver`, { method: "POST", headers, body: "{}" })
    expect(sent.status).toBe(403)
  })

  it("opens from a link on another site", async () => {
    const headers = [`Host: 127.0.0.1:${host.port}`, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]
    expect(await fetchStatus(request("/", ...headers))).toBe(200)
  })

  it.each([
    ["another origin", { origin: "https://evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["another site by Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }],
    ["another port by Sec-Fetch-Site", { "sec-fetch-site": "same-site" }],
  ])("rejects a form from %s even if its token is valid", async (_, headers) => {
    const [, csrf = ""] = /name="csrf" value="([^"]+)"/.exec(await host.page("")) ?? []
    const before = host.pix.clock.now()
    const send = (also: Record<string, string>, token: string) =>
      fetch(`${host.url}/console/clock`, {
        method: "POST",
        redirect: "manual",
        headers: also,
        body: new URLSearchParams({ csrf: token, by: "1 week" }),
      })
    expect((await send(headers, csrf)).status).toBe(403)
    expect((await send({}, "")).status).toBe(403)
    expect((await send({}, `${csrf}x`)).status).toBe(403)
    expect(host.pix.clock.now() - before).toBeLessThan(3_600_000)
    expect((await send({}, csrf)).status).toBe(303)
  })
})

it("answers unknown paths below /console, and leaves all other paths to the host", async () => {
  const host = await startConsole({ binding: "hono" })
  const lost = await fetch(`${host.url}/console/nothing`)
  expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining("There is no such page")])
  const other = await fetch(`${host.url}/nothing`)
  expect([other.status, await other.text()]).toEqual([404, expect.not.stringContaining("console")])
  await host.close()
})

describe("the console", () => {
  it.each(["192.168.0.7", "203.0.113.9", "::ffff:10.0.0.1", undefined])(
    "rejects a request from the address %s",
    async (address) => {
      const pix = startSandbox()
      const { respond } = consoleFor(pix, { company, integratorKey: company.integratorKey })
      const headers: Record<string, string> = { host: "localhost" }
      const reply = await respond({
        method: "GET",
        url: "/",
        fullUrl: "/",
        address,
        header: (name) => headers[name],
        body: async () => ({ _tag: "Text", text: "" }),
        signal: new AbortController().signal,
      })
      expect(reply?.status).toBe(403)
      await pix.dispose()
    },
  )
})

describe("consoleFor", () => {
  it("doesn't accept a production instance by its type", () => {
    // @ts-expect-error -- only a sandbox has one
    const mount = (pix: Pix) => consoleFor(pix, { company, integratorKey: "k" })
    expect(mount).toBeTypeOf("function")
  })

  it("throws unless it gets a sandbox and the required options", () => {
    const { simulatePayment: _, ...noSandbox } = startSandbox()
    for (const pix of [noSandbox, undefined, {}, Promise.resolve()]) {
      expect(() => consoleFor(pix as unknown as SandboxPix, { company, integratorKey: "k" })).toThrow(
        "consoleFor needs a sandbox",
      )
    }
    const sandbox = startSandbox()
    expect(() => consoleFor(sandbox, {} as never)).toThrow('"company"')
    expect(() => consoleFor(sandbox, { company } as never)).toThrow('"integratorKey"')
  })
})
