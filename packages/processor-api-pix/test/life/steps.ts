import { randomUUID } from "node:crypto"
import { decodeBrCode } from "@pixcharge/core/brcode"
import { anOrder, aRefundId, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import type { Cents } from "@pixcharge/core/money"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import type { ApiPixConnection } from "@pixcharge/processor-api-pix"
import { openConnection } from "../../src/connection/openConnection.ts"
import { aCycleCharge, approved, aRecurrence } from "../recurrences/aRecurrence.ts"
import { company, type Life } from "./openLife.ts"

const { cnpj } = company
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const eventually = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("the condition didn't become true in time")
}

const dayIn = (days: number): string => new Date(Date.now() + (days * 24 - 3) * 3_600_000).toISOString().slice(0, 10)

const issue = ({ pix }: Life, amountCents = 1000) => pix.issue(cnpj, { id: randomUUID(), amountCents })

const listCharges = ({ psp }: Life, txid: string) =>
  [...psp.ledger.charges.values()].filter((charge) => charge.txid === txid)

const isAt = async ({ pix }: Life, id: string, tag: string) => (await pix.find(cnpj, id))._tag === tag

const payWithoutNotice = (life: Life, txid: string) => {
  const { psp } = life
  psp.ways.noticeCopies = 0
  const payment = psp.pay(cnpj, txid)
  psp.ways.noticeCopies = 1
  return payment
}

const codesGiven = ({ psp }: Life, txid: string): ReadonlyArray<string> =>
  psp.exchanges
    .filter(({ path }) => path.includes(txid))
    .flatMap(({ answer }) => JSON.stringify(answer ?? null).match(/000201[^"]*/g) ?? [])

/** Checks that the bank gave the code, and that we didn't make it. */
const checkCode = (life: Life, { txid, brCode }: { readonly txid: string; readonly brCode: string }) => {
  const { psp } = life
  const { code } = Result.getOrThrow(decodeBrCode(brCode, "lenient"))
  expect(code._tag).toBe("Dynamic")
  const given = codesGiven(life, txid)
  if (given.length > 0 || psp.ways.code === "ownCall") expect(given).toContain(brCode)
  const location = psp.ledger.charges.get(`${cnpj}/${txid}`)?.location
  // The code of such a bank doesn't point to the charge's location, so they can't be compared.
  if (psp.ways.code !== "ofAnother") expect(code).toMatchObject({ url: location })
}

const listed = async ({ processor }: Life, from: number, until: number): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  let cursor: string | undefined
  do {
    const page = await Effect.runPromise(processor.payments(cnpj, { from, until }, cursor))
    found.push(...page.items.map(({ endToEndId }) => endToEndId))
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

const refusesDueDates = async ({ pix, psp }: Life) => {
  const before = psp.exchanges.length
  const refused = pix.issue(cnpj, { id: randomUUID(), amountCents: 500, dueDate: dayIn(3) })
  await expect(refused).rejects.toMatchObject({ _tag: "ProcessorRejected" })
  expect(psp.exchanges.length).toBe(before)
}

const lifeSteps = {
  "needs a certificate exactly if the bank wants one": async ({ psp, connection }: Life) => {
    const { fetch: _, ...withoutCertificate } = connection
    const open = () => openConnection(cnpj, withoutCertificate as ApiPixConnection).transport.close()
    if (psp.ways.certificate === "none") open()
    else expect(open).toThrow("it needs cert and key")
  },

  "registers its webhook at every start": async ({ bank, psp, pix, mountedAt }: Life) => {
    const order = { pixKey: company.pixKey, mountedAt, reconcile: pix.reconcile }
    await bank.registerWebhook(cnpj, order)
    await bank.registerWebhook(cnpj, order)
    expect(psp.ledger.webhooks.get(company.pixKey)?.url.startsWith(mountedAt)).toBe(true)
    const findings = await pix.diagnose({ companies: { [cnpj]: company.pixKey } })
    expect(findings.filter(({ check, status }) => check.includes(cnpj) && status !== "ok")).toEqual([])
  },

  "issues an immediate charge": async (life: Life) => {
    const charge = await issue(life)
    const [booked] = listCharges(life, charge.txid)
    expect(booked?.terms.body?.valor).toEqual({ original: "10.00" })
    expect(Math.abs(charge.createdAt - (booked?.createdAt ?? 0))).toBeLessThan(minuteMs)
    checkCode(life, charge)
  },

  "issues a due-date charge, or says that the bank has none": async (life: Life) => {
    if (!life.psp.ways.kinds.includes("cobv")) return refusesDueDates(life)
    const request = { id: randomUUID(), amountCents: 2500, dueDate: dayIn(3) }
    const charge = await life.pix.issue(cnpj, request)
    expect(listCharges(life, charge.txid)[0]?.terms.body?.calendario).toMatchObject({
      dataDeVencimento: request.dueDate,
    })
    checkCode(life, charge)
    expect(await life.stranger.issue(cnpj, request)).toMatchObject({ brCode: charge.brCode })
  },

  "issues a charge again that another process has issued": async (life: Life) => {
    const request = { id: randomUUID(), amountCents: 700 }
    const first = await life.pix.issue(cnpj, request)
    const again = await life.stranger.issue(cnpj, request)
    expect(again).toMatchObject({ brCode: first.brCode, txid: first.txid })
    expect(listCharges(life, first.txid).map(({ revision }) => revision)).toEqual([0])
    const other = life.stranger.issue(cnpj, { id: randomUUID(), amountCents: 700 })
    expect((await other).txid).not.toBe(first.txid)
  },

  "refuses another amount under the id of a charge": async (life: Life) => {
    const { id, txid } = await issue(life, 700)
    await expect(life.stranger.issue(cnpj, { id, amountCents: 701 })).rejects.toMatchObject({ _tag: "ChargeConflict" })
    expect(listCharges(life, txid)[0]?.terms.body?.valor).toEqual({ original: "7.00" })
  },

  "finds a charge whose answer was lost": async (life: Life) => {
    const isPut = ({ method, path }: { readonly method: string; readonly path: string }) =>
      method === "PUT" && path.startsWith("/cob/")
    const end = life.psp.faults.add({ _tag: "AnswerLost" }, isPut, 1)
    const charge = await issue(life)
    end()
    expect(listCharges(life, charge.txid).map(({ revision }) => revision)).toEqual([0])
    checkCode(life, charge)
  },

  "looks up a paid and an unknown charge": async (life: Life) => {
    const order = await Effect.runPromise(anOrder(company))
    const unknown = await Effect.runPromise(
      life.processor.lookup(registeredPending(order, { txid: order.txid, brCode: "", createdAt: Date.now() })),
    )
    expect(unknown.status).toBe("unknown")
    const registered = await Effect.runPromise(life.processor.register(order))
    const { endToEndId, amountCents, paidAt } = payWithoutNotice(life, order.txid)
    const view = await Effect.runPromise(life.processor.lookup(registeredPending(order, registered)))
    expect(view).toMatchObject({ status: "completed", payments: [{ endToEndId, amountCents }] })
    expect(Math.abs((view.payments[0]?.paidAt ?? 0) - paidAt)).toBeLessThan(minuteMs)
  },

  "changes an open charge, or says that the bank can't": async ({ processor, psp }: Life) => {
    const order = await Effect.runPromise(anOrder(company))
    const { brCode } = await Effect.runPromise(processor.register(order))
    const isRefusing = psp.ways.patchOfTerms === "refuses"
    expect(await Effect.runPromise(processor.changes(cnpj))).toBe(isRefusing ? "missing" : "offered")
    const before = psp.exchanges.length
    const changed = await Effect.runPromise(Effect.result(processor.change({ ...order, amountCents: 2500 as Cents })))
    const booked = psp.ledger.charges.get(`${cnpj}/${order.txid}`)
    expect([changed._tag, booked?.terms.amountCents]).toEqual(isRefusing ? ["Failure", 1990] : ["Success", 2500])
    if (Result.isSuccess(changed)) expect(changed.success.brCode ?? brCode).toBe(brCode)
    else expect(psp.exchanges.length).toBe(before)
  },

  "cancels an unpaid charge, but not a paid charge": async (life: Life) => {
    const [open, paid] = [await issue(life), await issue(life)]
    expect((await life.pix.cancel(cnpj, open.id))._tag).toBe("Cancelled")
    expect(listCharges(life, open.txid)[0]?.status).toBe("removed")
    payWithoutNotice(life, paid.txid)
    await expect(life.pix.cancel(cnpj, paid.id)).rejects.toMatchObject({ _tag: "ChargeAlreadyPaid" })
  },

  "records a payment that the bank reports": async (life: Life) => {
    const { id, txid } = await issue(life)
    const { endToEndId } = life.psp.pay(cnpj, txid)
    await eventually(() => isAt(life, id, "Paid"))
    await life.psp.webhooks.idle()
    expect(life.psp.webhooks.sent.at(-1)?.status).toBe(200)
    expect(await life.pix.find(cnpj, id)).toMatchObject({ payment: { endToEndId, amountCents: 1000 } })
  },

  // Calls the processor directly, because a reconciliation would retry for longer.
  "lists the payments of a long period, and of a period without payments": async (life: Life) => {
    const { txid } = await issue(life)
    const { endToEndId } = payWithoutNotice(life, txid)
    const now = Date.now()
    expect(await listed(life, now - 40 * dayMs, now - 39 * dayMs)).toEqual([])
    expect(await listed(life, now - 60 * dayMs, now + minuteMs)).toContain(endToEndId)
  },

  "finds a payment that the bank didn't report": async (life: Life) => {
    const { id, txid } = await issue(life)
    payWithoutNotice(life, txid)
    const now = Date.now()
    await life.pix.reconcile(cnpj, { from: now - minuteMs, until: now + minuteMs })
    expect(await isAt(life, id, "Paid")).toBe(true)
  },

  "refunds a payment once": async (life: Life) => {
    const { id, txid } = await issue(life)
    const payment = payWithoutNotice(life, txid)
    const now = Date.now()
    await life.pix.reconcile(cnpj, { from: now - minuteMs, until: now + minuteMs })
    const about = {
      issuer: cnpj,
      endToEndId: payment.endToEndId,
      amountCents: 1000 as Cents,
      refundId: aRefundId(payment),
    }
    expect(await Effect.runPromise(life.processor.lookupRefund(about))).toBeUndefined()
    await life.pix.refund(cnpj, id, { reason: "Produto em falta" })
    await eventually(async () => (await life.pix.refund(cnpj, id))._tag === "Refunded")
    expect(payment.returns.map(({ status, amountCents }) => [status, amountCents])).toEqual([["returned", 1000]])
    expect((await Effect.runPromise(life.processor.refund(about)))._tag).toBe("Returned")
    expect(payment.returns).toHaveLength(1)
  },

  "charges a cycle of a recurrence if the bank is known to have Pix Automático": async (life: Life) => {
    const { recurrences, psp, connection } = life
    const recurrence = { ...aRecurrence(), issuer: cnpj }
    const offered = Effect.runPromise(recurrences.offer({ company, recurrence, isFresh: true }))
    if (connection.receivingAccount === undefined) return expect(offered).rejects.toThrow()
    const { bankId } = await offered
    psp.recurring.approve(bankId)
    const charge = aCycleCharge(approved(recurrence, bankId))
    await Effect.runPromise(recurrences.charge({ company, charge }))
    const { debit } = await Effect.runPromise(recurrences.lookupCharge(charge))
    expect(debit).toMatchObject({ attempts: [{ status: "scheduled" }] })
  },

  "continues after the bank has revoked its token": async (life: Life) => {
    life.psp.revokeTokens()
    const charge = await issue(life)
    expect(listCharges(life, charge.txid)).toHaveLength(1)
  },
} satisfies Record<string, (life: Life) => Promise<void>>

export type LifeStep = keyof typeof lifeSteps

export const steps = Object.entries(lifeSteps) as ReadonlyArray<readonly [LifeStep, (life: Life) => Promise<void>]>

/** Returns the first step that fails, with the reason; undefined if all steps succeed. */
export const firstFailure = async (
  life: Life,
): Promise<{ readonly step: LifeStep; readonly why: unknown } | undefined> => {
  for (const [step, live] of steps) {
    try {
      await live(life)
    } catch (why) {
      return { step, why }
    }
  }
  return undefined
}
