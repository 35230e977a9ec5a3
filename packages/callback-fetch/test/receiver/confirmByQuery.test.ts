import type { PlainEvent } from "@pixcharge/callback-fetch/receiver"
import type { ChargeId, Txid } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { describe, expect, it } from "vitest"
import { confirmByQuery } from "../../src/receiver/confirmByQuery.ts"
import { paidEvent } from "./requests.ts"

const { payment, kind: _, ...common } = paidEvent as PlainEvent<"paid">
const { chargeId, txid } = payment
const charge = { chargeId, txid, amountCents: 1990 as Cents }
const exception = { endToEndId: "E2", amountCents: 1990 as Cents, chargeId, txid, reason: "furtherPayment" } as const

const events = {
  expired: { ...common, kind: "expired", charge, payableUntil: 0, payableUntilIso: "1970-01-01T00:00:00.000Z" },
  cancelled: { ...common, kind: "cancelled", charge, by: "bank" },
  "part-refunded": {
    ...common,
    kind: "part-refunded",
    payment,
    part: { id: "R1", amountCents: 500 as Cents },
    returnKind: "outside",
  },
  exception: { ...common, kind: "exception", exception },
  "exception-returned": { ...common, kind: "exception-returned", exception, returnKind: "refund" },
} satisfies Readonly<Record<string, PlainEvent>>

/** The status and `Pix-Erro` of the query's answer about a charge in each state. */
const answers = {
  pending: [410, "cobranca-pendente"],
  expired: [410, "cobranca-expirada"],
  paid: [200],
  "paid with another amount": [200],
  refunding: [409, "estorno-em-andamento"],
  refunded: [409, "cobranca-estornada"],
  cancelled: [409, "cobranca-cancelada"],
  unknown: [404, "cobranca-nao-encontrada"],
  failing: [503, "servico-indisponivel"],
} as const

type State = keyof typeof answers

const confirm = async (event: PlainEvent, state: State) => {
  const asked: Array<string> = []
  const [status, code] = answers[state]
  const vLanc = state === "paid" ? 19.9 : 20
  const found = { sucesso: true, data: { response: { referencia: chargeId, vLanc } } }
  const outcome = await confirmByQuery({
    baseUrl: "https://service.example",
    key: "key",
    fetch: async (input) => {
      const { pathname } = new URL(String(input))
      if (pathname === "/api/token") return Response.json({ sucesso: true, data: "token" })
      asked.push(pathname)
      return Response.json(found, { status, ...(code !== undefined && { headers: { "pix-erro": code } }) })
    },
  })(event)
  return { outcome, asked }
}

/** The answers that confirm an event of the kind, and the answers that show a later state; any other contradicts it. */
const expectations = {
  expired: {
    confirmed: ["expired", "cancelled"],
    superseded: ["paid", "paid with another amount", "refunding", "refunded"],
  },
  cancelled: { confirmed: ["cancelled"], superseded: [] },
  "part-refunded": { confirmed: ["paid", "refunding", "refunded"], superseded: [] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ReadonlyArray<State>>>>>

describe.each(Object.entries(expectations))("an event %s", (kind, { confirmed, superseded }) => {
  const event = events[kind as keyof typeof expectations]

  it.each(Object.keys(answers) as ReadonlyArray<State>)("is judged by the query's answer: %s", async (state) => {
    const isOneOf = (states: ReadonlyArray<State>) => states.includes(state)
    const expected = isOneOf(confirmed) ? "confirmed" : isOneOf(superseded) ? "superseded" : "contradicted"
    const { outcome, asked } = await confirm(event, state)
    expect(outcome).toBe(state === "failing" ? "unconfirmed" : expected)
    expect(asked).toEqual([`/api/pix/${chargeId}`])
  })
})

it.each(["exception", "exception-returned"] as const)("takes an event %s by its signature alone", async (kind) => {
  expect(await confirm(events[kind], "unknown")).toEqual({ outcome: "confirmed", asked: [] })
})

it("takes a part's return for false if the query shows another charge", async () => {
  const other = { chargeId: "93768cbb-479d-4da3-8899-231fd09dc551" as ChargeId, txid: "t" as Txid }
  const event = { ...events["part-refunded"], payment: { ...payment, ...other } }
  expect(await confirm(event, "paid")).toMatchObject({ outcome: "contradicted" })
})
