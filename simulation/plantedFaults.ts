import type { PlantedFault } from "./PlantedFault.ts"

const charge = "packages/core/src/charge"
const service = "packages/core/src/service"
const memory = "packages/store-memory/src"

/** Faults of money: each would return money twice, lose sight of it, or ask a payer for what is not stored. */
const moneyFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "noAnswerIsRefusal",
    breaks: "A refund's call that has no answer counts as refused for good.",
    edits: [
      {
        file: `${service}/pursueRefund.ts`,
        text: "const answer = yield* processor.refund(refundOrder(found))",
        replacement: `const answer = yield* Effect.catch(processor.refund(refundOrder(found)), () =>
      Effect.succeed({ _tag: "Rejected" as const, reason: "no answer" }),
    )
    if (answer._tag === "Rejected") return yield* finish(state, found, answer)`,
      },
    ],
    rules: ["oneLiveRefund"],
  },
  {
    name: "unknownIsRefusal",
    breaks: "A refund that the bank doesn't know of, because it is still being made, counts as refused.",
    edits: [
      {
        file: `${service}/pursueRefund.ts`,
        text: "return yield* callAgain(isLong ? yield* whenUnavailable(lookUpPayment(state), state) : state, found)",
        replacement: 'return yield* finish(state, found, { _tag: "Rejected", reason: "unknown" })',
      },
    ],
    rules: ["oneLiveRefund"],
  },
  {
    name: "decidesOnOldCopy",
    breaks:
      "A refund's outcome is decided on the copy of the charge from before the bank's answer, and written over what is stored.",
    edits: [
      {
        file: `${service}/refundCharge.ts`,
        text: "move: (read, command) => Effect.flatMap(moves.load(read), (charge) => moves.move(charge, command)),",
        replacement:
          "move: (read, command) => Effect.flatMap(moves.load(read), ({ version }) => moves.move({ ...read, version }, command)),",
      },
    ],
    rules: ["eventForEachTransition", "oneLiveRefund", "stateFollowsFromMoney"],
    isRare: true,
  },
  {
    name: "noReconciliation",
    breaks: "Nobody looks again once a charge is paid: the daily comparison with the bank's list never takes place.",
    edits: [
      {
        file: `${service}/reconcile/dailyReconciliation.ts`,
        text: "yield* reconciliations.enter(now)",
        replacement: "",
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "listedReturnsDropped",
    breaks: "The daily comparison records the bank's payments without their returns.",
    edits: [
      {
        file: `${service}/reconcile/recordPage.ts`,
        text: "returns: received.returns.map((returned) => ({ ...returned, issuer })),",
        replacement: "returns: [],",
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "onlyFirstPage",
    breaks: "The daily comparison reads one page of the bank's list.",
    edits: [
      {
        file: `${service}/reconcile/dailyReconciliation.ts`,
        text: "if (cursor !== undefined) return",
        replacement: "if (cursor === null) return",
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "windowsDoNotOverlap",
    breaks: "Each daily comparison begins where the one before ended, whatever the bank lists late.",
    edits: [
      {
        file: `${service}/reconcile/dailyReconciliation.ts`,
        text: "const overlapMs = 2 * dayMs",
        replacement: "const overlapMs = 0",
      },
    ],
    rules: ["booksMatchBank"],
    isRare: true,
  },
  {
    name: "knownPaymentIsComplete",
    breaks: "A notice of a payment that is recorded is taken as known, with the returns that it tells of.",
    edits: [
      {
        file: `${service}/recordReceivedPayment.ts`,
        text: "const toRecord = before.isBehind ? returns : unknown",
        replacement: "const toRecord = before.isBehind ? returns : known === undefined ? unknown : []",
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "furtherPaymentDropped",
    breaks: "A payment of a charge that is settled or cancelled is not recorded.",
    edits: [
      {
        file: `${charge}/decide.ts`,
        text: "return isSettling ? stay : { payments: [payment], returns: [] }",
        replacement: "return isSettling || charge.version > 0 ? stay : stay",
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "unmatchedPaymentDropped",
    breaks: "A payment that names no charge is not recorded.",
    edits: [
      {
        file: `${service}/recordReceivedPayment.ts`,
        text: "if (known === undefined) yield* recordUnmatched(notice)",
        replacement: "void recordUnmatched",
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "termsNotRestored",
    breaks: "Two calls register one id with different amounts, and the bank is left with the loser's.",
    edits: [
      {
        file: `${service}/restoreTerms.ts`,
        text: "Effect.catchCause(restore(stored), (cause) =>",
        replacement: "Effect.catchCause(stored.version > 0 ? Effect.succeed(false) : restore(stored), (cause) =>",
      },
    ],
    rules: ["bankAsksForTerms"],
    isRare: true,
  },
  {
    name: "removalNotSeen",
    breaks: "A cancellation that reached the bank and not the books leaves a charge that nobody can pay.",
    edits: [
      {
        file: `${service}/reconcile/chargeChecks.ts`,
        text: 'if (view.status === "removed") return Effect.succeed(true)',
        replacement: "",
      },
    ],
    rules: ["bankAsksForTerms"],
  },
  {
    name: "cancelsOnlyHere",
    breaks: "A charge is cancelled in the books and can still be paid at the bank.",
    edits: [
      {
        file: `${service}/PixCharges.ts`,
        text: "const outcome = yield* processor.cancel(charge)",
        replacement: 'const outcome = yield* Effect.succeed<CancelOutcome>({ _tag: "Cancelled" })',
      },
      {
        file: `${service}/PixCharges.ts`,
        text: "import type { ProcessorView, ReceivedPayment }",
        replacement: "import type { CancelOutcome, ProcessorView, ReceivedPayment }",
      },
    ],
    rules: ["bankAsksForTerms"],
  },
  {
    name: "storedBeforeRegistered",
    breaks: "A charge is stored before the bank has it, so that a repeat hands out a code that nobody can pay.",
    edits: [
      {
        file: `${service}/issueCharge.ts`,
        text: "const registered = yield* processor.register(chargeOrder(company, { ...request, payableUntil }, now))",
        replacement: `const order = chargeOrder(company, { ...request, payableUntil }, now)
    const early = { txid: order.txid, brCode: \`pix/\${order.txid}\`, createdAt: now }
    yield* store.insert(newCharge(company, request, early, now))
    const registered = yield* processor.register(order)`,
      },
    ],
    rules: ["bankAsksForTerms"],
  },
  {
    name: "paidNotRestored",
    breaks: "A `paid` event that was superseded stays so after the refund was rejected.",
    edits: [
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: 'return { ...stay, next: paid, unsent: "restore" }',
        replacement: "return { ...stay, next: paid }",
      },
    ],
    rules: ["eventForEachTransition"],
  },
  {
    name: "refusalIsFinal",
    breaks: "A refusal ends the refund while another call for it may still be carried out.",
    edits: [
      {
        file: `${charge}/Refund.ts`,
        text: "unanswered.every((calledAt) => isOld(calledAt, now))",
        replacement: "unanswered.length >= 0 || isOld(0, now)",
      },
      {
        file: `${charge}/Refund.ts`,
        text: "if (failed?.unanswered !== undefined) {",
        replacement: "if (failed?.unanswered?.length === 0) {",
      },
    ],
    rules: ["oneLiveRefund"],
  },
  {
    name: "newRefundBesideUnanswered",
    breaks: "The next refund has a new id while a call for the refused one may still be carried out.",
    edits: [
      {
        file: `${charge}/Refund.ts`,
        text: "if (failed?.unanswered !== undefined) {",
        replacement: "if (failed?.unanswered?.length === 0) {",
      },
    ],
    rules: ["oneLiveRefund"],
  },
  {
    name: "exceptionRefundedAnew",
    breaks: "An exception's next refund has a new id while a call for the refused one may still be carried out.",
    edits: [
      {
        file: `${charge}/decideException.ts`,
        text: 'state: state._tag === "Open" || state._tag === "Refunding" ? state : undefined,',
        replacement: `state:
      state._tag === "Refunding"
        ? state
        : state._tag === "Open"
          ? { ...(state.failedRefund && { failedRefund: { ...state.failedRefund, unanswered: undefined } }) }
          : undefined,`,
      },
    ],
    rules: ["oneLiveRefund"],
    isRare: true,
  },
  {
    name: "adoptedWhileRefundUnanswered",
    breaks: "A charge adopts an exception's payment while a call for its refund may still be carried out.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "(state.failedRefund?.unanswered?.at(-1) ?? -Infinity) < now - lateRefundMs",
        replacement: "now > lateRefundMs",
      },
    ],
    rules: ["stateFollowsFromMoney"],
    isRare: true,
  },
  {
    name: "stalePaymentDropped",
    breaks: "A payment whose commit comes too late to move its charge is not recorded.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "for (const payment of change.payments) {",
        replacement: "for (const payment of row?.charge.version === change.expectedVersion ? change.payments : []) {",
      },
    ],
    rules: ["factsAreRecorded"],
  },
  {
    name: "staleReturnDropped",
    breaks: "A return whose commit comes too late to move its charge is not recorded.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "const returned = recordReturns(company, change.returns)",
        replacement:
          "const returned = recordReturns(company, moved || change.next === undefined ? change.returns : [])",
      },
    ],
    rules: ["factsAreRecorded"],
    isRare: true,
  },
  {
    name: "returnMovesNoVersion",
    breaks:
      "A return whose commit comes too late is recorded, and what was decided without it is written all the same.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "for (const endToEndId of returned) if (endToEndId !== movedBy) moveVersion(company, endToEndId)",
        replacement: "void [movedBy, returned, moveVersion]",
      },
      {
        file: `${charge}/decideRefund.ts`,
        text: "const mayEnd = state !== undefined && (state.refund === undefined || ours !== undefined)",
        replacement:
          "const mayEnd = fresh.length > 0 && state !== undefined && (state.refund === undefined || ours !== undefined)",
      },
    ],
    rules: ["oneMoveFromEachVersion"],
    isRare: true,
  },
]

/** Faults of the classical kind: of concurrency, order, and waiting. */
const classicalFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "commitNotAwaited",
    breaks: "A charge's commit is begun and not waited for.",
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
    rules: ["answersAreStored"],
  },
  {
    name: "insertNotAwaited",
    breaks: "A charge is handed out before it is stored.",
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
    breaks: "An exception's commit is begun and not waited for.",
    edits: [
      {
        file: `${service}/ExceptionMoves.ts`,
        text: "if (yield* store.commit({ issuer, endToEndId, expectedVersion, next, returns })) {",
        replacement: `yield* Effect.forkDetach(store.commit({ issuer, endToEndId, expectedVersion, next, returns }))
      {`,
      },
    ],
    rules: ["answersAreStored"],
  },
  {
    name: "versionNotCompared",
    breaks: "The store moves a charge whatever version the move was decided on.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "|| row.charge.version !== expectedVersion) return false",
        replacement: "|| expectedVersion < 0) return false",
      },
    ],
    rules: ["oneMoveFromEachVersion"],
  },
  {
    name: "exceptionVersionNotCompared",
    breaks: "The store moves an exception whatever version the move was decided on.",
    edits: [
      {
        file: `${memory}/MemoryExceptionStore.ts`,
        text: "row.version === change.expectedVersion &&",
        replacement: "",
      },
    ],
    rules: ["oneMoveFromEachVersion"],
  },
  {
    name: "moveWithoutEvent",
    breaks: "A charge moves and its event is not written.",
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
    breaks: "An event is written although the move that it tells of was stale.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "if (moved && row && change.next) move(company, row, change.next, change)",
        replacement: `if (moved && row && change.next) move(company, row, change.next, change)
    else if (change.next) for (const delivery of change.deliveries) outbox.add(delivery, change.next.updatedAt)`,
      },
    ],
    rules: ["eventForEachTransition"],
  },
  {
    name: "refundedNotTold",
    breaks: "A charge is refunded and nobody is told.",
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
    breaks: "A `paid` event is sent while the money goes back.",
    edits: [
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: '...(charge._tag === "Paid" && { unsent: "supersede" }),',
        replacement: "",
      },
    ],
    rules: ["eventForEachTransition"],
  },
  {
    name: "retryCountsAsDelivered",
    breaks: "A delivery that its receiver did not take is settled as delivered.",
    edits: [
      {
        file: `${service}/dispatch/attempt.ts`,
        text: 'if (outcome._tag === "Delivered") return { _tag: "Delivered" }',
        replacement: 'if (outcome._tag === "Delivered" || random >= 0) return { _tag: "Delivered" }',
      },
    ],
    rules: ["eventsArrive"],
  },
  {
    name: "deliveryNotAwaited",
    breaks: "A delivery is settled before its receiver has answered.",
    edits: [
      {
        file: `${service}/dispatch/attempt.ts`,
        text: "Effect.suspend(() => delivery.deliver(event, endpoint, attempt)).pipe(",
        replacement:
          'Effect.as(Effect.forkDetach(delivery.deliver(event, endpoint, attempt)), { _tag: "Delivered" } as DeliveryOutcome).pipe(',
      },
    ],
    rules: ["eventsArrive"],
  },
  {
    name: "orderIgnored",
    breaks: "The next event of a charge is sent while the one before is under way.",
    edits: [
      {
        file: `${service}/dispatch/drainQueue.ts`,
        text: "if (underWay.has(key)) {",
        replacement: "if (underWay.has(key) && queue.isLost) {",
      },
    ],
    rules: ["eventsArrive"],
    isRare: true,
  },
  {
    name: "refundNeverChecked",
    breaks: "A refund whose call has no answer is never looked up.",
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
  },
  {
    name: "checksNeverLeasedAgain",
    breaks: "A check whose process died is not claimed by another.",
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
    breaks: "The lease of a queue whose process died never ends.",
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
  },
  {
    name: "outboxNotPolled",
    breaks: "The dispatcher looks into the outbox only after a commit in its own process.",
    edits: [
      {
        file: `${service}/dispatch/claimQueues.ts`,
        text: "if (yield* awaitWanted(ports, restMs)) idleMs = firstIdleMs",
        replacement: "if (yield* awaitWanted(ports, restMs * Number.POSITIVE_INFINITY)) idleMs = firstIdleMs",
      },
    ],
    rules: ["nothingWaitsForEver"],
  },
  {
    name: "answeredFromRequest",
    breaks: "Of two calls that issue one charge at once, the later is answered with what it would have stored.",
    edits: [
      {
        file: `${service}/issueCharge.ts`,
        text: 'const stored = insertion._tag === "Inserted" ? charge : insertion.charge',
        replacement: 'const stored = insertion._tag === "Inserted" ? charge : { ...insertion.charge, ...charge }',
      },
    ],
    rules: ["firstAnswerStands"],
  },
  {
    name: "amountNotCompared",
    breaks: "A request of another amount under a known id is answered with the known charge.",
    edits: [
      {
        file: `${charge}/decideRepeat.ts`,
        text: "charge.amountCents === request.amountCents &&",
        replacement: "",
      },
    ],
    rules: ["firstAnswerStands"],
  },
  {
    name: "secondPaymentSettles",
    breaks: "A further payment takes the place of the one that settled the charge.",
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
    breaks: "A charge adopts a payment that was returned or dealt with as an exception.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: 'if (row.payment.chargeId !== undefined || !isFree(row, payment.recordedAt)) return "foreign"',
        replacement: 'if (row.payment.chargeId !== undefined && isFree(row, payment.recordedAt)) return "foreign"',
      },
    ],
    rules: ["stateFollowsFromMoney", "nothingWaitsForEver"],
  },
  {
    name: "staleCommitSwallowed",
    breaks: "A charge's commit that moved nothing counts as moved.",
    edits: [
      {
        file: `${service}/ChargeMoves.ts`,
        text: "if (moved && next !== undefined) {",
        replacement: "if (next !== undefined) {",
      },
    ],
    rules: ["stateFollowsFromMoney", "answersAreStored"],
    isRare: true,
  },
  {
    name: "staleExceptionCommitSwallowed",
    breaks: "An exception's commit that moved nothing counts as moved.",
    edits: [
      {
        file: `${service}/ExceptionMoves.ts`,
        text: "if (yield* store.commit({ issuer, endToEndId, expectedVersion, next, returns })) {",
        replacement: `yield* store.commit({ issuer, endToEndId, expectedVersion, next, returns })
      {`,
      },
    ],
    rules: ["answersAreStored"],
    isRare: true,
  },
  {
    name: "lostQueueSent",
    breaks: "A process goes on sending what it read under a lease that has ended.",
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
    isRare: true,
  },
]

/** All faults, by name. */
export const plantedFaults: ReadonlyArray<PlantedFault> = [...moneyFaults, ...classicalFaults]
