import {
  Bookkeeping,
  CallbackEndpoints,
  ChargeLists,
  CompanyDirectory,
  ExceptionStore,
  Outbox,
  OutboxSignal,
  PaymentProcessor,
  PixCharges,
} from "@pixcharge/core"
import {
  type Charge,
  type ChargeId,
  chargeTxid,
  parseChargeId,
  partialRefundStatus,
  type PaymentNotice,
} from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, aCompany, anotherCnpj } from "../../fixtures/Companies.ts"
import { makeScriptedProcessor, type ScriptedProcessor } from "../../fixtures/ScriptedProcessor.ts"
import { allPages } from "../commits.ts"
import { chargeCount, type Command, type RefundScript } from "./Command.ts"
import { companyIndex, returnedShare, type Snapshot } from "./ModelState.ts"

const issuers = [aCnpj, anotherCnpj] as const
const minute = 60_000
const always = { from: 0, until: fixtureNow * 2 }

const chargeIssuer = (charge: number): Cnpj => issuers[companyIndex(charge)] ?? aCnpj

/** The other company's charge has the same id as the first charge. */
const modelChargeId = (charge: number): ChargeId =>
  Result.getOrThrow(parseChargeId(`00000000-0000-4000-8000-00000000000${charge === chargeCount - 1 ? 0 : charge}`))

const modelEndToEndId = (charge: number, payment: number): string =>
  `E1234567${companyIndex(charge)}202606031500${String(payment).padStart(11, "0")}`
const paymentIndex = (endToEndId: string): number => Number(endToEndId.slice(-11))

const chargeIndex = (issuer: Cnpj, id: ChargeId): number =>
  issuer === anotherCnpj ? chargeCount - 1 : Number(id.at(-1))

/** A clock whose business time only commands move. Timers and monotonic time are real, because some stores wait. */
const makeBusinessClock = () => {
  const real = Context.get(Context.empty(), Clock.Clock)
  let now = fixtureNow
  const clock: Clock.Clock = {
    ...real,
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    sleep: (duration) => real.sleep(duration),
  }
  return {
    clock,
    wait: (ms: number) => {
      now += ms
    },
  }
}

const surroundings = Layer.mergeAll(
  Layer.succeed(CompanyDirectory, {
    find: (cnpj) => Effect.succeed({ company: aCompany({ cnpj }) }),
    verifyKey: () => Effect.succeed(undefined),
    byPixKey: () => Effect.succeed(undefined),
  }),
  Layer.succeed(CallbackEndpoints, {
    forCompany: () =>
      Effect.succeed([
        {
          id: "loja",
          target: { _tag: "Host" as const },
          kinds: ["paid" as const, "refunded" as const],
          status: "enabled" as const,
        },
      ]),
    find: () => Effect.succeed(undefined),
    setStatus: () => Effect.void,
  }),
  OutboxSignal.layer,
)

const toTag = <A extends { readonly _tag: string }, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<string, never, R> =>
  Effect.match(effect, { onSuccess: ({ _tag }) => _tag, onFailure: ({ _tag }) => _tag })

/** The processor shows the payment that settled the charge. Returns arrive only by `ReturnOutside`. */
const showPayment: PaymentProcessor["Service"]["lookup"] = (charge) => {
  if (!("payment" in charge)) return Effect.succeed({ status: "active", payments: [], returns: [] })
  const { issuer, endToEndId, amountCents, paidAt } = charge.payment
  const notice = { issuer, endToEndId, amountCents, paidAt, txid: charge.txid }
  return Effect.succeed({ status: "completed", payments: [notice], returns: [] })
}

const paymentNotice = (charge: number, payment: number): PaymentNotice => ({
  issuer: chargeIssuer(charge),
  txid: chargeTxid(chargeIssuer(charge), modelChargeId(charge)),
  endToEndId: modelEndToEndId(charge, payment),
  amountCents: 1000 as Cents,
  paidAt: fixtureNow,
})

/** All of a company's data in the store. */
const readAll = Effect.fnUntraced(function* (issuer: Cnpj) {
  const lists = yield* ChargeLists
  const exceptions = yield* ExceptionStore
  const outbox = yield* Outbox
  return {
    charges: (yield* allPages((page) => lists.charges(issuer, always, page), 3)).flat(),
    payments: (yield* allPages((page) => lists.payments(issuer, always, page), 3)).flat(),
    returns: (yield* allPages((page) => lists.returns(issuer, always, page), 3)).flat(),
    exceptions: (yield* allPages((page) => exceptions.listOpen(issuer, page), 3)).flat(),
    deliveries: (yield* allPages((page) => outbox.list(issuer, {}, page), 3)).flat(),
  }
})

const paymentKey = (issuer: Cnpj, endToEndId: string): string =>
  `${issuers.indexOf(issuer)}/${paymentIndex(endToEndId)}`

const sortLines = <A>(items: ReadonlyArray<A>, line: (item: A) => string): ReadonlyArray<string> =>
  items.map(line).toSorted()

/** The store's contents, in the model's form. */
const snapshot = Effect.gen(function* () {
  const all = yield* Effect.all(issuers.map(readAll))
  const lines: Snapshot = {
    charges: sortLines(
      all.flatMap((one) => one.charges),
      (charge) =>
        [
          `${chargeIndex(charge.issuer, charge.id)} ${charge._tag} ${"payment" in charge ? paymentIndex(charge.payment.endToEndId) : "-"}`,
          ...sortLines(
            charge.partialRefunds ?? [],
            (part) => `${part.key} ${part.amountCents} ${partialRefundStatus(part, charge.returns)}`,
          ),
        ].join(", "),
    ),
    payments: sortLines(
      all.flatMap((one) => one.payments),
      ({ issuer, endToEndId, chargeId }) =>
        `${paymentKey(issuer, endToEndId)} ${chargeId === undefined ? "-" : chargeIndex(issuer, chargeId)}`,
    ),
    exceptions: sortLines(
      all.flatMap((one) => one.exceptions),
      ({ payment, reason }) => `${paymentKey(payment.issuer, payment.endToEndId)} ${reason}`,
    ),
    returns: sortLines(
      all.flatMap((one) => one.returns),
      ({ issuer, endToEndId, id, amountCents }) =>
        `${paymentKey(issuer, endToEndId)} ${id.slice(id.search(/D\d+$|P\w+$/))} ${amountCents}`,
    ),
    events: sortLines(
      all.flatMap((one) => one.deliveries),
      ({ event, status }) =>
        `${chargeIndex(event.issuer, event.payment?.chargeId ?? modelChargeId(0))} ${event.kind} ${status}`,
    ),
  }
  return lines
})

/** Attempts all due deliveries, and returns them. */
const deliver = Effect.fnUntraced(function* (arrives: boolean) {
  const now = yield* Clock.currentTimeMillis
  const outbox = yield* Outbox
  const { queues } = yield* outbox.claim({ now, limit: 100, deliveries: 100, leaseMs: 600_000 })
  const fate = arrives ? ({ _tag: "Delivered" } as const) : ({ _tag: "Retry", at: now + 5 * minute } as const)
  const attempt = { startedAt: now, latencyMs: 1 }
  const claims = queues.flatMap(({ lease, due }) => due.map((one) => ({ ...one, lease })))
  yield* outbox.settle(
    claims.map(({ event, lease, attempt: number }) => ({ lease, eventId: event.id, number, fate, attempt })),
    now,
  )
  yield* outbox.release(queues.map(({ lease }) => lease))
  const due = claims.map(
    ({ event }) => `${chargeIndex(event.issuer, event.payment?.chargeId ?? modelChargeId(0))} ${event.kind}`,
  )
  return due.toSorted().join(", ")
})

/** The real service on the store under test, which executes commands and reports its state. */
class Service {
  readonly bank: ScriptedProcessor
  readonly snapshot = snapshot
  readonly charges = Effect.map(Effect.all(issuers.map(readAll)), (all) => all.flatMap((one) => one.charges))
  readonly #charges: PixCharges["Service"]
  readonly #books: Bookkeeping["Service"]
  readonly #clock = makeBusinessClock()

  constructor(bank: ScriptedProcessor, services: Context.Context<PixCharges | Bookkeeping>) {
    this.bank = bank
    this.#charges = Context.get(services, PixCharges)
    this.#books = Context.get(services, Bookkeeping)
  }

  #script(outcome: RefundScript): void {
    this.bank.behave()
    if (outcome === "unreachable" || outcome === "answerLost") this.bank.fail("refund", outcome)
    else this.bank.refunds(outcome)
  }

  #findCharge(charge: number) {
    const found = this.#charges.find(chargeIssuer(charge), modelChargeId(charge))
    return Effect.orElseSucceed(found, (): Charge | undefined => undefined)
  }

  #refundPart({ charge, key, amountCents }: Extract<Command, { readonly _tag: "RefundPart" }>) {
    const part = { key, amountCents: amountCents as Cents }
    return this.#charges.refundPart(chargeIssuer(charge), modelChargeId(charge), part).pipe(
      Effect.map(({ charge: after, partialRefund }) => partialRefundStatus(partialRefund, after.returns) as string),
      Effect.catch(({ _tag }) => Effect.succeed<string>(_tag)),
    )
  }

  readonly #returnOutside = Effect.fnUntraced(
    { self: this },
    function* (index: number, payment: number | "settling", id: 0 | 1 | 2) {
      const charge = yield* this.#findCharge(index)
      const settling = charge && "payment" in charge ? charge.payment.endToEndId : ""
      const endToEndId = payment === "settling" ? settling : modelEndToEndId(index, payment)
      const { items } = yield* (yield* ChargeLists).payments(chargeIssuer(index), always, { limit: 100 })
      const row = items.find((one) => one.endToEndId === endToEndId)
      if (charge === undefined || row?.chargeId !== modelChargeId(index)) return "skipped"
      const amountCents = returnedShare(row.amountCents, id) as Cents
      const returned = {
        issuer: row.issuer,
        id: `D${id}`,
        endToEndId,
        kind: "outside" as const,
        amountCents,
        returnedAt: fixtureNow + id,
      }
      return yield* toTag(this.#books.applyView(charge, { status: "completed", payments: [], returns: [returned] }))
    },
  )

  /** Returns a state or the tag of an error. */
  run(command: Command) {
    return Effect.provideService(this.#run(command), Clock.Clock, this.#clock.clock)
  }

  #run(command: Command): Effect.Effect<string, unknown, ChargeLists | Outbox> {
    switch (command._tag) {
      case "Issue": {
        const request = { id: modelChargeId(command.charge), amountCents: command.amountCents as Cents }
        return toTag(this.#charges.issue(chargeIssuer(command.charge), request))
      }
      case "Pay":
        return toTag(this.#charges.confirmPayment(paymentNotice(command.charge, command.payment)))
      case "Refund":
        this.#script(command.script)
        return toTag(this.#charges.refund(chargeIssuer(command.charge), modelChargeId(command.charge)))
      case "Cancel":
        return toTag(this.#charges.cancel(chargeIssuer(command.charge), modelChargeId(command.charge)))
      case "ReturnOutside":
        return this.#returnOutside(command.charge, command.payment, command.id)
      case "Deliver":
        return deliver(command.arrives)
      case "RefundPart":
        this.#script(command.script)
        return this.#refundPart(command)
      case "EndRefund":
        return Effect.map(this.#findCharge(command.charge), (charge) => {
          if (charge?._tag === "Refunding") this.bank.endRefund(charge.issuer, charge.refund.id, command.how)
          for (const { refund } of charge?.partialRefunds ?? []) {
            if (charge?._tag === "Paid") this.bank.endRefund(charge.issuer, refund.id, command.how)
          }
          return "ended at the bank"
        })
      case "Wait":
        return Effect.sync(() => {
          this.#clock.wait(command.minutes * minute)
          return "waited"
        })
    }
  }
}

export const makeService = Effect.gen(function* () {
  const bank = makeScriptedProcessor("remote")
  const processor = Context.get(yield* Layer.build(bank.layer), PaymentProcessor)
  const shown = Layer.succeed(PaymentProcessor, { ...processor, lookup: showPayment })
  const services = yield* Layer.build(Layer.provide(PixCharges.layer, Layer.merge(surroundings, shown)))
  return new Service(bank, services)
})
