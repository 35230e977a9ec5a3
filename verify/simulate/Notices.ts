import { createHmac } from "node:crypto"
import { Bookkeeping, type Exchange, PaymentNotices, PixCharges, type ReceivedPayment } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { type Bank, type LedgerPayment, writeNotice } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { receivedBy } from "@pixcharge/core/internal"
import * as Result from "effect/Result"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import { noticeSecret } from "./bank/openBank.ts"
import type { BankClient } from "./bank/BankClient.ts"
import { receivedPayment } from "./bank/bankProcessor.ts"
import { keyHolder } from "./names.ts"
import type { Host, HostServices, Serving } from "./Host.ts"
import { outcome } from "./Clients.ts"
import type { FaultDecisions } from "./FaultDecisions.ts"
import type { Hosts } from "./Hosts.ts"
import type { Judge } from "./judge/Judge.ts"
import { shortName } from "./judge/names.ts"
import type { Timeline } from "./World.ts"

/**
 * A company's webhook address below the path of notices. It must not change, because banks keep registered addresses.
 */
const noticeAddress = (company: Cnpj): string => {
  const mac = createHmac("sha256", noticeSecret).update(`pixcharge notice address 1\n${company}`).digest("hex")
  return `/${company}/${mac.slice(0, 32)}`
}

const { signal } = new AbortController()

const makeExchange = (url: string, text: string): Exchange => ({
  method: "POST",
  url,
  fullUrl: url,
  header: () => undefined,
  body: () => Promise.resolve({ _tag: "Text", text }),
  signal,
})

export const callWebhook = ({ ways }: Bank, issuer: Cnpj, payments: ReadonlyArray<LedgerPayment>) =>
  Effect.gen(function* () {
    const { suffix, text } = writeNotice(payments, ways)
    const below = `${noticeAddress(issuer)}${suffix}`
    const reply = (yield* PaymentNotices).handle(makeExchange(below, text), below)
    return reply === undefined ? 404 : (yield* reply).status
  })

const timeLimitMs = 10_000

/** Records only the payment that the bank confirms, and returns it. */
export const recordNotice = (
  bank: BankClient,
  issuer: Cnpj,
  { endToEndId, txid }: Pick<LedgerPayment, "endToEndId" | "txid">,
  isPlain: boolean,
) =>
  Effect.gen(function* () {
    const charges = yield* PixCharges
    const books = yield* Bookkeeping
    const claim = { endToEndId, returnIds: [], hasUnnamedReturns: false, ...(txid !== undefined && { txid }) }
    const [inspected] = yield* books.inspect(issuer, [claim])
    const payment = yield* Effect.timeout(bank.getPayment(issuer, endToEndId), timeLimitMs)
    if (payment === undefined) return
    const shown = receivedPayment(payment)
    const [receiver] = yield* books.receivers(issuer, [shown])
    const owner = yield* Effect.fromResult(receiver ?? Result.succeed(undefined))
    if (owner === undefined) return
    const received = receivedBy(owner, shown)
    const { returns, pixKey: _, ...notice } = received
    if (isPlain && returns.length === 0) {
      yield* Effect.catchTag(charges.confirmPayment(notice), "PaymentUnmatched", () => Effect.void)
    } else {
      yield* books.recordReceivedPayment(received, inspected?.charge)
    }
    return received
  })

export interface Notice {
  readonly payment: LedgerPayment
  readonly grouped: number
  readonly host: number
  /** True if the host trusts the notice because it learned of the payment without the bank's webhook. */
  readonly isPlain: boolean
}

/** Gives a notice to a process. Fails if the bank must repeat the notice. */
export type TakeNotice = (
  host: Serving,
  notice: Notice,
) => Effect.Effect<ReadonlyArray<ReceivedPayment>, unknown, HostServices>

export const takeDirectly: TakeNotice = ({ bank }, { payment, isPlain }) =>
  Effect.map(recordNotice(bank, keyHolder(payment.pixKey), payment, isPlain), (received) =>
    received === undefined ? [] : [received],
  )

/** The bank calls the process's webhook with the payment and some earlier ones of the same key. */
export const takeByWebhook =
  (bank: Bank): TakeNotice =>
  (_, { payment, grouped }) =>
    Effect.suspend(() => {
      const { pixKey } = payment
      const issuer = keyHolder(pixKey)
      const others = [...bank.ledger.payments.values()].filter((one) => one !== payment && one.pixKey === pixKey)
      const payments = [payment, ...others.toReversed().slice(0, grouped)]
      const recorded = payments.map((one) => receivedPayment({ ...one, issuer }))
      return Effect.flatMap(callWebhook(bank, issuer, payments), (status) => {
        if (status === 200) return Effect.succeed(recorded)
        return status === 503 ? Effect.fail(status) : Effect.die(`a notice of the bank is refused with ${status}`)
      })
    })

const retryMs = 30_000
const maxTries = 3

/** A notice of the bank: late, twice, out of order or never. `make` draws what one copy does. */
export const sendCopies = (
  world: Timeline,
  faults: FaultDecisions,
  about: string,
  make: (delayMs: number, random: SeededRandom) => () => void,
): void => {
  const decision = faults.decideNext(`notice of ${about}`)
  const { random } = decision
  const copies = random.chance(0.3) ? 2 : 1
  for (let copy = 1; copy <= copies; copy++) {
    const delayMs = random.between(1, random.chance(0.2) ? 300_000 : 2_000)
    const arrives = make(delayMs, random)
    if (!decision.hasFault("lostNotices", `copy ${copy} lost`)) world.after(delayMs, arrives)
  }
}

/** Sends the bank's notices of payments and returns. The bank repeats refused notices. */
export const makeNotices = (
  world: Timeline,
  faults: FaultDecisions,
  hosts: Hosts<Host>,
  take: TakeNotice,
  judge: Judge,
): ((payment: LedgerPayment) => void) => {
  const deliver = (notice: Notice, tries: number): void => {
    const retry = () => {
      if (tries < maxTries) world.after(retryMs, () => deliver(notice, tries + 1))
    }
    const host = hosts.findServing(notice.host)
    if (host === undefined) return retry()
    const what = `notice of ${shortName(notice.payment.endToEndId)}`
    world.note("bank", `gives ${what} to ${host.actor.name}`)
    const since = world.now
    judge.refundCalls.recordShown(host.actor.name, notice.payment.endToEndId, since)
    host.serve(take(host, notice), (exit) => {
      if (Exit.isSuccess(exit)) return exit.value.forEach((received) => judge.endNotice(received, since))
      if (Cause.hasDies(exit.cause)) judge.report("noDefects", `${what}: ${Cause.pretty(exit.cause)}`)
      else judge.judgeFailure(outcome(exit), host.actor, since)
      retry()
    })
  }
  return (payment) =>
    sendCopies(world, faults, shortName(payment.endToEndId), (delayMs, random) => {
      const grouped = Math.max(0, (delayMs % 4) - 1)
      const notice = { payment, host: random.between(0, 9), isPlain: random.chance(0.2), grouped }
      return () => deliver(notice, 1)
    })
}
