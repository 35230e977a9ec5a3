import type { ProcessorUnavailable } from "@pixcharge/core"
import { normalizePixKey } from "@pixcharge/core/brcode"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { CycleCharge, Txid } from "@pixcharge/core/charges"
import type { DebitAttempt } from "@pixcharge/core/recurrence"
import type { CycleOrder, CycleView } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import type { PspClient } from "../client/PspClient.ts"
import { failUnavailable, isAboutRequest, orUndefined, orUndefinedIfSure, readMissing } from "../processor/refusals.ts"
import { toProcessorView } from "../processor/toProcessorView.ts"
import { mayHaveTaxId } from "../wire/Cob.ts"
import { cycleReaderFor, type PspAttempt, type PspCycle } from "../wire/CobR.ts"
import { readPayment } from "../wire/PixBody.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { logFlaws } from "../wire/Reader.ts"
import type { ReceivingAccount } from "../wire/bodies.ts"
import { cyclePath, paymentPath } from "../wire/paths.ts"

const absent: CycleView = {
  status: "unknown",
  payments: [],
  returns: [],
  debit: { status: "absent", attempts: [] },
}

const statuses = {
  active: "active",
  completed: "completed",
  rejected: "removed",
  expired: "removed",
  cancelled: "removed",
  unknown: "active",
} as const

const toAttempt = ({ kind, on: shown, ...attempt }: PspAttempt, settlesOn: LocalDate): DebitAttempt => {
  const on = shown ?? settlesOn
  return { ...attempt, on, kind: kind ?? (on > settlesOn ? "retry" : "first") }
}

const isResent = ({ kind }: DebitAttempt): number => (kind === "resent" ? 1 : 0)

const listAttempts = ({ attempts }: PspCycle, settlesOn: LocalDate): ReadonlyArray<DebitAttempt> =>
  attempts
    .map((attempt) => toAttempt(attempt, settlesOn))
    .toSorted((a, b) => (a.on === b.on ? isResent(a) - isResent(b) : a.on < b.on ? -1 : 1))

/** If the bank shows no due date, the order's due date replaces it. */
const toCycleView = (charge: CycleCharge, known: PspCycle): CycleView => {
  const { status, by, code } = known
  return {
    ...toProcessorView(charge, {
      ...(charge.dueDate && { dueDate: charge.dueDate }),
      ...known,
      status: statuses[status],
    }),
    debit: {
      status,
      attempts: listAttempts(known, charge.cycle.settlesOn),
      ...(by !== undefined && { by }),
      ...(code !== undefined && { code }),
    },
  }
}

/** Some banks omit the payments of paid attempts in the charge. */
const addPayments = Effect.fnUntraced(function* (client: PspClient, known: PspCycle) {
  const ids = known.attempts.flatMap(({ status, endToEndId }) => (status === "paid" ? (endToEndId ?? []) : []))
  if (known.payments.length > 0 || known.flaws !== undefined) return known
  const found = yield* Effect.forEach(ids, (id) =>
    orUndefined(
      client.call({
        operation: "lookupCycle",
        method: "GET",
        path: paymentPath(id),
        read: readPayment,
        mayBeMissing: true,
      }),
    ),
  )
  return { ...known, payments: found.filter((payment) => payment !== undefined) }
})

/** `GET /cobr/{txid}`, with attempts and payments, which lists of the key's payments can lack. */
export const lookupCycle = Effect.fnUntraced(
  function* (
    client: PspClient,
    charge: CycleCharge,
    account: ReceivingAccount,
  ): Effect.fn.Return<CycleView, ProcessorUnavailable | PspRefusal> {
    const known = yield* findCycle(client, charge.txid)
    if (known === undefined) return absent
    if (!isSameRecurrence(charge, account, known)) return { ...absent, isOfAnother: true }
    yield* logFlaws(`charge ${charge.txid}`, known.flaws)
    return toCycleView(charge, yield* addPayments(client, known))
  },
  Effect.catchTag("PspRefusal", failUnavailable("lookupCycle")),
)

/** Undefined only if the bank itself, not a proxy, says that it doesn't have the charge. */
export const findCycle = (
  client: PspClient,
  txid: Txid,
): Effect.Effect<PspCycle | undefined, ProcessorUnavailable | PspRefusal> =>
  orUndefinedIfSure(
    "lookupCycle",
    readMissing(
      client.call({
        operation: "lookupCycle",
        method: "GET",
        path: cyclePath(txid),
        read: cycleReaderFor(txid),
        mayBeMissing: true,
      }),
    ),
  )

/** Some banks write account numbers with punctuation and leading zeros. */
const simplifyAccount = (number: string): string => number.replace(/[^0-9a-z]/gi, "").replace(/^0+/, "")

const hasSamePayer = ({ payer }: CycleCharge, known: PspCycle): boolean =>
  known.payer === undefined || payer === undefined || mayHaveTaxId(known.payer, payer.taxId)

const hasSameAccount = ({ number }: ReceivingAccount, { accountNumber = number }: PspCycle): boolean =>
  simplifyAccount(accountNumber) === simplifyAccount(number)

/** The account counts only until the charge is confirmed, because the company can change it later. */
const isSameRecurrence = (charge: CycleCharge, account: ReceivingAccount, known: PspCycle): boolean =>
  known.bankId === undefined
    ? hasSamePayer(charge, known) && (charge.debit?.status !== "requested" || hasSameAccount(account, known))
    : known.bankId === charge.cycle.bankId

const hasSameTerms = ({ amountCents, dueDate, cycle }: CycleCharge, known: PspCycle): boolean =>
  known.amountCents === amountCents &&
  (known.dueDate ?? dueDate) === dueDate &&
  known.movesDueDate !== false &&
  (cycle.retryDays.length === 0 || known.mayRetry !== false)

export const isSameCycle = ({ charge, company }: CycleOrder, account: ReceivingAccount, known: PspCycle): boolean => {
  const { pixKey = company.pixKey } = known
  return (
    isSameRecurrence(charge, account, known) &&
    hasSamePayer(charge, known) &&
    hasSameAccount(account, known) &&
    hasSameTerms(charge, known) &&
    normalizePixKey(pixKey) === normalizePixKey(company.pixKey)
  )
}

/** True if the refusal is about the charge and no earlier attempt of the call can have been executed. */
export const isAboutCharge = (refusal: PspRefusal): boolean =>
  refusal.hasUnansweredAttempt !== true && isAboutRequest(refusal)
