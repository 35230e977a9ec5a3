import {
  type Charge,
  type ChargeId,
  type ContractTerms,
  type IssuedCharge,
  type PaidCharge,
  type RefundedCharge,
  type Txid,
} from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import {
  aCompany,
  aPaidCharge,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
} from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import { expect, expectTypeOf, it } from "vitest"
import type { ChargeBody } from "../src/wire/schemas/ChargeBody.ts"
import { chargeReplyBody, decodeChargeBody } from "../src/wire/ChargeBody.ts"
import type { WireField } from "../src/wire/messages.ts"
import { refundBody, statusBody } from "../src/wire/StatusBody.ts"

/** The paths of an object's fields at any depth. */
type Path<A> = {
  [Name in keyof A & string]-?: Required<A>[Name] extends object ? Name | `${Name}.${Path<Required<A>[Name]>}` : Name
}[keyof A & string]

type RequestPath = Exclude<Path<typeof ChargeBody.Encoded>, "formaPagamento" | "cliente">

// The wire's rules name exactly the request's fields.
expectTypeOf<WireField>().toEqualTypeOf<"" | "formaPagamento" | "cliente" | RequestPath>()

/** For each request field, a changed value and the charge's term that it changes. */
const requestFields: Readonly<Record<RequestPath, readonly [other: unknown, term?: keyof ContractTerms]>> = {
  "formaPagamento.tpTransacao": [11],
  "formaPagamento.idFaturaPag": ["0190c2a4-b5d6-7e8f-9a0b-1c2d3e4f5a6b", "id"],
  "formaPagamento.modPagamento": [18],
  "formaPagamento.valorPagamento": [20, "amountCents"],
  "formaPagamento.dataVencimento": ["2026-12-26", "dueDate"],
  "cliente.xNome": ["Nina", "payer"],
  "cliente.documento": ["52998224725", "payer"],
}

const terms: Readonly<Record<keyof ContractTerms, true>> = { id: true, amountCents: true, dueDate: true, payer: true }

const request = {
  formaPagamento: {
    tpTransacao: 11,
    idFaturaPag: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c",
    modPagamento: 18,
    valorPagamento: 19.9,
    dataVencimento: "2026-12-25",
  },
  cliente: { xNome: "Ana", documento: "11144477735" },
}

const differences = (one: object, other: object): ReadonlyArray<string> =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => JSON.stringify(Reflect.get(one, name)) !== JSON.stringify(Reflect.get(other, name)),
  )

it.each(Object.entries(requestFields))("reads a request's %s", (path, [other, term]) => {
  const [part = "", name = ""] = path.split(".")
  const changed = { ...request, [part]: { ...Reflect.get(request, part), [name]: other } }
  const [before, after] = [request, changed].map((body) => Result.getOrThrow(decodeChargeBody(body))) as [
    object,
    object,
  ]
  expect(differences(before, after)).toEqual(term === undefined ? [] : [term])
})

it("reads a field for each term of the contract", () => {
  expect(new Set(Object.values(requestFields).flatMap(([, term]) => term ?? []))).toEqual(new Set(Object.keys(terms)))
})

const paid = aPaidCharge(aPendingCharge())
const refunded = aRefundedCharge(aRefundingCharge(paid))
const company = aCompany()

/** The part of each answer that shows a charge. */
const answers = {
  issue: (charge: Charge) => chargeReplyBody(charge as IssuedCharge).data,
  status: (charge: Charge) => statusBody({ ...charge, _tag: "Paid" } as PaidCharge, company).data.response,
  refund: (charge: Charge) => refundBody(charge as RefundedCharge).data,
}

type Shown = { readonly [Route in keyof typeof answers]?: ReadonlyArray<keyof ReturnType<(typeof answers)[Route]>> }

type AnyCharge = Omit<Required<PaidCharge & Omit<RefundedCharge, "_tag">>, "_tag">

const receipts = ["viaCliente", "viaEstabelecimento"] as const
const later = 86_400_000

/** For each charge field, a changed value and the answers' fields that show it. */
const chargeFields: { readonly [Name in keyof AnyCharge]: readonly [other: unknown, shown: Shown] } = {
  issuer: ["00000000000191" as Cnpj, {}],
  id: ["0190c2a4-b5d6-7e8f-9a0b-1c2d3e4f5a6b" as ChargeId, { status: ["referencia"], refund: ["referencia"] }],
  txid: ["outro" as Txid, {}],
  transactionId: [
    "0190c2a4-b5d6-7e8f-9a0b-1c2d3e4f5a6b",
    { issue: ["transacaoId"], status: ["id", ...receipts], refund: ["transacaoId"] },
  ],
  amountCents: [1 as Cents, {}],
  dueDate: ["2026-12-25", {}],
  payer: [{ name: "Ana", taxId: "11144477735" }, { status: receipts }],
  messageToPayer: ["Olá", {}],
  additionalInfo: [[{ name: "a", value: "b" }], {}],
  reference: ["Pedido 7", {}],
  metadata: [{ turma: "5B" }, {}],
  payerErasedAt: [later, {}],
  requested: [{ graceDays: 3 }, {}],
  fees: [{}, {}],
  closedDays: [{}, {}],
  brCode: ["000201", { issue: ["retUrl"] }],
  cycle: [{}, {}],
  createdAt: [paid.createdAt + later, { status: ["dInsert"] }],
  payableUntil: [paid.payableUntil + later, { issue: ["expira"] }],
  watchUntil: [paid.watchUntil + later, {}],
  version: [99, {}],
  updatedAt: [paid.updatedAt + later, { status: ["dUpdate"] }],
  checkAt: [later, {}],
  expiryEventAt: [later, {}],
  returns: [[{}], {}],
  debit: [{}, {}],
  payment: [
    { ...paid.payment, endToEndId: "E1", amountCents: 7, paidAt: 0, recordedAt: 0 },
    { status: ["dRetorno", ...receipts, "vLanc", "dTransacao"], refund: ["vLanc"] },
  ],
  failedRefund: [{}, {}],
  partialRefunds: [[], {}],
  refund: [{}, {}],
  refundedAt: [refunded.refundedAt + later, { refund: ["dRetorno"] }],
}

it.each(Object.entries(chargeFields))(
  "shows a charge's %s in exactly the listed fields of answers",
  (name, [other, shown]) => {
    const changed = { ...refunded, [name]: other } as Charge
    const seen = Object.entries(answers).map(([route, answer]) => [
      route,
      differences(answer(refunded), answer(changed)),
    ])
    expect(Object.fromEntries(seen)).toEqual({ issue: [], status: [], refund: [], ...shown })
  },
)
