import { expect, it } from "vitest"
import type { ChargeRequest, IssuedCharge, Payment, Refund } from "../src/PixClient.ts"
import * as wire from "../src/bodies.ts"

const differences = (one: object, other: object): ReadonlyArray<string> =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => JSON.stringify(Reflect.get(one, name)) !== JSON.stringify(Reflect.get(other, name)),
  )

type Body = wire.ChargeBody
type Written =
  | Exclude<keyof Body["formaPagamento"], "tpTransacao" | "modPagamento">
  | keyof NonNullable<Body["cliente"]>

const request: Required<ChargeRequest> = {
  id: "93768cbb-479d-4da3-8899-231fd09dc551",
  amountCents: 1_990,
  dueDate: "2026-12-25",
  payer: { name: "Ana", taxId: "11144477735" },
}

/** For each field of a request, a different value, and the body fields that it changes. */
const requestFields: {
  readonly [Name in keyof ChargeRequest]-?: readonly [other: unknown, ...ReadonlyArray<Written>]
} = {
  id: ["x", "idFaturaPag"],
  amountCents: [1, "valorPagamento"],
  dueDate: ["2026-12-26", "dataVencimento"],
  payer: [{ name: "Nina", taxId: "52998224725" }, "xNome", "documento"],
}

const written: Readonly<Record<Written, true>> = {
  idFaturaPag: true,
  valorPagamento: true,
  dataVencimento: true,
  xNome: true,
  documento: true,
}

const body = (one: ChargeRequest): object => {
  const { formaPagamento, cliente } = wire.chargeBody(one)
  return { ...formaPagamento, ...cliente }
}

it.each(Object.entries(requestFields))("writes the field %s of a request into the body", (name, [other, ...fields]) => {
  expect(differences(body(request), body({ ...request, [name]: other }))).toEqual(fields)
})

it("fills every field of the body from the request", () => {
  const fields = Object.values(requestFields).flatMap(([, ...names]) => names)
  expect(new Set(fields)).toEqual(new Set(Object.keys(written)))
})

/** For each field of an answer, two values, and the result fields that differ between them. */
type Read<Data, Result> = {
  readonly [Name in keyof Data]-?: readonly [
    one: Data[Name],
    other: Data[Name],
    ...ReadonlyArray<Result extends Result ? keyof Result : never>,
  ]
}

/** All fields of a call's result. */
type All<Result> = Readonly<Record<Result extends Result ? keyof Result : never, true>>

const instants = ["2026-11-20T14:00:00.000Z", "2026-11-21T14:00:00.000Z"] as const
const unread = ["a", "b"] as const

const issuedFields: Read<wire.ChargeReplyBody["data"], IssuedCharge> = {
  retTexto: unread,
  retUrl: [...unread, "brCode"],
  transacaoId: [...unread, "transactionId"],
  expira: [...instants, "payableUntil"],
}
// The caller gives the `id`.
const issued: All<Omit<IssuedCharge, "id">> = { brCode: true, transactionId: true, payableUntil: true }

const paidFields: Read<wire.StatusBody["data"]["response"], Payment> = {
  id: [...unread, "transactionId"],
  referencia: unread,
  tpComando: [1, 2],
  dRetorno: [...instants, "recordedAt"],
  msgOperador: unread,
  viaCliente: [...unread, "customerReceipt"],
  viaEstabelecimento: [...unread, "merchantReceipt"],
  tpConfirmacao: [1, 2],
  numCartao: unread,
  vLanc: [19.9, 0.07, "amountCents"],
  dTransacao: [...instants, "paidAt"],
  arqRetorno: unread,
  dInsert: unread,
  dUpdate: unread,
}
const paid: All<Payment> = {
  transactionId: true,
  amountCents: true,
  paidAt: true,
  recordedAt: true,
  customerReceipt: true,
  merchantReceipt: true,
}

const refundFields: Read<wire.RefundBody["data"], Refund> = {
  retTexto: unread,
  transacaoId: [...unread, "transactionId"],
  referencia: unread,
  vLanc: [19.9, 0.07, "amountCents"],
  dRetorno: [...instants, "refundedAt", "requestedAt"],
}
// The `state` comes from the answer's status.
const refund: Omit<All<Refund>, "state"> = {
  transactionId: true,
  amountCents: true,
  requestedAt: true,
  refundedAt: true,
}

const answers: ReadonlyArray<
  readonly [name: string, fields: Read<object, object>, all: object, read: (data: never) => object]
> = [
  ["issue", issuedFields, issued, (data) => wire.readCharge("x", { sucesso: true, data })],
  ["status", paidFields, paid, (response) => wire.readPayment({ sucesso: true, data: { retTexto: "", response } })],
  [
    "refund",
    refundFields,
    refund,
    (data) => ({
      ...wire.readRefund(true, { sucesso: true, data }),
      ...wire.readRefund(false, { sucesso: true, data }),
    }),
  ],
]

it.each(answers)("reads every field of the answer of %s into the result", (_, fields, all, read) => {
  const rows = Object.entries(fields as Readonly<Record<string, ReadonlyArray<unknown>>>)
  const data = Object.fromEntries(rows.map(([name, [one]]) => [name, one]))
  const seen = rows.map(([name, [, other]]) => [
    name,
    differences(read(data as never), read({ ...data, [name]: other } as never)),
  ])
  const expected = rows.map(([name, [, , ...shown]]) => [name, shown])
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected))
  expect(new Set(expected.flatMap(([, shown]) => shown))).toEqual(new Set(Object.keys(all)))
})
