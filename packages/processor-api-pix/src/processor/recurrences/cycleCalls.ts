import type { ProcessorUnavailable } from "@pixcharge/core"
import { normalizePixKey } from "@pixcharge/core/brcode"
import type { CycleCharge, Txid } from "@pixcharge/core/charges"
import type { CycleOrder } from "@pixcharge/core/recurring"
import type * as Effect from "effect/Effect"
import type { PspClient } from "../../http/PspClient.ts"
import type { ReceivingAccount } from "../../ReceivingAccount.ts"
import { type PspCycle, cycleReaderFor } from "../../wire/CobR.ts"
import { cyclePath } from "../../wire/paths.ts"
import type { PspRefusal } from "../../wire/Problem.ts"
import { mayHaveTaxId } from "../../wire/ShownPayer.ts"
import { isAboutRequest, orUndefinedIfSure } from "../chargeCalls.ts"
import { readMissing } from "./readMissing.ts"

/** The cycle's charge as the bank knows it; undefined where it says itself that it has none. */
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

/** Banks write accounts with signs, and with zeros in front. */
const simplifyAccount = (number: string): string => number.replace(/[^0-9a-z]/gi, "").replace(/^0+/, "")

const hasSamePayer = ({ payer }: CycleCharge, known: PspCycle): boolean =>
  known.payer === undefined || payer === undefined || mayHaveTaxId(known.payer, payer.taxId)

const hasSameAccount = ({ number }: ReceivingAccount, { accountNumber = number }: PspCycle): boolean =>
  simplifyAccount(accountNumber) === simplifyAccount(number)

/**
 * Whether the bank's charge is of this recurrence: where the bank doesn't show its id, payer and account decide. A company may
 * change its account after the bank has confirmed the charge.
 */
export const isSameRecurrence = (charge: CycleCharge, account: ReceivingAccount, known: PspCycle): boolean =>
  known.bankId === undefined
    ? hasSamePayer(charge, known) && (charge.debit?.status !== "requested" || hasSameAccount(account, known))
    : known.bankId === charge.cycle.bankId

const hasSameTerms = ({ amountCents, dueDate, cycle }: CycleCharge, known: PspCycle): boolean =>
  known.amountCents === amountCents &&
  (known.dueDate ?? dueDate) === dueDate &&
  known.movesDueDate !== false &&
  (known.mayRetry ?? cycle.retryDays.length > 0) === cycle.retryDays.length > 0

/** Whether the bank's charge is the one of the order, in all that the bank shows of it. */
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

/** The refusal is about the charge, and no earlier attempt of the call can have been carried out. */
export const isAboutCharge = (refusal: PspRefusal): boolean =>
  refusal.hasUnansweredAttempt !== true && isAboutRequest(refusal)
