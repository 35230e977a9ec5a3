import type { PlantedFault } from "./PlantedFault.ts"

const charge = "packages/core/src/charge"
const service = "packages/core/src/service"
const memory = "packages/store-memory/src"

/** Faults of the classical kind: of concurrency, order, and waiting. */
export const classicalFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "commitNotAwaited",
    defect: "A charge's commit is begun and not waited for.",
    edits: [
      {
        file: `${service}/ChargeMoves.ts`,
        text: `const { moved, foreignPayments } = yield* store.commit({`,
        replacement: `const moved = true
      const foreignPayments: ReadonlyArray<string> = []
      yield* Effect.forkDetach(store.commit({`,
      },
      {
        file: `${service}/ChargeMoves.ts`,
        text: `...(unsent && { unsent }),
      })`,
        replacement: `...(unsent && { unsent }),
      }))`,
      },
    ],
    rules: ["answersAreStored", "factsAreRecorded"],
  },
  {
    name: "insertNotAwaited",
    defect: "A charge is handed out before it is stored.",
    edits: [
      {
        file: `${service}/issueCharge.ts`,
        text: "const insertion = yield* store.insert(charge)",
        replacement: `yield* Effect.forkDetach(store.insert(charge))
    const insertion = { _tag: "Inserted" as const, charge }`,
      },
    ],
    rules: ["answersAreStored"],
  },
  {
    name: "exceptionCommitNotAwaited",
    defect: "An exception's commit is begun and not waited for.",
    edits: [
      {
        file: `${service}/ExceptionMoves.ts`,
        text: "if (yield* store.commit({ issuer, endToEndId, expectedVersion, next, returns, ...audit })) {",
        replacement: `yield* Effect.forkDetach(store.commit({ issuer, endToEndId, expectedVersion, next, returns, ...audit }))
      {`,
      },
    ],
    rules: ["answersAreStored"],
  },
  {
    name: "versionNotCompared",
    defect: "The store moves a charge whatever version the move was decided on.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "|| row.charge.version !== expectedVersion) return false",
        replacement: "|| expectedVersion < 0) return false",
      },
    ],
    rules: ["oneMoveFromEachVersion"],
    seed: 12,
  },
  {
    name: "exceptionVersionNotCompared",
    defect: "The store moves an exception whatever version the move was decided on.",
    edits: [
      {
        file: `${memory}/MemoryExceptionStore.ts`,
        text: "row.version === change.expectedVersion &&",
        replacement: "",
      },
    ],
    rules: ["oneMoveFromEachVersion"],
    seed: 11,
  },
  {
    name: "moveWithoutEvent",
    defect: "A charge moves and its event is not written.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "for (const delivery of deliveries) outbox.add(delivery, next.updatedAt)",
        replacement: "void deliveries",
      },
    ],
    rules: ["eventForEachTransition"],
  },
  {
    name: "eventWithoutMove",
    defect: "An event is written although the move that it tells of was stale.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "if (moved && row && change.next) move(company, row, change.next, change)",
        replacement: `if (moved && row && change.next) move(company, row, change.next, change)
    else if (change.next) for (const delivery of change.deliveries) outbox.add(delivery, change.next.updatedAt)`,
      },
    ],
    rules: ["eventForEachTransition"],
    seed: 49,
  },
  {
    name: "refundedNotTold",
    defect: "A charge is refunded and nobody is told.",
    edits: [
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: 'return { ...stay, next: refunded, returns, publish: "refunded", unsent: "supersede" }',
        replacement: 'return { ...stay, next: refunded, returns, unsent: "supersede" }',
      },
    ],
    rules: ["eventForEachTransition"],
  },
  {
    name: "paidNotSuperseded",
    defect: "A `paid` event is sent while the money goes back.",
    edits: [
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: '...(charge._tag === "Paid" && { unsent: "supersede" }),',
        replacement: "",
      },
    ],
    rules: ["eventForEachTransition"],
    seed: 13,
  },
  {
    name: "retryCountsAsDelivered",
    defect: "A delivery that its receiver did not take is settled as delivered.",
    edits: [
      {
        file: `${service}/dispatch/attempt.ts`,
        text: 'if (outcome._tag === "Delivered") return { _tag: "Delivered" }',
        replacement: 'if (outcome._tag === "Delivered" || random >= 0) return { _tag: "Delivered" }',
      },
    ],
    rules: ["eventsArrive"],
    seed: 12,
  },
  {
    name: "deliveryNotAwaited",
    defect: "A delivery is settled before its receiver has answered.",
    edits: [
      {
        file: `${service}/dispatch/attempt.ts`,
        text: "Effect.suspend(() => delivery.deliver(event, endpoint, attempt)).pipe(",
        replacement:
          'Effect.as(Effect.forkDetach(delivery.deliver(event, endpoint, attempt)), { _tag: "Delivered" } as DeliveryOutcome).pipe(',
      },
    ],
    rules: ["eventsArrive"],
    seed: 10,
  },
  {
    name: "orderIgnored",
    defect: "The next event of a charge is sent while the one before is under way.",
    edits: [
      {
        file: `${service}/dispatch/drainQueue.ts`,
        text: "if (underWay.has(key)) {",
        replacement: "if (underWay.has(key) && queue.isLost) {",
      },
    ],
    rules: ["eventsArrive"],
    seed: 220,
  },
  {
    name: "refundNeverChecked",
    defect: "A refund whose call has no answer is never looked up.",
    edits: [
      {
        file: `${charge}/decideRefund.ts`,
        text: "checkAt: nextRefundCheckAt(refund, now),",
        replacement: "",
      },
      {
        file: `${charge}/decideRefund.ts`,
        text: 'import { nextRefundCheckAt } from "./checkSchedule.ts"',
        replacement: "",
      },
    ],
    rules: ["nothingWaitsForEver"],
    seed: 13,
  },
  {
    name: "checksNeverLeasedAgain",
    defect: "A check whose process died is not claimed by another.",
    edits: [
      {
        file: `${memory}/MemoryDueChecks.ts`,
        text: "for (const row of claimed) check.put(row, now + leaseMs)",
        replacement: "for (const row of claimed) check.put(row, leaseMs > 0 ? Number.NaN : now)",
      },
    ],
    rules: ["nothingWaitsForEver"],
  },
  {
    name: "queuesNeverLeasedAgain",
    defect: "The lease of a queue whose process died never ends.",
    edits: [
      {
        file: `${memory}/MemoryOutbox.ts`,
        text: "queue.lease = { token, until: leaseNow + each.leaseMs }",
        replacement: "queue.lease = { token, until: leaseNow + 1e6 * each.leaseMs }",
      },
      {
        file: `${memory}/MemoryOutbox.ts`,
        text: "endLeasesAt(leases, leaseNow + leaseMs))",
        replacement: "endLeasesAt(leases, leaseNow + 1e6 * leaseMs))",
      },
    ],
    rules: ["nothingWaitsForEver"],
    seed: 10,
  },
  {
    name: "outboxNotPolled",
    defect: "The dispatcher looks into the outbox only after a commit in its own process.",
    edits: [
      {
        file: `${service}/dispatch/claimQueues.ts`,
        text: "if (yield* awaitWanted(ports, signal, restMs)) idleMs = firstIdleMs",
        replacement: "if (yield* awaitWanted(ports, signal, restMs * Number.POSITIVE_INFINITY)) idleMs = firstIdleMs",
      },
    ],
    rules: ["nothingWaitsForEver"],
    seed: 24,
  },
  {
    name: "answeredFromRequest",
    defect: "Of two calls that issue one charge at once, the later is answered with what it would have stored.",
    edits: [
      {
        file: `${service}/issueCharge.ts`,
        text: 'const stored = insertion._tag === "Inserted" ? charge : insertion.charge',
        replacement: 'const stored = insertion._tag === "Inserted" ? charge : { ...insertion.charge, ...charge }',
      },
    ],
    rules: ["firstAnswerStands"],
    seed: 25,
  },
  {
    name: "amountNotCompared",
    defect: "A request of another amount under a known id is answered with the known charge.",
    edits: [
      {
        file: `${charge}/decideRepeat.ts`,
        text: "charge.amountCents === request.amountCents &&",
        replacement: "",
      },
    ],
    rules: ["firstAnswerStands"],
    seed: 9,
  },
  {
    name: "secondPaymentSettles",
    defect: "A further payment takes the place of the one that settled the charge.",
    edits: [
      {
        file: `${charge}/decide.ts`,
        text: 'if (charge._tag === "Pending") {',
        replacement: 'if (charge._tag === "Pending" || charge._tag === "Paid") {',
      },
    ],
    rules: ["stateFollowsFromMoney"],
  },
  {
    name: "takenPaymentAdopted",
    defect: "A charge adopts a payment that is being returned or was dealt with as an exception.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: 'if (row.payment.chargeId !== undefined || !isFree(row, payment.recordedAt)) return "foreign"',
        replacement: 'if (row.payment.chargeId !== undefined) return "foreign"',
      },
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "paid?.payment.chargeId === id && isUndecided(paid) &&",
        replacement: "paid?.payment.chargeId === id &&",
      },
    ],
    rules: ["stateFollowsFromMoney"],
    seed: 107,
  },
  {
    name: "staleCommitSwallowed",
    defect: "A charge's commit that moved nothing counts as moved.",
    edits: [
      {
        file: `${service}/ChargeMoves.ts`,
        text: "if (moved && next !== undefined) return",
        replacement: "if (next !== undefined) return",
      },
    ],
    rules: ["stateFollowsFromMoney", "answersAreStored", "onceForEachKey", "oneLiveRefund"],
    seed: 189,
  },
  {
    name: "staleExceptionCommitSwallowed",
    defect: "An exception's commit that moved nothing counts as moved.",
    edits: [
      {
        file: `${service}/ExceptionMoves.ts`,
        text: "if (yield* store.commit({ issuer, endToEndId, expectedVersion, next, returns, ...audit })) {",
        replacement: `yield* store.commit({ issuer, endToEndId, expectedVersion, next, returns, ...audit })
      {`,
      },
    ],
    rules: ["answersAreStored"],
    seed: 18,
  },
  {
    name: "lostQueueSent",
    defect: "A process goes on sending what it read under a lease that has ended.",
    edits: [
      {
        file: `${service}/dispatch/EndpointQueue.ts`,
        text: "return !this.isLost && now <= this.leasedAt + leaseMs / 2",
        replacement: "return now >= 0",
      },
      {
        file: `${service}/dispatch/EndpointQueue.ts`,
        text: "return now > this.readAt + freshMs",
        replacement: "return now < 0",
      },
    ],
    rules: ["eventsArrive"],
    seed: 161,
  },
  {
    name: "settledWithoutLease",
    defect: "A delivery is settled, and read, by a process whose lease of the queue was lost.",
    edits: [
      {
        file: `${memory}/MemoryOutbox.ts`,
        text: "return queue.lease?.token === token ? queue : undefined",
        replacement: 'return token === "" ? undefined : queue',
      },
    ],
    rules: ["leasesFence"],
    seed: 83,
  },
  {
    name: "ownEventSuperseded",
    defect: "A move that supersedes a `paid` event supersedes its own event, too.",
    edits: [
      {
        file: `${memory}/Deliveries.ts`,
        text: '({ record }) => record.event.kind === "paid" && record.status === status,',
        replacement: "({ record }) => record.status === status,",
      },
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: `if (unsent !== undefined) outbox[unsent](next.issuer, next.id, next.updatedAt)
    for (const delivery of deliveries) outbox.add(delivery, next.updatedAt)`,
        replacement: `for (const delivery of deliveries) outbox.add(delivery, next.updatedAt)
    if (unsent !== undefined) outbox[unsent](next.issuer, next.id, next.updatedAt)`,
      },
    ],
    rules: ["eventForEachTransition"],
  },
  {
    name: "failedRefundNeverChecked",
    defect: "A charge whose refund was refused, and may still be carried out, is not checked.",
    seed: 13,
    edits: [
      {
        file: `${memory}/MemoryDueChecks.ts`,
        text: "dueAt: ({ charge, checksEndedAt }) => dueAt(request.now, charge.checkAt, checksEndedAt),",
        replacement: `dueAt: ({ charge, checksEndedAt }) =>
            charge._tag === "Paid" ? undefined : dueAt(request.now, charge.checkAt, checksEndedAt),`,
      },
    ],
    rules: ["nothingWaitsForEver"],
  },
  {
    name: "neverLookedUpAgain",
    defect: "A charge that lists answer for is never looked up again, though it was removed or changed at the bank.",
    edits: [
      {
        file: `${charge}/checkSchedule.ts`,
        text: `now < watchUntil &&
  Math.floor((watchUntil - checkedUntil) / lookUpEachMs) === Math.floor((watchUntil - now) / lookUpEachMs)`,
        replacement: "now >= 0",
      },
      {
        file: `${service}/PixCharges.ts`,
        text: "checks.scheduleCharge(charge, now + removalCheckMs)",
        replacement: "checks.scheduleCharge(charge, now + removalCheckMs, { checkedUntil: charge.checkedUntil })",
      },
    ],
    rules: ["bankAsksForTerms"],
    seed: 25,
  },
  {
    name: "cancelledCheckedForEver",
    defect: "A charge that was cancelled is checked for ever.",
    edits: [
      {
        file: `${charge}/decide.ts`,
        text: 'next: { ...moved(charge), ...stamp(charge, now), _tag: "Cancelled", cancelledAt: now },',
        replacement: 'next: { ...charge, ...stamp(charge, now), _tag: "Cancelled", cancelledAt: now },',
      },
      {
        file: `${service}/reconcile/chargeChecks.ts`,
        text: "return Effect.as(dueChecks.scheduleCharge(charge, undefined), charge)",
        replacement: "return Effect.succeed(charge)",
      },
    ],
    rules: ["nothingWaitsForEver"],
    seed: 10,
  },
  {
    name: "cancelledRefundDies",
    defect: "Who asks for the refund of a cancelled charge is answered by a defect.",
    edits: [
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: 'if (command._tag !== "RequestRefund") return Result.succeed(stay)',
        replacement: `if (command._tag !== "RequestRefund") return Result.succeed(stay)
  if (charge._tag === "Cancelled") throw new Error("a cancelled charge has no payment")`,
      },
    ],
    rules: ["noDefects"],
    seed: 10,
  },
]
