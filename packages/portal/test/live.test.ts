import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { pass, stopClock } from "@pixcharge/verify/clock"
import { randomUUID } from "node:crypto"
import { beforeEach, expect, it } from "vitest"
import { portal } from "../src/index.ts"
import { countedStore, slowProcessor } from "./support/faults.ts"
import { serveApp } from "./support/mounts.ts"
import { listenFor, versionIn } from "./support/news.ts"
import { makeOperator } from "./support/Operator.ts"
import { authorize, portalWorld, shop } from "./support/portalWorld.ts"

beforeEach(stopClock)

const world = async (options?: Parameters<typeof portalWorld>[0]) => {
  const { pix, app } = portalWorld(options)
  const base = await serveApp("express", app)
  const bia = makeOperator(base, "bia")
  const issue = () => pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
  const listen = async (path: string, user = "bia") =>
    listenFor(`${base}${path}`, versionIn((await bia.get(path)).html), user)
  return { pix, base, bia, issue, listen }
}

it("reports a change to 20 open pages of the same list after at most two look-ups", async () => {
  const { store, calls } = countedStore()
  const { pix, bia, issue, listen } = await world({ store })
  await using _ = pix
  const readers = await Promise.all(Array.from({ length: 20 }, () => listen(`/${shop}/cobrancas`)))
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200))
  expect(readers[0]?.contentType).toBe("text/event-stream; charset=utf-8")
  await issue()
  calls.length = 0
  await pass(4)
  await expect.poll(() => readers.filter(({ versions }) => versions.length === 1).length).toBe(20)
  expect(calls.filter((call) => call.includes("charges")).length).toBeLessThanOrEqual(2)
  const now = versionIn((await bia.get(`/${shop}/cobrancas`)).html)
  expect(new Set(readers.flatMap(({ versions }) => versions))).toEqual(new Set([now]))
})

it("reports a change that happened after the page was read and before its stream opened", async () => {
  const { pix, base, bia, issue } = await world()
  await using _ = pix
  const { id } = await issue()
  const paths = [`/${shop}/cobrancas/${id}`, `/${shop}/cobrancas?situacao=paid`, `/${shop}/eventos`]
  const before = await Promise.all(paths.map(async (path) => versionIn((await bia.get(path)).html)))
  await pix.pay(id)
  const readers = await Promise.all(paths.map((path, index) => listenFor(base + path, before[index] ?? "", "bia")))
  await pass(4)
  await expect.poll(() => readers.filter(({ versions }) => versions.length === 0)).toEqual([])
})

it("doesn't send news to a page that is up to date", async () => {
  const { pix, bia, issue, listen } = await world()
  await using _ = pix
  const { id } = await issue()
  const charge = await listen(`/${shop}/cobrancas/${id}`)
  const exceptions = await listen(`/${shop}/excecoes`)
  const dashboard = await listen(`/${shop}`)
  expect([charge.status, exceptions.status, dashboard.status]).toEqual([200, 200, 200])
  await pass(25)
  expect([charge, exceptions, dashboard].map(({ versions }) => versions)).toEqual([[], [], []])
  await pix.pay(id)
  const paths = [`/${shop}/cobrancas/${id}`, `/${shop}`]
  const areUpToDate = async () => {
    await pass(5)
    const now = await Promise.all(paths.map(async (path) => versionIn((await bia.get(path)).html)))
    return charge.versions.at(-1) === now[0] && dashboard.versions.at(-1) === now[1]
  }
  await expect.poll(areUpToDate).toBe(true)
  // There can be several versions, because a look-up can come before the payment's event. Each is sent once.
  for (const { versions } of [charge, dashboard]) expect(new Set(versions).size).toBe(versions.length)
  expect(exceptions.versions).toEqual([])
})

it("doesn't share the look-up of a private search with another operator", async () => {
  const { pix, bia, issue } = await world()
  await using _ = pix
  await issue()
  const { fields } = (await bia.get(`/${shop}/cobrancas`)).form("/cobrancas")
  const { location = "" } = await bia.post(`/${shop}/cobrancas`, { ...fields, busca: "maria" })
  const version = versionIn((await bia.get(location)).html)
  const theirs = await listenFor(location, version, "leo")
  const own = await listenFor(location, version, "bia")
  await pass(4)
  await expect.poll(() => theirs.versions.length).toBe(1)
  await pix.dispose()
  await pass(4)
  await own.ended
  expect(own.versions).toEqual([])
})

it("doesn't look up data without open pages", async () => {
  const { store, calls } = countedStore()
  const { pix, listen } = await world({ store })
  await using _ = pix
  const reader = await listen(`/${shop}/cobrancas`)
  const lookUps = async () => {
    calls.length = 0
    await pass(8)
    return calls
  }
  expect(await lookUps()).not.toEqual([])
  reader.leave()
  await expect.poll(lookUps).toEqual([])
})

it("doesn't send news to an operator who lost access", async () => {
  const { pix } = portalWorld()
  await using _ = pix
  let isRevoked = false
  const app = portal(pix, { authorize: (visit) => (isRevoked ? undefined : authorize(visit)) })
  const base = await serveApp("express", app)
  const path = `/${shop}/cobrancas`
  const version = versionIn((await makeOperator(base, "bia").get(path)).html)
  const { versions, ended } = await listenFor(base + path, version, "bia")
  isRevoked = true
  await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
  await pass(4)
  await ended
  expect(versions).toEqual([])
  expect((await listenFor(base + path, version, "bia")).status).toBe(403)
})

it("sends one piece of news to the page of a missing item, and ends its stream", async () => {
  const { pix, base } = await world()
  await using _ = pix
  const id = randomUUID()
  const places = [`cobrancas/${id}`, `cobrancas/${id}/enviar`, `eventos/${id}/none?em=1`, `excecoes/${id}`]
  const streams = await Promise.all(places.map((place) => listenFor(`${base}/${shop}/${place}`, "1", "bia")))
  expect(streams.map(({ status }) => status)).toEqual(places.map(() => 200))
  await pass(4)
  await Promise.all(streams.map(({ ended }) => ended))
  expect(streams.map(({ versions }) => versions.length)).toEqual(places.map(() => 1))
})

it("refuses the 21st stream of an operator, without affecting other operators", async () => {
  const { pix, base } = await world()
  await using _ = pix
  const open = (user: string, at: number) => listenFor(`${base}/${shop}/cobrancas?situacao=paid&${at}`, "1", user)
  const readers = await Promise.all(Array.from({ length: 20 }, (_each, index) => open("bia", index)))
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200))
  const refused = await fetch(`${base}/${shop}/cobrancas?versao=1`, {
    headers: { accept: "text/event-stream", "x-user": "bia" },
  })
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"])
  expect(await refused.text()).toContain("Há páginas demais abertas ao mesmo tempo.")
  expect((await open("leo", 20)).status).toBe(200)
  expect((await makeOperator(base, "bia").get(`/${shop}/cobrancas`)).status).toBe(200)
  readers[0]?.leave()
  await expect.poll(async () => (await open("bia", 21)).status).toBe(200)
})

it("opens streams only for operators who may see the page", async () => {
  const { pix, base, issue } = await world()
  await using _ = pix
  const { id } = await issue()
  const statuses = async (user: string) =>
    Promise.all(
      [`/${shop}/cobrancas`, `/${shop}/cobrancas/${id}`, `/${shop}`, "/11444777000161/cobrancas"].map(
        async (path) => (await listenFor(base + path, "none", user)).status,
      ),
    )
  expect(await statuses("rui")).toEqual([403, 403, 403, 404])
  expect(await statuses("nobody")).toEqual([403, 403, 403, 403])
  expect(await statuses("away")).toEqual([303, 303, 303, 303])
})

it("ends streams when the instance is disposed of", async () => {
  const { pix, listen } = await world()
  const { status, ended } = await listen(`/${shop}/cobrancas`)
  expect(status).toBe(200)
  await pix.dispose()
  await pass(4)
  await ended
})

it("says that a refund waits for the bank until it is done, and reports its end", async () => {
  let isDone = false
  await using pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [
        { cnpj: shop, name: "Loja", city: "Recife", graceDays: 5, integratorKey: "key-of-a-test", pixKey: shop },
      ],
    }),
    processor: slowProcessor(() => isDone),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of tests alone, known to all" }] },
  })
  const base = await serveApp("express", portal(pix, { authorize }))
  const bia = makeOperator(base, "bia")
  const id = randomUUID()
  await pix.issue(shop, { id, amountCents: 1_990 })
  await pix.simulatePayment(shop, id)
  const path = `/${shop}/cobrancas/${id}`
  expect((await bia.get(path)).text).not.toContain("solicitada ao banco")
  await pix.refundPart(shop, id, { key: "a", amountCents: 500 })
  const waiting = await bia.get(path)
  expect(waiting.text).toContain("Devolução de R$ 5,00 solicitada. Aguardando a confirmação do banco.")
  const { versions } = await listenFor(base + path, versionIn(waiting.html), "bia")
  isDone = true
  await pix.refundPart(shop, id, { key: "a", amountCents: 500 })
  await pass(4)
  await expect.poll(() => versions.length).toBeGreaterThan(0)
  const done = await bia.get(path)
  expect(done.text).not.toContain("solicitada ao banco")
  expect(done.text).toContain("Devolvido: R$ 5,00")
})
