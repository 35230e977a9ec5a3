import { startStopwatch } from "@pixcharge/adapter-tests/fixtures"
import { createHash } from "node:crypto"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { memorySeenEvents, pixReceiver, type QueryOptions, type SeenEvents } from "@pixcharge/callback-fetch/receiver"
import { afterEach, describe, expect, it, vi } from "vitest"
import { olderSecret, paidBody, paidEvent, secret, signedHeaders } from "./requests.ts"

const paidAnswer = {
  sucesso: true,
  data: { response: { referencia: "0190C2A4-B5D6-7E8F-9A0B-1C2D3E4F5A6B", vLanc: 19.9 } },
}

interface Scene {
  readonly status?: number
  readonly code?: string
  readonly answer?: unknown
}

/** A service that answers the status queries with these scenes in turn, and repeats the last scene. */
const serviceSaying = (scenes: ReadonlyArray<Scene>) => {
  const calls: Array<string> = []
  const credentials: Array<unknown> = []
  let queries = 0
  const fetch: NonNullable<QueryOptions["fetch"]> = async (input, init) => {
    const { pathname } = new URL(String(input))
    calls.push(pathname)
    if (pathname === "/pix/api/token") {
      expect(init?.method).toBe("POST")
      expect(new Headers(init?.headers).get("content-type")).toBe("application/json")
      credentials.push(JSON.parse(String(init?.body)))
      return Response.json({ sucesso: true, data: `token-${calls.length}` })
    }
    expect(new Headers(init?.headers).get("authorization")).toMatch(/^Bearer token-\d+$/)
    const scene = scenes[Math.min(queries++, scenes.length - 1)] ?? {}
    const headers = scene.code === undefined ? {} : { "pix-erro": scene.code }
    return Response.json(scene.answer ?? { sucesso: false, errors: "" }, { status: scene.status ?? 200, headers })
  }
  return { fetch, calls, credentials }
}

const receive = async (scenes: ReadonlyArray<Scene>, body = paidBody, times = 1) => {
  const service = serviceSaying(scenes)
  const events: Array<string> = []
  const receiver = pixReceiver({
    secrets: [secret],
    confirm: { baseUrl: "https://service.example/pix/", key: "chave|com barra", fetch: service.fetch },
    onEvent: ({ id }) => void events.push(id),
  })
  const headers = signedHeaders(body)
  const statuses: Array<number> = []
  const texts: Array<unknown> = []
  for (let n = 0; n < times; n++) {
    const reply = await receiver.receive({ header: (name) => headers[name], body })
    const { data, errors } = JSON.parse(reply.body) as { data?: { retTexto: string }; errors?: string }
    statuses.push(reply.status)
    texts.push(data?.retTexto ?? errors)
  }
  return { status: statuses[0], statuses, texts, events, calls: service.calls, credentials: service.credentials }
}

const refunded = { status: 409, code: "cobranca-estornada" }

const refundedBody = paidBody.replace("pix.pago", "pix.estornado").replace("19.9}}", '19.9},"origem":"refund"}')

describe("confirmation by the status query", () => {
  it("handles a paid event if the charge is paid with this amount", async () => {
    const { status, events, calls, credentials } = await receive([{ answer: paidAnswer }])
    expect(status).toBe(200)
    expect(events).toEqual([paidEvent.id])
    expect(calls).toEqual(["/pix/api/token", "/pix/api/pix/0190c2a4-b5d6-7e8f-9a0b-1c2d3e4f5a6b"])
    expect(credentials).toEqual([{ cnpj: "12345678000195", chave: "chave|com barra" }])
  })

  it.each<[string, Scene]>([
    ["pending", { status: 410 }],
    ["unknown", { status: 404 }],
    ["being refunded", { status: 409, code: "estorno-em-andamento" }],
    ["cancelled", { status: 409, code: "cobranca-cancelada" }],
    ["about another charge", { answer: { sucesso: true, data: { response: { referencia: "x", vLanc: 19.9 } } } }],
    [
      "with another amount",
      { answer: { sucesso: true, data: { response: { ...paidAnswer.data.response, vLanc: 19.91 } } } },
    ],
    [
      "with an invalid amount",
      { answer: { sucesso: true, data: { response: { ...paidAnswer.data.response, vLanc: 19.999 } } } },
    ],
    ["paid, under another status", { status: 202, answer: paidAnswer }],
    ["without success", { answer: { ...paidAnswer, sucesso: false } }],
    ["without a JSON object", { answer: "ok" }],
  ])("doesn't handle a paid event while the status query's answer is: %s", async (_, scene) => {
    const { status, events } = await receive([scene])
    expect(status).toBe(409)
    expect(events).toEqual([])
  })

  it("accepts a paid event of a charge refunded since, without running the host's work", async () => {
    const { statuses, texts, events } = await receive([refunded, refunded], paidBody, 2)
    expect(statuses).toEqual([200, 200])
    expect(new Set(texts)).toEqual(new Set(["A situação da cobrança mudou depois do evento, que não foi processado."]))
    expect(events).toEqual([])
  })

  it("handles a paid event after the charge's refund failed", async () => {
    const refunding = { status: 409, code: "estorno-em-andamento" }
    const { statuses, events } = await receive([refunding, { answer: paidAnswer }], paidBody, 2)
    expect([statuses, events]).toEqual([[409, 200], [paidEvent.id]])
  })

  it.each<[string, Scene]>([
    ["refunded", refunded],
    ["being refunded", { status: 409, code: "estorno-em-andamento" }],
    ["unknown", { status: 404 }],
    ["unknown because the service is down", { status: 503 }],
  ])("treats a handled event as a repeat, even if its charge is now %s", async (_, scene) => {
    const { statuses, texts, events } = await receive([{ answer: paidAnswer }, scene], paidBody, 2)
    expect(statuses).toEqual([200, 200])
    expect(texts[1]).toBe("Evento já recebido antes.")
    expect(events).toEqual([paidEvent.id])
  })

  it("handles a refunded event if the charge is refunded", async () => {
    expect(await receive([refunded], refundedBody)).toMatchObject({ status: 200, events: [paidEvent.id] })
    expect(await receive([{ answer: paidAnswer }], refundedBody)).toMatchObject({ status: 409, events: [] })
    expect((await receive([{ status: 409, code: "estorno-em-andamento" }], refundedBody)).status).toBe(409)
  })

  it("answers 503 if the status query fails, so that the service sends the event again", async () => {
    for (const scene of [{ status: 500 }, { status: 503 }, { status: 429 }]) {
      const { status, events } = await receive([scene])
      expect(status).toBe(503)
      expect(events).toEqual([])
    }
  })

  it("uses one token for many events, and replaces an expired one", async () => {
    const { statuses, calls } = await receive(
      [{ answer: paidAnswer }, { status: 401 }, { answer: paidAnswer }],
      paidBody,
      3,
    )
    expect(statuses).toEqual([200, 200, 200])
    expect(calls.filter((path) => path.includes("token"))).toHaveLength(2)
    expect((await receive([{ status: 401 }])).status).toBe(503)
  })

  it("uses one token for each company, requested with the company's key", async () => {
    const { fetch, calls, credentials } = serviceSaying([{ answer: paidAnswer }])
    const receiver = pixReceiver({
      secrets: [secret],
      confirm: { baseUrl: "https://service.example/pix//", key: async (cnpj) => `chave de ${cnpj}`, fetch },
      onEvent: () => undefined,
    })
    const cnpjs = ["12345678000195", "11222333000181"]
    for (const cnpj of [...cnpjs, ...cnpjs]) {
      const id = `evt_${cnpj}_${calls.length}`
      const body = paidBody.replace(paidEvent.id, id).replace("12345678000195", cnpj)
      const headers = signedHeaders(body, { id })
      expect((await receiver.receive({ header: (name) => headers[name], body })).status).toBe(200)
    }
    expect(credentials).toEqual(cnpjs.map((cnpj) => ({ cnpj, chave: `chave de ${cnpj}` })))
  })

  it("requests a token again after a failure", async () => {
    let isDown = true
    const { fetch } = serviceSaying([{ answer: paidAnswer }])
    const receiver = pixReceiver({
      secrets: [secret],
      confirm: {
        baseUrl: "https://service.example/pix",
        key: "chave",
        fetch: async (input, init) => (isDown ? new Response(null, { status: 503 }) : fetch(input, init)),
      },
      onEvent: () => undefined,
    })
    const headers = signedHeaders()
    const receiveOnce = async () => (await receiver.receive({ header: (name) => headers[name], body: paidBody })).status
    expect(await receiveOnce()).toBe(503)
    isDown = false
    expect(await receiveOnce()).toBe(200)
  })

  it("makes no query if the token isn't a string", async () => {
    const paths: Array<string> = []
    const receiver = pixReceiver({
      secrets: [secret],
      confirm: {
        baseUrl: "https://service.example/pix",
        key: "chave",
        fetch: async (input) => {
          paths.push(new URL(String(input)).pathname)
          return Response.json({ sucesso: true, data: 5 })
        },
      },
      onEvent: () => undefined,
    })
    const headers = signedHeaders()
    expect((await receiver.receive({ header: (name) => headers[name], body: paidBody })).status).toBe(503)
    expect(paths).toEqual(["/pix/api/token"])
  })

  const longToken = JSON.stringify({ sucesso: true, data: "x".repeat(70_000) })

  it.each<[string, RequestListener, number]>([
    ["redirects the request for a token", (_, response) => response.writeHead(307, { location: "/outro" }).end(), 0],
    ["never answers", () => undefined, 8_000],
    ["sends too long an answer", (_, response) => response.end(longToken), 0],
  ])("answers 503 in time if the service %s", async (_, answer, minMs) => {
    const paths: Array<string | undefined> = []
    const server = createServer((request, response) => {
      paths.push(request.url)
      return answer(request, response)
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const { port } = server.address() as AddressInfo
    const receiver = pixReceiver({
      secrets: [secret],
      confirm: { baseUrl: `http://127.0.0.1:${port}`, key: "chave" },
      onEvent: () => undefined,
    })
    const headers = signedHeaders()
    const began = performance.now()
    const stop = startStopwatch()
    const reply = await receiver.receive({ header: (name) => headers[name], body: paidBody })
    expect(performance.now() - began).toBeGreaterThan(minMs - 100)
    expect(stop()).toBeLessThan(12_000)
    server.closeAllConnections()
    server.close()
    expect(reply.status).toBe(503)
    expect(paths).toEqual(["/api/token"])
  })

  it("never shows the key in a failure", async () => {
    const receiver = pixReceiver({
      secrets: [secret],
      confirm: {
        baseUrl: "https://service.example",
        key: "chave-secreta",
        fetch: async () => {
          throw new Error("chave-secreta")
        },
      },
      onEvent: () => undefined,
    })
    const reply = await receiver.receive({ header: (name) => signedHeaders()[name], body: paidBody })
    expect(reply.status).toBe(503)
    expect(reply.body).not.toContain("chave")
  })

  it("handles a test event without a confirmation", async () => {
    const body = JSON.stringify({
      id: paidEvent.id,
      tipo: "pix.teste",
      timestamp: "2026-07-01T12:00:00.000Z",
      dados: { empresa: { cnpj: "12345678000195", nome: "Loja" } },
    })
    const { status, calls } = await receive([{ status: 500 }], body)
    expect(status).toBe(200)
    expect(calls).toEqual([])
  })

  it("lets a host confirm events by its own function", async () => {
    const receiver = pixReceiver({
      secrets: [olderSecret],
      confirm: async ({ id }) => (createHash("md5").update(id).digest("hex") ? "unconfirmed" : "confirmed"),
      onEvent: () => undefined,
    })
    const headers = signedHeaders(paidBody, { key: olderSecret })
    expect((await receiver.receive({ header: (name) => headers[name], body: paidBody })).status).toBe(503)
  })
})

describe("seen events", () => {
  it("handles one of several equal concurrent events, while the rest wait for it", async () => {
    const seen = memorySeenEvents()
    let runs = 0
    const work = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      runs++
    }
    const ran = await Promise.all(Array.from({ length: 20 }, () => seen.once("evt_1", work)))
    expect(runs).toBe(1)
    expect(ran.filter(Boolean)).toHaveLength(1)
  })

  it("forgets an event whose work failed", async () => {
    const seen = memorySeenEvents()
    await expect(seen.once("evt_1", () => Promise.reject(new Error("no")))).rejects.toThrow("no")
    expect(await seen.once("evt_1", async () => undefined)).toBe(true)
    expect(await seen.once("evt_1", async () => undefined)).toBe(false)
  })

  describe("in memory", () => {
    afterEach(() => vi.useRealTimers())

    const see = async (seen: SeenEvents, ...ids: ReadonlyArray<string>) => {
      const isFresh = []
      for (const id of ids) isFresh.push(await seen.once(id, async () => undefined))
      return isFresh
    }

    it("remembers an event while its signature is valid, even after many later events", async () => {
      vi.useFakeTimers()
      const seen = memorySeenEvents(2)
      await see(seen, "a", "b")
      vi.advanceTimersByTime(599_000)
      await see(seen, ...Array.from({ length: 20_000 }, (_, index) => `c${index}`))
      expect(await see(seen, "a", "b", "c0", "c19999")).toEqual([false, false, false, false])
    })

    it("remembers a repeated event while its newer signature is valid", async () => {
      vi.useFakeTimers()
      const seen = memorySeenEvents(2)
      await see(seen, "a")
      vi.advanceTimersByTime(400_000)
      await see(seen, "a", "b", "c")
      vi.advanceTimersByTime(400_000)
      expect(await see(seen, "d", "e", "a")).toEqual([true, true, false])
    })

    it("forgets the oldest events above its capacity once their signatures have expired", async () => {
      vi.useFakeTimers()
      const seen = memorySeenEvents(2)
      await see(seen, "a", "b", "c", "d")
      vi.advanceTimersByTime(601_000)
      expect(await see(seen, "d", "c", "a", "b")).toEqual([false, false, true, true])
    })
  })

  it("doesn't remember unsigned requests", async () => {
    const seenIds: Array<string> = []
    const receiver = pixReceiver({
      secrets: [secret],
      confirm: false,
      seen: { once: async (id) => seenIds.push(id) > 0 },
      onEvent: () => undefined,
    })
    for (const headers of [{}, signedHeaders(paidBody, { key: olderSecret }), signedHeaders(paidBody, { at: 0 })]) {
      const header = (name: string) => (headers as Record<string, string>)[name]
      expect((await receiver.receive({ header, body: paidBody })).status).toBe(401)
    }
    expect(seenIds).toEqual([])
  })

  it("passes the transaction of a host's own storage to the work", async () => {
    const log: Array<string> = []
    const seen: SeenEvents<{ readonly name: string }> = {
      once: async (id, work) => {
        log.push(`begin ${id}`)
        await work({ name: "tx" })
        log.push("commit")
        return true
      },
    }
    const receiver = pixReceiver({
      secrets: [secret],
      confirm: false,
      seen,
      onEvent: (_, tx) => void log.push(`work in ${tx.name}`),
    })
    const headers = signedHeaders()
    await receiver.receive({ header: (name) => headers[name], body: paidBody })
    expect(log).toEqual([`begin ${paidEvent.id}`, "work in tx", "commit"])
  })

  it("doesn't mark an unconfirmed event in a host's own storage", async () => {
    let commits = 0
    const receiver = pixReceiver({
      secrets: [secret],
      confirm: async () => "unconfirmed",
      seen: {
        once: async (_, work) => {
          await work()
          commits++
          return true
        },
      },
      onEvent: () => undefined,
    })
    const headers = signedHeaders()
    const reply = await receiver.receive({ header: (name) => headers[name], body: paidBody })
    expect([reply.status, commits]).toEqual([503, 0])
  })

  it("rejects after a storage failure, whether the event is confirmed or not", async () => {
    for (const confirmation of ["confirmed", "contradicted", "superseded"] as const) {
      const receiver = pixReceiver({
        secrets: [secret],
        confirm: async () => confirmation,
        seen: { once: () => Promise.reject(new Error("o banco caiu")) },
        onEvent: () => undefined,
      })
      const headers = signedHeaders()
      await expect(receiver.receive({ header: (name) => headers[name], body: paidBody })).rejects.toThrow(
        "o banco caiu",
      )
    }
  })
})
