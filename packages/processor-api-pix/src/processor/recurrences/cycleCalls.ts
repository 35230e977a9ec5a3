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

/** Whether the bank's charge is of this recurrence, as far as the bank shows it. */
export const isSameRecurrence = ({ cycle }: CycleCharge, { bankId = cycle.bankId }: PspCycle): boolean =>
  bankId === cycle.bankId

/** Banks write accounts with signs, and with zeros in front. */
const simplifyAccount = (number: string): string => number.replace(/[^0-9a-z]/gi, "").replace(/^0+/, "")

const hasSameTerms = ({ amountCents, dueDate, payer, cycle }: CycleCharge, known: PspCycle): boolean =>
  known.amountCents === amountCents &&
  (known.dueDate ?? dueDate) === dueDate &&
  known.movesDueDate !== false &&
  (known.mayRetry ?? cycle.retryDays.length > 0) === cycle.retryDays.length > 0 &&
  (known.payer === undefined || payer === undefined || mayHaveTaxId(known.payer, payer.taxId))

/** Whether the bank's charge is the one of the order, in all that the bank shows of it. */
export const isSameCycle = ({ charge, company }: CycleOrder, account: ReceivingAccount, known: PspCycle): boolean => {
  const { pixKey = company.pixKey, accountNumber = account.number } = known
  return (
    isSameRecurrence(charge, known) &&
    hasSameTerms(charge, known) &&
    normalizePixKey(pixKey) === normalizePixKey(company.pixKey) &&
    simplifyAccount(accountNumber) === simplifyAccount(account.number)
  )
}

/** The refusal is about the charge, and no earlier attempt of the call can have been carried out. */
export const isAboutCharge = (refusal: PspRefusal): boolean =>
  refusal.hasUnansweredAttempt !== true && isAboutRequest(refusal)
