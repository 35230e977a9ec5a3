import { chargeTxid } from "@pixcharge/core/plain"
import { decodeBrCode } from "@pixcharge/core/brcode"
import type { PixEvent } from "@pixcharge/core/charges"
import type { Pix } from "@pixcharge/embed"
import type { ApiPix } from "@pixcharge/processor-api-pix"
import { aPayer } from "@pixcharge/adapter-tests/fixtures"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { mounts } from "./bank/mounts.ts"
import { company as aCompany } from "./bank/openBank.ts"
import { integratorKey, noticeUrl, openShop } from "./bank/openShop.ts"

const company = { ...aCompany, genericPayer: { name: "Consumidor", taxId: aPayer.taxId } }

interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- a row reads bodies of every shape, and checks what it reads
  readonly json: any
}

interface World {
  readonly psp: SimulatedBank
  readonly pix: Pix
  readonly bank: ApiPix
  readonly events: ReadonlyArray<PixEvent>
  readonly baseUrl: string
  readonly call: (method: string, path: string, body?: unknown, anonymous?: boolean) => Promise<Answer>
}

const eventually = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 250; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("the condition didn't become true in time")
}

const chargeRequest = (idFaturaPag: string, valorPagamento: number, dataVencimento?: string) => ({
  formaPagamento: {
    tpTransacao: 11,
    idFaturaPag,
    modPagamento: 18,
    valorPagamento,
    ...(dataVencimento !== undefined && { dataVencimento }),
  },
})

const toTxid = (id: string): string => chargeTxid(company.cnpj, id)

const dayIn = (days: number): string => new Date(Date.now() + (days * 24 - 3) * 3_600_000).toISOString().slice(0, 10)

for (const [framework, mount] of Object.entries(mounts)) {
  describe(`the whole interface with API Pix in ${framework}`, () => {
    const scope = Effect.runSync(Scope.make())
    let world: World

    beforeAll(async () => {
      const { psp, pix, bank, events } = await Effect.runPromise(
        Scope.provide(openShop({ companies: [company], psp: { ways: { noticeCopies: 2 } } }), scope),
      )
      const { baseUrl, close } = await mount(pix)
      Effect.runSync(Scope.addFinalizer(scope, Effect.promise(close)))
      let token: string | undefined
      const call: World["call"] = async (method, path, body, anonymous = false) => {
        const response = await fetch(baseUrl + path, {
          method,
          headers: {
            ...(body !== undefined && { "content-type": "application/json" }),
            ...(!anonymous && token !== undefined && { authorization: `Bearer ${token}` }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        return {
          status: response.status,
          headers: response.headers,
          json: await response.json().catch(() => undefined),
        }
      }
      const secret = Buffer.from(`${company.cnpj}|${integratorKey(company)}`).toString("base64")
      token = (await call("GET", `/api/token/${encodeURIComponent(secret)}`)).json.data
      await bank.registerWebhook(company.cnpj, { pixKey: company.pixKey, mountedAt: baseUrl, reconcile: pix.reconcile })
      world = { psp, pix, bank, events, baseUrl, call }
    })

    afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

    const readStatus = (id: string) => world.call("GET", `/api/pix/${id}`).then(({ status }) => status)

    const paid = async (valorPagamento = 19.9): Promise<string> => {
      const id = randomUUID()
      expect((await world.call("POST", "/api/pix", chargeRequest(id, valorPagamento))).status).toBe(200)
      world.psp.pay(company.cnpj, toTxid(id))
      await eventually(async () => (await readStatus(id)) === 200)
      return id
    }

    it("registers the webhook at the mounted route, with the company in its URL", () => {
      expect(world.psp.ledger.webhooks.get(company.pixKey)?.url).toBe(`${world.baseUrl}${noticeUrl(company)}`)
    })

    it("issues an immediate charge with the bank's code, which expires 600 seconds after its creation", async () => {
      const id = randomUUID()
      const { status, json } = await world.call("POST", "/api/pix", chargeRequest(id, 10.01))
      const booked = world.psp.ledger.charges.get(`${company.cnpj}/${toTxid(id)}`)
      expect(status).toBe(200)
      expect(Result.getOrThrow(decodeBrCode(json.data.retUrl)).code).toMatchObject({ url: booked?.location })
      expect(json.data.expira).toBe(new Date((booked?.createdAt ?? 0) + 600_000).toISOString())
      expect(booked?.terms.body?.valor).toEqual({ original: "10.01" })
    })

    it("addresses a due-date charge to its payer, or to the company's generic payer if it has none", async () => {
      const [named, unnamed] = [randomUUID(), randomUUID()]
      const body = chargeRequest(named, 100, dayIn(3))
      const cliente = { xNome: "Maria", documento: "12.ABC.345/01DE-35" }
      expect((await world.call("POST", "/api/pix", { ...body, cliente })).status).toBe(200)
      expect((await world.call("POST", "/api/pix", chargeRequest(unnamed, 100, dayIn(3)))).status).toBe(200)
      const payers = [named, unnamed].map(
        (id) => world.psp.ledger.charges.get(`${company.cnpj}/${toTxid(id)}`)?.terms.body?.devedor,
      )
      expect(payers).toEqual([
        { cnpj: "12ABC34501DE35", nome: "Maria" },
        { cpf: aPayer.taxId, nome: "Consumidor" },
      ])
    })

    it("returns the same bytes for a repeated request, and a conflict for a request with another amount", async () => {
      const id = randomUUID()
      const first = await world.call("POST", "/api/pix", chargeRequest(id, 5))
      const all = await Promise.all(
        Array.from({ length: 10 }, () => world.call("POST", "/api/pix", chargeRequest(id, 5))),
      )
      expect(new Set(all.map(({ json }) => JSON.stringify(json)))).toEqual(new Set([JSON.stringify(first.json)]))
      expect((await world.call("POST", "/api/pix", chargeRequest(id, 6))).status).toBe(409)
    })

    it("makes one charge for forty concurrent equal requests", async () => {
      const id = randomUUID()
      const before = world.psp.ledger.charges.size
      const all = await Promise.all(
        Array.from({ length: 40 }, () => world.call("POST", "/api/pix", chargeRequest(id, 7))),
      )
      expect(new Set(all.map(({ status, json }) => `${status} ${JSON.stringify(json)}`)).size).toBe(1)
      expect(world.psp.ledger.charges.size).toBe(before + 1)
    })

    it("returns 410 for a pending charge and 200 once the bank reports its payment, and publishes one event", async () => {
      const id = randomUUID()
      await world.call("POST", "/api/pix", chargeRequest(id, 19.9))
      expect(await readStatus(id)).toBe(410)
      const { endToEndId } = world.psp.pay(company.cnpj, toTxid(id))
      await eventually(async () => (await readStatus(id)) === 200)
      const { json } = await world.call("GET", `/api/pix/${id}`)
      expect(json).toMatchObject({ sucesso: true, data: { response: { referencia: id, vLanc: 19.9 } } })
      await world.psp.webhooks.idle()
      const received = () => world.events.filter(({ payment }) => payment?.chargeId === id)
      await eventually(() => received().length > 0)
      expect(received()).toMatchObject([{ kind: "paid", payment: { endToEndId, amountCents: 1990 } }])
      expect(world.psp.webhooks.sent.map(({ status }) => status).every((status) => status === 200)).toBe(true)
    })

    it("returns 202 for a refund that is under way, and 200 once the bank has ended it", async () => {
      const id = await paid()
      world.psp.ways.returnPace = "manual"
      expect((await world.call("DELETE", `/api/pix/${id}`)).status).toBe(202)
      expect(await readStatus(id)).toBe(409)
      const { endToEndId, returns } = [...world.psp.ledger.payments.values()].find(({ txid }) => txid === toTxid(id))!
      expect(returns).toHaveLength(1)
      world.psp.endReturn(endToEndId, returns[0]!.id, "returned")
      await eventually(async () => (await world.pix.find(company.cnpj, id))._tag === "Refunded")
      expect((await world.call("DELETE", `/api/pix/${id}`)).status).toBe(200)
      expect(returns).toHaveLength(1)
      world.psp.ways.returnPace = "onNextLook"
    })

    it("shows the charge as paid again if the bank rejects its refund, with the bank's reason", async () => {
      const id = await paid()
      world.psp.ways.returnPace = "manual"
      expect((await world.call("DELETE", `/api/pix/${id}`)).status).toBe(202)
      const payment = [...world.psp.ledger.payments.values()].find(({ txid }) => txid === toTxid(id))!
      world.psp.endReturn(payment.endToEndId, payment.returns[0]!.id, "rejected")
      expect((await world.call("DELETE", `/api/pix/${id}`)).status).toBe(409)
      expect(await world.pix.find(company.cnpj, id)).toMatchObject({
        _tag: "Paid",
        failedRefund: { attempt: 1, rejection: "the payer's account is closed" },
      })
      expect(await readStatus(id)).toBe(200)
      world.psp.ways.returnPace = "atOnce"
      expect((await world.call("DELETE", `/api/pix/${id}`)).status).toBe(200)
      expect(payment.returns.map(({ status }) => status)).toEqual(["rejected", "returned"])
      world.psp.ways.returnPace = "onNextLook"
    })

    it("shows a partly refunded charge to integrators as paid until all of it is refunded", async () => {
      const id = await paid()
      // The answer without the time of its last change, because only that differs.
      const answer = async () => {
        const { status, json } = await world.call("GET", `/api/pix/${id}`)
        return { status, json: JSON.stringify(json).replace(/"dUpdate":"[^"]*"/, "") }
      }
      const before = await answer()
      expect(before).toMatchObject({ status: 200, json: expect.stringContaining('"vLanc":19.9') })
      const payment = [...world.psp.ledger.payments.values()].find(({ txid }) => txid === toTxid(id))!
      const part = async (key: string) =>
        (await world.pix.find(company.cnpj, id)).partialRefunds?.find((one) => one.key === key)?.status
      world.psp.ways.returnPace = "manual"
      const requested = await world.pix.by("ana").refundPart(company.cnpj, id, { key: "a", amountCents: 500 })
      expect(requested).toMatchObject({ charge: { status: "paid" }, partialRefund: { status: "refunding" } })
      expect((await world.call("DELETE", `/api/pix/${id}`)).status).toBe(409)
      expect(await answer()).toEqual(before)
      world.psp.endReturn(payment.endToEndId, payment.returns.at(-1)?.id ?? "", "returned")
      await eventually(async () => (await part("a")) === "returned")
      expect(await answer()).toEqual(before)
      expect((await world.call("DELETE", `/api/pix/${id}`)).status).toBe(409)
      expect(await world.pix.find(company.cnpj, id)).toMatchObject({
        refundableCents: 1490,
        returns: [{ kind: "refund", amountCents: 500 }],
      })
      world.psp.ways.returnPace = "atOnce"
      await world.pix.refundPart(company.cnpj, id, { key: "b", amountCents: 1490 })
      expect(await readStatus(id)).toBe(409)
      expect(await world.pix.find(company.cnpj, id)).toMatchObject({ status: "refunded", refundableCents: 0 })
      expect(payment.returns.map(({ amountCents }) => amountCents)).toEqual([500, 1490])
      world.psp.ways.returnPace = "onNextLook"
    })

    it("shows the charge as refunded after a dispute", async () => {
      const id = await paid()
      const { endToEndId } = [...world.psp.ledger.payments.values()].find(({ txid }) => txid === toTxid(id))!
      world.psp.returnOutside(endToEndId, 1990, "MED_FRAUDE")
      await eventually(async () => (await world.pix.find(company.cnpj, id))._tag === "Refunded")
      expect(await world.pix.find(company.cnpj, id)).toMatchObject({ returns: [{ kind: "dispute" }] })
      expect(await readStatus(id)).toBe(409)
    })

    it("prevents the payment of a cancelled charge, and the cancellation of a paid charge", async () => {
      const id = randomUUID()
      await world.call("POST", "/api/pix", chargeRequest(id, 3))
      expect((await world.pix.cancel(company.cnpj, id))._tag).toBe("Cancelled")
      expect(world.psp.ledger.charges.get(`${company.cnpj}/${toTxid(id)}`)?.status).toBe("removed")
      const other = randomUUID()
      await world.call("POST", "/api/pix", chargeRequest(other, 3))
      // The notice is late, so only the bank's answer to the cancellation shows the payment.
      world.psp.ways.noticeDelayMs = 200
      world.psp.pay(company.cnpj, toTxid(other))
      await expect(world.pix.cancel(company.cnpj, other)).rejects.toMatchObject({ _tag: "ChargeAlreadyPaid" })
      expect(await readStatus(other)).toBe(200)
      await world.psp.webhooks.idle()
      world.psp.ways.noticeDelayMs = 0
    })

    it("returns 503 with Retry-After while the bank fails, and completes the request if it is repeated later", async () => {
      const id = randomUUID()
      const end = world.psp.faults.add({ _tag: "AnswerLost" }, ({ method }) => method === "PUT")
      const { status, headers, json } = await world.call("POST", "/api/pix", chargeRequest(id, 8))
      end()
      expect([status, json.sucesso, headers.get("pix-erro")]).toEqual([503, false, "processador-indisponivel"])
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
      expect(await readStatus(id)).toBe(404)
      const booked = world.psp.ledger.charges.get(`${company.cnpj}/${toTxid(id)}`)
      expect(booked).toBeDefined()
      expect((await world.call("POST", "/api/pix", chargeRequest(id, 8))).status).toBe(200)
      expect(world.psp.ledger.charges.get(`${company.cnpj}/${toTxid(id)}`)).toBe(booked)
    })

    it("offers no simulation in production", async () => {
      const id = randomUUID()
      await world.call("POST", "/api/pix", chargeRequest(id, 9))
      expect((await world.call("POST", `/api/pix/simular-pagamento/${id}`)).status).toBe(404)
    })

    it("requires a token except on the notice route", async () => {
      expect((await world.call("POST", `${noticeUrl(company)}/pix`, { pix: [] }, true)).status).toBe(200)
      expect((await world.call("GET", `/api/pix/${randomUUID()}`, undefined, true)).status).toBe(401)
    })
  })
}
