import type { ProcessorView } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import type { PspCharge } from "../wire/Cob.ts"
import type { PspPayment } from "../wire/PixBody.ts"
import { failUnavailable, findCharge } from "./chargeCalls.ts"
import { askByBankClock, type BankPeriod } from "./askByBankClock.ts"
import { listPage, type ListedPage } from "./listPage.ts"
import { makeFirstPlace, type ListPlace } from "./ListPlace.ts"
import { listWindow } from "./listWindow.ts"
import { logFlaws } from "./logFlaws.ts"
import { toProcessorView } from "./toProcessorView.ts"

const unknown: ProcessorView = { status: "unknown", payments: [], returns: [] }

/** The payments of a charge in the bank's list, read part by part if the bank limits the period. */
const listPayments = Effect.fnUntraced(function* (
  client: PspClient,
  { txid }: Charge,
  { from: earliest, until, latest }: BankPeriod,
) {
  const found = new Map<string, PspPayment>()
  let from = earliest
  do {
    const part = listWindow(from, until, client.profile)
    const query = { from, to: Math.min(part.to, latest), txid }
    let place: ListPlace | undefined = makeFirstPlace(from, client.profile)
    // A bank that ignores the txid lists all.
    while (place !== undefined) {
      const page: ListedPage = yield* listPage(client, "lookup", query, place)
      yield* logFlaws(`list of payments for charge ${txid}`, page.flaws)
      const own = page.payments.filter((payment) => payment.txid?.toLowerCase() === txid)
      for (const payment of own) found.set(payment.endToEndId.toLowerCase(), payment)
      place = page.next
    }
    from = part.until
  } while (from < until)
  return [...found.values()]
})

/** They are listed from the charge's creation on; the bank knows an earlier one where the books have lost the charge. */
const findPayments = Effect.fnUntraced(function* (client: PspClient, charge: Charge, { createdAt }: PspCharge) {
  const madeAt = yield* client.clock.readCreation(createdAt ?? charge.createdAt)
  const from = Math.min(charge.createdAt, madeAt) - client.clock.creationSkewMs()
  const until = yield* Clock.currentTimeMillis
  return yield* askByBankClock(client.clock, { from, until }, (bankPeriod) => listPayments(client, charge, bankPeriod))
})

/** Some banks say that a charge is paid and leave the payments out: then the list of payments has them. */
const addPayments = Effect.fnUntraced(function* (client: PspClient, charge: Charge, known: PspCharge) {
  return known.status !== "completed" || known.payments.length > 0
    ? known
    : { ...known, payments: yield* findPayments(client, charge, known) }
})

/** The charge with its payments and settled returns (`GET /cob/{txid}`, `GET /cobv/{txid}`). */
export const lookup = Effect.fnUntraced(
  function* (client: PspClient, charge: Charge) {
    const known = yield* findCharge(client, charge.txid, charge.dueDate !== undefined)
    if (known === undefined) return unknown
    yield* logFlaws(`charge ${charge.txid}`, known.flaws)
    return toProcessorView(charge, yield* addPayments(client, charge, known))
  },
  Effect.catchTag("PspRefusal", failUnavailable("lookup")),
)
