import { checkout } from "@pixcharge/checkout"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { afterAll, expect, it } from "vitest"
import { createPix } from "../src/index.ts"

const pix = testPix({ afterAll, recurrences: true, checkout: checkout({ url: "https://loja.example/payments" }) })
const { cnpj } = pix.company
const id = randomUUID()
const period = { from: 0, until: 1 }
const order = { id, amountCents: 1_990 }
const registration = { cnpj: "11222333000181", name: "Loja", city: "Recife", pixKey: "vizinho@example.com" }
const callback = { url: "https://loja.example/pix", secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="] }

/** Calls with a misspelt field, and the field that the error suggests. */
const calls: ReadonlyArray<readonly [call: string, make: (given: never) => unknown, given: object, meant: string]> = [
  ["issue", (given) => pix.issue(cnpj, given), { ...order, duedate: "2027-03-08" }, "dueDate"],
  ["issue, in its payer", (given) => pix.issue(cnpj, given), { ...order, payer: { nome: "Ana" } }, "payer.name"],
  [
    "issue, in its additional info",
    (given) => pix.issue(cnpj, given),
    { ...order, additionalInfo: [{ name: "Pedido", values: "1" }] },
    "additionalInfo.value",
  ],
  ["issue, in its fees", (given) => pix.issue(cnpj, given), { ...order, fees: { fines: "none" } }, "fees.fine"],
  [
    "issue, in a discount's tiers",
    (given) => pix.issue(cnpj, given),
    { ...order, fees: { discount: { kind: "fixedUntil", tiers: [{ dates: "2027-03-08", amountCents: 1 }] } } },
    "fees.discount.tiers.date",
  ],
  [
    "issue, in its payer's address",
    (given) => pix.issue(cnpj, given),
    { ...order, payer: { name: "Ana", taxId: "1", address: { stret: "A" } } },
    "payer.address.street",
  ],
  [
    "recurrences.offer, in its payer",
    (given) => pix.recurrences.offer(cnpj, given),
    { payer: { nome: "A" } },
    "payer.name",
  ],
  ["change", (given) => pix.change(cnpj, id, given), { key: "1", duedate: "2027-03-08" }, "dueDate"],
  ["change, in its payer", (given) => pix.change(cnpj, id, given), { key: "1", payer: { nome: "Ana" } }, "payer.name"],
  ["refundPart", (given) => pix.refundPart(cnpj, id, given), { key: "1", amountCent: 1 }, "amountCents"],
  ["confirmPayment", (given) => pix.confirmPayment(given), { issuer: cnpj, endToEndID: "E" }, "endToEndId"],
  ["simulatePayment", (given) => pix.simulatePayment(cnpj, id, given), { outcomes: "declined" }, "outcome"],
  ["charges", (given) => pix.charges(cnpj, given), { ...period, state: "paid" }, "status"],
  ["charges, in its page", (given) => pix.charges(cnpj, period, given), { limits: 1 }, "limit"],
  ["figures", (given) => pix.figures(cnpj, given), { ...period, untill: 2 }, "until"],
  ["comparison", (given) => pix.comparison(cnpj, given), { ...period, untill: 2 }, "until"],
  ["reconcile", (given) => pix.reconcile(cnpj, given), { ...period, untill: 2 }, "until"],
  ["exceptions.search", (given) => pix.exceptions.search(cnpj, given), { ...period, statu: "open" }, "status"],
  ["events.list", (given) => pix.events.list(cnpj, given), { chargeid: id }, "chargeId"],
  ["events.deadLetters", (given) => pix.events.deadLetters(cnpj, given), { cursors: "" }, "cursor"],
  ["events.replay", (given) => pix.events.replay(cnpj, given), { chargeid: id }, "chargeId"],
  ["events.replay, in its options", (given) => pix.events.replay(cnpj, { chargeId: id }, given), { nam: "a" }, "name"],
  [
    "events.list, in its period",
    (given) => pix.events.list(cnpj, given),
    { period: { ...period, untill: 2 } },
    "period.until",
  ],
  [
    "audit.list, in its period",
    (given) => pix.audit.list(cnpj, given),
    { period: { ...period, fron: 2 } },
    "period.from",
  ],
  ["audit.list", (given) => pix.audit.list(cnpj, given), { kinds: "payerShown" }, "kind"],
  ["checkout.link", (given) => pix.checkout.link(cnpj, id, given), { expireAt: 1 }, "expiresAt"],
  ["recurrences.offer", (given) => pix.recurrences.offer(cnpj, given), { id, retrie: "none" }, "retries"],
  [
    "recurrences.offer, in its journey",
    (given) => pix.recurrences.offer(cnpj, given),
    { id, journey: { by: "payment", charge: { amountCent: 1 } } },
    "journey.charge.amountCents",
  ],
  ["recurrences.list", (given) => pix.recurrences.list(cnpj, given), { state: "ended" }, "status"],
  ["recurrences.charges", (given) => pix.recurrences.charges(cnpj, id, given), { limits: 1 }, "limit"],
  ["recurrences.charge", (given) => pix.recurrences.charge(cnpj, id, given), { cycles: 1 }, "cycle"],
  ["recurrences.play", (given) => pix.recurrences.play(cnpj, id, given), { maximumCent: 1 }, "maximumCents"],
  ["tick", (given) => pix.tick(given), { deadlineMS: 1 }, "deadlineMs"],
  ["diagnose", (given) => pix.diagnose(given), { company: {} }, "companies"],
  ["directory.putCompany", (given) => pix.directory.putCompany(given), { ...registration, gracedays: 3 }, "graceDays"],
  [
    "directory.putCompany, in its fees",
    (given) => pix.directory.putCompany(given),
    { ...registration, fees: { fines: {} } },
    "fees.fine",
  ],
  [
    "directory.putCompany, in its fine",
    (given) => pix.directory.putCompany(given),
    { ...registration, fees: { fine: { kind: "percent", basisPoint: 200 } } },
    "fees.fine.basisPoints",
  ],
  [
    "directory.putCompany, in a discount's tiers",
    (given) => pix.directory.putCompany(given),
    { ...registration, fees: { discount: { kind: "fixedUntil", tiers: [{ dayBefore: 1, amountCents: 1 }] } } },
    "fees.discount.tiers.daysBefore",
  ],
  [
    "directory.putReseller, in its callback",
    (given) => pix.directory.putReseller(given),
    { cnpj: registration.cnpj, name: "Revenda", callback: { ...callback, kind: ["paid"] } },
    "callback.kinds",
  ],
]

it.each(calls)("refuses a misspelt field of %s, and suggests the right field", async (_, make, given, meant) => {
  await expect((async () => make(given as never))()).rejects.toMatchObject({
    message: expect.stringContaining(`(did you mean "${meant}"?)`),
  })
})

it("refuses a misspelt field of the period of payments", async () => {
  const listed = pix.payments(cnpj, { ...period, untill: 2 } as never)[Symbol.asyncIterator]()
  await expect(listed.next()).rejects.toMatchObject({ message: expect.stringContaining('(did you mean "until"?)') })
})

it("refuses a strange field with the list of known fields, and doesn't repeat it, because it can be a person's name", async () => {
  const failure = pix.issue(cnpj, { ...order, "José da Silva": 1 } as never)
  await expect(failure).rejects.toMatchObject({
    _tag: "InvalidOption",
    message:
      "issue(issuer, request): there is no field of such a name (the fields are id, amountCents, dueDate, payer, payableForSeconds, messageToPayer, additionalInfo, fees, graceDays, reference, metadata).",
  })
})

it("refuses an amount for refund, which would otherwise return the whole payment", async () => {
  const { id: paid } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_000 })
  await pix.pay(paid)
  const refund = pix.refund as (...given: ReadonlyArray<unknown>) => Promise<unknown>
  await expect(refund(cnpj, paid, { amountCents: 500 })).rejects.toThrow(/refundPart/)
  await expect(refund(cnpj, paid, undefined, 500)).rejects.toThrow(/refundPart/)
  expect((await pix.find(cnpj, paid)).returns).toEqual([])
})

it("ignores an unknown field without a value", async () => {
  expect((await pix.issue(cnpj, { ...order, duedate: undefined } as never)).status).toBe("pending")
})

it("throws for a misspelt field of a company in the option `companies`", () => {
  const companies = [{ ...registration, gracedays: 3 }]
  const given = { environment: "sandbox", store: memoryStore(), processor: sandboxProcessor(), companies } as const
  expect(() => createPix(given)).toThrow('there is no field "gracedays" (did you mean "graceDays"?)')
})
