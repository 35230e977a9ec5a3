import type { PlantedFault } from "./PlantedFault.ts"

const charge = "packages/core/src/charge"
const service = "packages/core/src/service"
const memory = "packages/store-memory/src"

const newIdAfterRefusal = {
  file: `${charge}/decideRefund.ts`,
  text: "refunding(failedRefund === undefined ? newRefund(attemptId, 1, now) : sameRefund(failedRefund, now), now),",
  replacement: "refunding(newRefund(attemptId, (failedRefund?.attempt ?? 0) + 1, now), now),",
}

/** Faults of money: each would return money twice, lose sight of it, or ask a payer for what is not stored. */
export const moneyFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "noAnswerIsRefusal",
    defect: "A refund's call that has no answer counts as refused for good.",
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
    seed: 84,
  },
  {
    name: "secondIdFirst",
    defect: "The first refund of an exception has the id of a second attempt.",
    edits: [
      {
        file: `${charge}/RefundId.ts`,
        text: "`${endToEndId}X${attempt - 1}`",
        replacement: "`${endToEndId}X${attempt}`",
      },
    ],
    rules: ["refundsFollowRequests"],
  },
  {
    name: "unknownIsRefusal",
    defect: "A refund that the bank doesn't know of, because it is still being made, counts as refused.",
    edits: [
      {
        file: `${service}/pursueRefund.ts`,
        text: "return yield* callAgain(isLong ? (yield* seePayment(state)).state : state, found)",
        replacement: 'return yield* finish(state, found, { _tag: "Rejected", reason: "unknown" })',
      },
    ],
    rules: ["oneLiveRefund"],
    seed: 189,
  },
  {
    name: "decidesOnOldCopy",
    defect:
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
    seed: 514,
  },
  {
    name: "noReconciliation",
    defect: "Nobody looks again once a charge is paid: the daily comparison with the bank's list never takes place.",
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
    defect: "The daily comparison records the bank's payments without their returns.",
    edits: [
      {
        file: `${service}/findReceivers.ts`,
        text: "returns: received.returns.map((returned) => ({ ...returned, issuer })),",
        replacement: "returns: [],",
      },
    ],
    rules: ["booksMatchBank"],
    seed: 31,
  },
  {
    name: "onlyFirstPage",
    defect: "The daily comparison reads one page of the bank's list.",
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
    defect: "Each daily comparison begins where the one before ended, whatever the bank lists late.",
    edits: [
      {
        file: `${service}/reconcile/dailyReconciliation.ts`,
        text: "const overlapMs = 2 * dayMs",
        replacement: "const overlapMs = 0",
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "knownPaymentIsComplete",
    defect: "A notice of a payment that is recorded is taken as known, with the returns that it tells of.",
    edits: [
      {
        file: `${service}/recordReceivedPayment.ts`,
        text: "const toRecord = before.isBehind ? returns : unknown",
        replacement: "const toRecord = before.isBehind ? returns : known === undefined ? unknown : []",
      },
    ],
    rules: ["booksMatchBank", "factsAreRecorded"],
    seed: 10,
  },
  {
    name: "noticeHalfRecorded",
    defect:
      "A notice of a payment and its returns is answered once the payment is recorded, and its returns are dropped.",
    edits: [
      {
        file: `${service}/recordReceivedPayment.ts`,
        text: "const toRecord = before.isBehind ? returns : unknown",
        replacement: "const toRecord = before.isBehind ? returns : known === undefined ? [] : unknown",
      },
    ],
    rules: ["factsAreRecorded"],
    seed: 6,
  },
  {
    name: "furtherPaymentDropped",
    defect: "A payment of a charge that is settled or cancelled is not recorded.",
    seed: 3,
    edits: [
      {
        file: `${charge}/decide.ts`,
        text: "return isSettling ? stay : { payments: [payment], returns: [] }",
        replacement: "return isSettling || charge.version > 0 ? stay : stay",
      },
    ],
    rules: ["booksMatchBank", "factsAreRecorded"],
  },
  {
    name: "unmatchedPaymentDropped",
    defect: "A payment that names no charge is not recorded.",
    edits: [
      {
        file: `${service}/recordReceivedPayment.ts`,
        text: "if (known === undefined) yield* recordUnmatched(notice, toRecord)",
        replacement: "void recordUnmatched",
      },
    ],
    rules: ["booksMatchBank", "factsAreRecorded"],
  },
  {
    name: "termsNotRestored",
    defect: "Two calls register one id with different amounts, and the bank is left with the loser's.",
    edits: [
      {
        file: `${service}/restoreTerms.ts`,
        text: "Effect.catchCause(restore(stored), (cause) =>",
        replacement: "Effect.catchCause(stored.version > 0 ? Effect.succeed(false) : restore(stored), (cause) =>",
      },
    ],
    rules: ["bankAsksForTerms"],
    seed: 96,
  },
  {
    name: "removalNotSeen",
    defect: "A cancellation that reached the bank and not the books leaves a charge that nobody can pay.",
    seed: 25,
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
    defect: "A charge is cancelled in the books and can still be paid at the bank.",
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
    seed: 10,
  },
  {
    name: "storedBeforeRegistered",
    defect: "A charge is stored before the bank has it, so that a repeat hands out a code that nobody can pay.",
    edits: [
      {
        file: `${service}/issueCharge.ts`,
        text: "const registered = yield* processor.register(chargeOrder(company, terms, now))",
        replacement: `const order = chargeOrder(company, terms, now)
    const early = { txid: order.txid, brCode: \`pix/\${order.txid}\`, createdAt: now }
    yield* store.insert(newCharge(company, request, early, now))
    const registered = yield* processor.register(order)`,
      },
    ],
    rules: ["bankAsksForTerms"],
  },
  {
    name: "paidNotRestored",
    defect: "A `paid` event that was superseded stays so after the refund was rejected.",
    edits: [
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: '...(checkAt !== undefined && { checkAt }) }, returns, unsent: "restore" }',
        replacement: "...(checkAt !== undefined && { checkAt }) } }",
      },
    ],
    rules: ["eventForEachTransition"],
    seed: 179,
  },
  {
    name: "refusalIsFinal",
    defect: "A refusal ends the refund while another call for it may still be carried out.",
    edits: [
      {
        file: `${charge}/Refund.ts`,
        text: "unanswered.every((calledAt) => isOld(calledAt, now))",
        replacement: "unanswered.length >= 0 || isOld(0, now)",
      },
      newIdAfterRefusal,
    ],
    rules: ["oneLiveRefund"],
    seed: 1555,
  },
  {
    name: "newIdAfterRefusal",
    defect: "The next refund has a new id though the bank doesn't have the refused one on record as refused.",
    edits: [newIdAfterRefusal],
    rules: ["oneLiveRefund", "onceForEachKey"],
    seed: 244,
  },
  {
    name: "exceptionRefundedByNewId",
    defect:
      "An exception's next refund has a new id though the bank doesn't have the refused one on record as refused.",
    edits: [
      {
        file: `${charge}/decideException.ts`,
        text: "attemptId: (attempt: number) => exceptionRefundId(payment, attempt),",
        replacement: "attemptId: (attempt: number) => exceptionRefundId(payment, attempt + exception.version),",
      },
      {
        file: `${charge}/decideException.ts`,
        text: 'state: state._tag === "Open" || state._tag === "Refunding" ? state : undefined,',
        replacement: 'state: state._tag === "Refunding" ? state : state._tag === "Open" ? {} : undefined,',
      },
    ],
    rules: ["refundsFollowRequests", "oneLiveRefund"],
    seed: 1079,
  },
  {
    name: "adoptedWhileRefundUnanswered",
    defect: "A charge adopts an exception's payment while a call for its refund may still be carried out.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "(failedRefund?.unanswered?.at(-1) ?? -Infinity) < now - lateRefundMs",
        replacement: "now > lateRefundMs",
      },
    ],
    rules: ["stateFollowsFromMoney"],
    seed: 90,
  },
  {
    name: "stalePaymentDropped",
    defect: "A payment whose commit comes too late to move its charge is not recorded.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "for (const payment of change.payments) {",
        replacement: "for (const payment of row?.charge.version === change.expectedVersion ? change.payments : []) {",
      },
    ],
    rules: ["factsAreRecorded"],
    seed: 61,
  },
  {
    name: "staleReturnDropped",
    defect: "A return whose commit comes too late to move its charge is not recorded.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "change.returns.filter(({ endToEndId }) => !foreignPayments.has(endToEndId)),",
        replacement: "moved || change.next === undefined ? change.returns : [],",
      },
    ],
    rules: ["factsAreRecorded"],
    seed: 1309,
  },
  {
    name: "returnMovesNoVersion",
    defect:
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
    seed: 1309,
  },
  {
    name: "partlyReturnedRefunded",
    defect: "A payment of which a part went back is refunded as a whole.",
    edits: [
      {
        file: `${charge}/decideRefund.ts`,
        text: "if (back + amountCents > payment.amountCents)",
        replacement: "if (back > payment.amountCents)",
      },
    ],
    rules: ["neverMoreBackThanPaid"],
    seed: 75,
  },
  {
    name: "unnamedPaymentSettles",
    defect: "A payment that names no charge settles one all the same.",
    edits: [
      {
        file: `${service}/recordReceivedPayment.ts`,
        text: "const charge = named ?? (yield* findByPayment(notice))",
        replacement: `const some = yield* lists.charges(notice.issuer, { from: 0, until: notice.paidAt }, { limit: 1 })
    const own = named ?? (yield* findByPayment(notice))
    const charge = own ?? (notice.txid === undefined ? some.items[0] : undefined)`,
      },
    ],
    rules: ["booksMatchBank"],
    seed: 10,
  },
  {
    name: "unmatchedPaymentInvented",
    defect: "With a payment that names no charge, another is recorded that the bank doesn't have.",
    edits: [
      {
        file: `${memory}/MemoryChargeStore.ts`,
        text: "if (company.payments.has(payment.endToEndId) || !claim(payment)) return false",
        replacement: `if (company.payments.has(payment.endToEndId) || !claim(payment)) return false
        const { txid: _, ...rest } = payment
        recordPayment(company, { ...rest, endToEndId: \`\${rest.endToEndId}+\` })`,
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "paidBeforeMoney",
    defect: "Who asks for a charge that waits for its payment is told that it is paid.",
    edits: [
      {
        file: `${service}/PixCharges.ts`,
        text: "find: (issuer, id) => moves.load({ issuer, id }),",
        replacement: `find: (issuer, id) =>
        Effect.map(moves.load({ issuer, id }), (charge) => {
          if (charge._tag !== "Pending") return charge
          const { createdAt: paidAt, amountCents, txid: endToEndId } = charge
          const oddities = { late: false, otherAmount: false }
          const payment = { issuer, endToEndId, chargeId: id, amountCents, paidAt, recordedAt: paidAt, ...oddities }
          return { ...charge, _tag: "Paid", payment }
        }),`,
      },
    ],
    // With other seeds the reconciler asks first, and checks a charge that reads as paid no more.
    rules: ["paidMeansMoney"],
    seed: 6,
  },
  {
    name: "refundedReadsPaid",
    defect: "Who asks for a charge whose money went back is told that it is paid.",
    edits: [
      {
        file: `${service}/PixCharges.ts`,
        text: "find: (issuer, id) => moves.load({ issuer, id }),",
        replacement: `find: (issuer, id) =>
        Effect.map(moves.load({ issuer, id }), (charge) =>
          charge._tag === "Refunding" || charge._tag === "Refunded" ? { ...charge, _tag: "Paid" } : charge,
        ),`,
      },
    ],
    rules: ["answersAreStored"],
    seed: 25,
  },
  {
    name: "eventInHundredths",
    defect: "An event tells of a hundred times the amount that was paid.",
    edits: [
      {
        file: `${charge}/PixEvent.ts`,
        text: "amountCents: charge.payment.amountCents,",
        replacement: "amountCents: (100 * charge.payment.amountCents) as typeof charge.payment.amountCents,",
      },
    ],
    rules: ["eventForEachTransition"],
  },
  {
    name: "exceptionReturnNotRecorded",
    defect: "An exception is refunded, and the return is not recorded before the bank's list tells of it.",
    edits: [
      {
        file: `${charge}/decideException.ts`,
        text: "refundId: refund?.id ?? last.id, refundedAt: last.returnedAt }, returns }",
        replacement: "refundId: refund?.id ?? last.id, refundedAt: last.returnedAt }, returns: [] }",
      },
    ],
    rules: ["stateFollowsFromMoney"],
  },
  {
    name: "exceptionProcessingIsReturned",
    defect: "An exception's refund counts as carried out while the bank still works on it.",
    edits: [
      {
        file: `${service}/refundException.ts`,
        text: "const pursue = makePursueRefund<PaymentException, ExceptionMoveError>(processor, {",
        replacement: `const hasty: typeof processor = {
    ...processor,
    refund: (order) =>
      Effect.map(processor.refund(order), (answer) =>
        answer._tag === "Processing" ? { _tag: "Returned", returnedAt: 0 } : answer,
      ),
  }
  const pursue = makePursueRefund<PaymentException, ExceptionMoveError>(hasty, {`,
      },
    ],
    rules: ["booksMatchBank"],
    seed: 10,
  },
]
