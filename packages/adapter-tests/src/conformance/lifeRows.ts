import { describe, expect, it } from "vitest"
import { expectFailure, expectSuccess } from "./expectations.ts"
import type { Conformance } from "./Conformance.ts"
import { immediate, payer, post, refund, simulate, status } from "./requests.ts"
import { actors } from "./World.ts"

const { shop, neighbour } = actors
const strangeId = "00000000-0000-4000-8000-000000000000"
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const wallClock = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

const responseKeys = [
  "id",
  "referencia",
  "tpComando",
  "dRetorno",
  "msgOperador",
  "viaCliente",
  "viaEstabelecimento",
  "tpConfirmacao",
  "numCartao",
  "vLanc",
  "dTransacao",
  "arqRetorno",
  "dInsert",
  "dUpdate",
]

const issueCharge = async ({ callAs }: Conformance, over: object = {}, cliente?: object) => {
  const formaPagamento = immediate(over)
  const answer = await callAs(shop, post({ formaPagamento, ...(cliente && { cliente }) }))
  expectSuccess(answer)
  return { id: formaPagamento.idFaturaPag, transactionId: answer.json.data.transacaoId as string, formaPagamento }
}

const payCharge = async (world: Conformance, over: object = {}, cliente?: object) => {
  const charge = await issueCharge(world, over, cliente)
  expectSuccess(await world.callAs(shop, simulate(charge.id)))
  return charge
}

const statusRows = (world: () => Conformance): void => {
  it("answers 410 for a pending charge", async () => {
    const { id } = await issueCharge(world())
    const answer = await world().callAs(shop, status(id))
    expectFailure(answer, 410, "cobranca-pendente")
    expect(answer.json.errors).toBe("Pagamento pendente.")
  })

  it("answers 200 with every field of the contract for a paid charge", async () => {
    const { id, transactionId } = await payCharge(world(), { valorPagamento: 1234.56 }, payer)
    const answer = await world().callAs(shop, status(id.toUpperCase()))
    expectSuccess(answer)
    expect(Object.keys(answer.json)).toEqual(["sucesso", "data"])
    expect(Object.keys(answer.json.data)).toEqual(["retTexto", "response"])
    const { response } = answer.json.data
    expect(Object.keys(response).toSorted()).toEqual(responseKeys.toSorted())
    expect(response).toMatchObject({
      id: transactionId,
      referencia: id,
      tpComando: 1,
      tpConfirmacao: 1,
      numCartao: "",
      arqRetorno: "",
      vLanc: 1234.56,
    })
    expect(response.dRetorno).toMatch(utc)
    expect(response.dTransacao).toMatch(utc)
    expect(response.dInsert).toMatch(wallClock)
    expect(response.dUpdate).toMatch(wallClock)
    for (const receipt of [response.viaCliente, response.viaEstabelecimento]) {
      expect(receipt.split("\n").length).toBeGreaterThan(4)
      expect(receipt).toContain("R$ 1.234,56")
      expect(receipt).toMatch(/\d\d\/\d\d\/\d{4}/)
      expect(receipt).toMatch(/\d\d:\d\d:\d\d/)
      expect(receipt).toContain("***.456.789-**")
      expect(receipt).not.toContain("123.456.789-09")
    }
    expect(response.viaCliente).not.toBe(response.viaEstabelecimento)
  })

  it("answers 404 with the same bytes on every route for an unknown charge and for another company's charge", async () => {
    const { id } = await issueCharge(world())
    for (const call of [status, refund, simulate]) {
      const unknown = await world().callAs(neighbour, call(strangeId))
      const foreign = await world().callAs(neighbour, call(id))
      expectFailure(unknown, 404, "cobranca-nao-encontrada")
      expect(foreign.text).toBe(unknown.text)
      expect({ ...foreign.headers, date: "" }).toEqual({ ...unknown.headers, date: "" })
    }
  })

  it.each(["123", "zz2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d", "__proto__", "%00"])(
    "answers 400 to the id %s",
    async (id) => {
      for (const call of [status, refund, simulate]) {
        expectFailure(await world().callAs(shop, call(id)), 400, "id-invalido")
      }
    },
  )
}

const simulationRows = (world: () => Conformance): void => {
  it("pays once for repeated simulations", async () => {
    const { id } = await issueCharge(world())
    const first = await world().callAs(shop, simulate(id))
    expectSuccess(first)
    expect(Object.keys(first.json.data)).toEqual(["retTexto"])
    const state = await world().callAs(shop, status(id))
    const again = await world().callAs(shop, simulate(id))
    expect(again.text).toBe(first.text)
    expect((await world().callAs(shop, status(id))).text).toBe(state.text)
  })

  it("declines the payment of an amount that ends in .91", async () => {
    const { id } = await issueCharge(world(), { valorPagamento: 5.91 })
    expectFailure(await world().callAs(shop, simulate(id)), 422, "simulacao-recusada")
    expectFailure(await world().callAs(shop, status(id)), 410, "cobranca-pendente")
  })

  it("pays an amount that ends in .92 without an answer", async () => {
    const { id } = await issueCharge(world(), { valorPagamento: 5.92 })
    const answer = await world().callAs(shop, simulate(id))
    expectFailure(answer, 503, "processador-indisponivel")
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
    expectSuccess(await world().callAs(shop, simulate(id)))
    expectSuccess(await world().callAs(shop, status(id)))
  })

  it("pays an amount that ends in .93 twice, and shows the caller one payment", async () => {
    const { id } = await payCharge(world(), { valorPagamento: 5.93 })
    const answer = await world().callAs(shop, status(id))
    expectSuccess(answer)
    expect(answer.json.data.response.vLanc).toBe(5.93)
    const second = []
    for await (const exception of world().pix.exceptions.list(shop.cnpj)) {
      if (exception.payment.chargeId === id) second.push(exception)
    }
    expect(second).toMatchObject([{ reason: "furtherPayment", payment: { amountCents: 593 }, state: { _tag: "Open" } }])
  })

  it("pays an amount that ends in .94 late", async () => {
    const { id } = await payCharge(world(), { valorPagamento: 5.94 })
    const charge = await world().pix.find(shop.cnpj, id)
    expect(charge._tag === "Paid" && charge.payment.late).toBe(true)
  })

  it("loses the notice of an amount that ends in .95, and finds the payment by a later query", async () => {
    const { id } = await payCharge(world(), { valorPagamento: 5.95 })
    expectFailure(await world().callAs(shop, status(id)), 410, "cobranca-pendente")
    await world().pix.clock.advance("1 minute")
    expectSuccess(await world().callAs(shop, status(id)))
  })
}

const refundRows = (world: () => Conformance): void => {
  it("refunds the whole amount once", async () => {
    const { id, transactionId, formaPagamento } = await payCharge(world(), { valorPagamento: 77.7 })
    const first = await world().callAs(shop, refund(id))
    expectSuccess(first)
    expect(first.json.data).toMatchObject({ referencia: id, transacaoId: transactionId, vLanc: 77.7 })
    expect(first.json.data.retTexto).toBeTypeOf("string")
    expect((await world().callAs(shop, refund(id))).text).toBe(first.text)
    const answer = await world().callAs(shop, status(id))
    expectFailure(answer, 409, "cobranca-estornada")
    expect(answer.json.errors).toBe("Cobrança estornada.")
    expectFailure(await world().callAs(shop, post({ formaPagamento })), 409, "cobranca-estornada")
    expectFailure(await world().callAs(shop, simulate(id)), 409, "cobranca-estornada")
  })

  it("refunds once on many concurrent requests", async () => {
    const { id } = await payCharge(world())
    const answers = await Promise.all(Array.from({ length: 10 }, () => world().callAs(shop, refund(id))))
    for (const answer of answers) expect([200, 202]).toContain(answer.status)
    const charge = await world().pix.find(shop.cnpj, id)
    expect(charge._tag === "Refunded" && charge.returns.length).toBe(1)
  })

  it("refuses the refund of an unpaid charge", async () => {
    const { id } = await issueCharge(world())
    expectFailure(await world().callAs(shop, refund(id)), 409, "cobranca-nao-paga")
  })

  it("answers 409 on every route for a cancelled charge", async () => {
    const { id, formaPagamento } = await issueCharge(world())
    await world().pix.cancel(shop.cnpj, id)
    const answer = await world().callAs(shop, status(id))
    expectFailure(answer, 409, "cobranca-cancelada")
    expect(answer.json.errors).toBe("Cobrança cancelada.")
    for (const call of [post({ formaPagamento }), simulate(id), refund(id)]) {
      expectFailure(await world().callAs(shop, call), 409, "cobranca-cancelada")
    }
  })
}

const timeRows = (world: () => Conformance): void => {
  it("expires an unpaid charge, and refuses the refund of a payment 91 days old", async () => {
    const unpaid = await issueCharge(world())
    const paid = await payCharge(world())
    await world().pix.clock.advance("601 seconds")
    const expired = await world().callAs(shop, status(unpaid.id))
    expectFailure(expired, 410, "cobranca-expirada")
    expectFailure(await world().callAs(shop, post({ formaPagamento: unpaid.formaPagamento })), 409, "cobranca-expirada")
    expectFailure(await world().callAs(shop, simulate(unpaid.id)), 409, "cobranca-expirada")
    await world().pix.clock.advance("91 days")
    expectSuccess(await world().callAs(shop, status(paid.id)))
    expectFailure(await world().callAs(shop, refund(paid.id)), 409, "prazo-de-estorno-encerrado")
  })
}

/** Status, simulation and refund (decisions 13 to 21). */
export const lifeRows = (world: () => Conformance): void => {
  describe("status", () => statusRows(world))
  describe("simulation", () => simulationRows(world))
  describe("refund", () => refundRows(world))
  // These rows run last because they move the clock that all rows share.
  describe("time", () => timeRows(world))
}
