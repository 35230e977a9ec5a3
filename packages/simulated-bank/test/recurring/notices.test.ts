import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { reshaping } from "../../src/index.ts"
import { monthly, openBank, refusal, type Shown, shop } from "./openBank.ts"

const openHost = async () => {
  const received: Array<string> = []
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const { recs = [], cobsr = [], pix = [] } = JSON.parse(text) as Shown
    received.push(
      [request.url, ...[...recs, ...cobsr, ...pix].map((one) => (one as { status?: string }).status)].join(" "),
    )
    response.end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const open = async (options: Parameters<typeof openBank>[0] = {}) => {
  const [host, opened] = [await openHost(), await openBank(options)]
  for (const kind of ["rec", "cobr"]) {
    await opened.call("PUT", `/webhook${kind}`, { webhookUrl: `${host.url}/hook` })
  }
  return { ...opened, host }
}

describe("a webhook", () => {
  it("receives a notice of each status at a path below its URL", async () => {
    const { bank, host, approved, charge } = await open()
    const idRec = await approved()
    await charge(idRec, "2026-12-10")
    bank.recurring.runDay("2026-12-10")
    bank.recurring.cancel(idRec)
    await bank.webhooks.idle()
    expect(host.received.toSorted()).toEqual(
      [
        ...["CRIADA", "APROVADA", "CANCELADA"].map((status) => `/hook/rec ${status}`),
        ...["CRIADA", "ATIVA", "ATIVA", "CONCLUIDA"].map((status) => `/hook/cobr ${status}`),
      ].toSorted(),
    )
    expect(bank.webhooks.sent.find(({ body }) => JSON.stringify(body).includes("CONCLUIDA"))?.body).toMatchObject({
      cobsr: [{ idRec, tentativas: [{ status: "PAGA" }], pix: [{ valor: "49.90" }] }],
    })
  })

  it("keeps one webhook for each kind, and replaces, shows and removes it", async () => {
    const { call, callAs } = await openBank()
    expect(refusal(await call("GET", "/webhookrec"))).toEqual([404, "NaoEncontrado", undefined])
    for (const path of ["first", "second"])
      await call("PUT", "/webhookrec", { webhookUrl: `https://shop.invalid/${path}` })
    expect(await call("GET", "/webhookrec")).toMatchObject({ body: { webhookUrl: "https://shop.invalid/second" } })
    expect((await call("GET", "/webhookcobr")).status).toBe(404)
    expect((await callAs("vizinha", "GET", "/webhookrec")).status).toBe(404)
    expect(refusal(await call("PUT", "/webhookcobr", { webhookUrl: 1 }))).toEqual([
      400,
      "WebhookCobROperacaoInvalida",
      "webhook.webhookUrl",
    ])
    expect((await call("DELETE", "/webhookrec")).status).toBe(204)
    expect((await call("DELETE", "/webhookrec")).status).toBe(404)
  })

  it.each([false, true])(
    "receives a cycle's Pix by a key's webhook only if the bank lists such payments (%s)",
    async (listsCyclePix) => {
      const { bank, host, approved, charge, call } = await open({ ways: { listsCyclePix } })
      await call("PUT", `/webhook/${shop.pixKeys[0]}`, { webhookUrl: `${host.url}/key` })
      await charge(await approved(), "2026-12-10")
      bank.recurring.runDay("2026-12-10")
      await bank.webhooks.idle()
      expect(host.received.filter((one) => one.startsWith("/key"))).toEqual(listsCyclePix ? ["/key/pix "] : [])
    },
  )
})

describe("notices", () => {
  it("delivers a later notice after an earlier notice was lost", async () => {
    const { bank, host, approved } = await open()
    bank.faults.add({ _tag: "RequestLost" }, ({ method, path }) => method === "NOTICE" && path === "/notice/rec", 1)
    await approved()
    await bank.webhooks.idle()
    expect(host.received).toEqual(["/hook/rec APROVADA"])
  })

  it("delivers a notice twice if the bank repeats notices", async () => {
    const { bank, host, offer } = await open({ ways: { noticeCopies: 2 } })
    await offer()
    await bank.webhooks.idle()
    expect(host.received).toEqual(["/hook/rec CRIADA", "/hook/rec CRIADA"])
  })

  it("delivers notices out of order, each with the state at the time when it was made", async () => {
    const { bank, host, offer } = await open()
    const { release } = bank.faults.hold(({ method }) => method === "NOTICE")
    const idRec = await offer()
    bank.recurring.decline(idRec)
    await expect.poll(() => host.received).toEqual(["/hook/rec REJEITADA"])
    release()
    await bank.webhooks.idle()
    expect(host.received).toEqual(["/hook/rec REJEITADA", "/hook/rec CRIADA"])
  })

  it("delivers notices despite faults of the API", async () => {
    const { bank, host, offer } = await open()
    const idRec = await offer()
    bank.faults.add({ _tag: "RequestLost" })
    bank.recurring.approve(idRec)
    await bank.webhooks.idle()
    expect(host.received.at(-1)).toBe("/hook/rec APROVADA")
  })
})

describe("answers", () => {
  it("loses an answer after a recurrence or a charge was made", async () => {
    const { bank, call, approved, cycleBody, newTxid } = await openBank()
    const [idRec, txid] = [await approved(), newTxid()]
    const lose = (method: string, path: string) =>
      bank.faults.add({ _tag: "AnswerLost" }, (one) => one.method === method && one.path === path, 1)
    lose("POST", "/rec")
    await expect(call("POST", "/rec", monthly)).rejects.toThrow()
    expect(bank.recurring.ledger.recs.size).toBe(2)
    lose("PUT", `/cobr/${txid}`)
    await expect(call("PUT", `/cobr/${txid}`, cycleBody(idRec, "2026-12-10"))).rejects.toThrow()
    expect((await call("GET", `/cobr/${txid}`)).body.status).toBe("ATIVA")
  })

  it("names a status `nome`, and writes tax ids and accounts as numbers", async () => {
    const reshape = reshaping.combine(reshaping.statusByName, reshaping.documentsAsNumbers)
    const { approved, charge, call } = await openBank({ ways: { reshape }, isSound: false })
    const { txid } = await charge(await approved(), "2026-12-10")
    expect((await call("GET", `/cobr/${txid}`)).body).toMatchObject({
      atualizacao: [{ nome: "CRIADA" }, { nome: "ATIVA" }],
      recebedor: { conta: 1_234_567, cnpj: 12_345_678_000_195 },
      tentativas: [{ status: "AGENDADA", atualizacao: [{ nome: "SOLICITADA" }, { nome: "AGENDADA" }] }],
      valor: { original: "49.90" },
    })
  })

  it("signs answers to reads", async () => {
    const reshape = reshaping.onlyFor(["GET rec", "GET cobr"], reshaping.signed)
    const { offer, call } = await openBank({ ways: { reshape }, isSound: false })
    const idRec = await offer()
    const { text } = await call("GET", `/rec/${idRec}`)
    expect(text).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    const [, payload = ""] = text.split(".")
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({ idRec, status: "CRIADA" })
    expect((await call("GET", "/rec/unknown")).body).toMatchObject({ status: 404 })
  })
})
