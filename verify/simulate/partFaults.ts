import type { PlantedFault } from "./PlantedFault.ts"

const charge = "packages/core/src/charge"
const service = "packages/core/src/service"

/** Faults of partial refunds. */
export const partFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "partBesidePart",
    defect: "A partial refund begins while another one is under way.",
    edits: [
      {
        file: `${charge}/decidePartialRefund.ts`,
        text: "if (open !== undefined && open.key !== key) {",
        replacement: "if (open !== undefined && open.key === key && open.rejection === key) {",
      },
    ],
    rules: ["oneLiveRefund"],
  },
  {
    name: "wholeBesidePart",
    defect: "A refund of all that was paid begins while a partial refund is under way.",
    edits: [
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: 'charge._tag === "Paid" && openPart(charge, now) !== undefined) {',
        replacement: 'charge._tag === "Paid" && openPart(charge, now)?.key === "") {',
      },
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: 'state: charge._tag === "Refunded" || livePart(charge) !== undefined ? undefined : charge,',
        replacement: 'state: charge._tag === "Refunded" || livePart(charge)?.key === "" ? undefined : charge,',
      },
    ],
    rules: ["oneLiveRefund"],
    seed: 25,
  },
  {
    name: "keyReturnsTwice",
    defect: "A partial refund that was carried out is made once more when it is asked for again.",
    edits: [
      {
        file: `${charge}/decidePartialRefund.ts`,
        text: 'if (known !== undefined && status !== "failed") return Result.succeed(stay)',
        replacement: 'if (known !== undefined && status === "refunding") return Result.succeed(stay)',
      },
      {
        file: `${charge}/decidePartialRefund.ts`,
        text: "state: failedRefund === undefined ? (part ?? {}) : { failedRefund },",
        replacement:
          "state: failedRefund === undefined ? (part !== undefined && charge.returns.some(({ id }) => id === part.refund.id) ? {} : (part ?? {})) : { failedRefund },",
      },
    ],
    rules: ["onceForEachKey"],
    seed: 51,
  },
  {
    name: "keyHasNoIdOfItsOwn",
    defect: "A partial refund that is asked for under another key takes the id of one that went back.",
    edits: [
      {
        file: `${charge}/decidePartialRefund.ts`,
        text: "attemptId: (attempt) => partialRefundId(charge.payment, key, attempt),",
        replacement: 'attemptId: (attempt) => partialRefundId(charge.payment, "", attempt),',
      },
    ],
    rules: ["onceForEachKey"],
    seed: 121,
  },
  {
    name: "keyWithOtherCents",
    defect: "Who asks for other cents under the same key is told that they are returned.",
    edits: [
      {
        file: `${charge}/decidePartialRefund.ts`,
        text: "if ((keyCents(charge, key) ?? amountCents) !== amountCents) {",
        replacement: "if ((keyCents(charge, key) ?? amountCents) === 0) {",
      },
      {
        file: `${service}/refundCharge.ts`,
        text: "if (keyCents(charge, key) !== amountCents) return",
        replacement: "if (keyCents(charge, key) === undefined) return",
      },
    ],
    rules: ["onceForEachKey"],
    seed: 788,
  },
  {
    name: "partReturnsAll",
    defect: "For a partial refund the bank is asked to return all that was paid.",
    edits: [
      {
        file: `${service}/refundCharge.ts`,
        text: "return part && { payment, amountCents: part.amountCents, refund: part.refund }",
        replacement: "return part && { payment, amountCents: payment.amountCents, refund: part.refund }",
      },
    ],
    rules: ["refundsFollowRequests", "onceForEachKey"],
  },
  {
    name: "partBookedAsWhole",
    defect: "A partial refund that was carried out is booked as a return of all that was paid.",
    edits: [
      {
        file: `${service}/pursueRefund.ts`,
        text: "const finish = (state: S, { refund, amountCents: ordered }: RefundUnderWay,",
        replacement: "const finish = (state: S, { refund, payment: { amountCents: ordered } }: RefundUnderWay,",
      },
      {
        file: `${service}/pursueRefund.ts`,
        text: 'outcome._tag === "Returned" ? outcome.amountCents : undefined',
        replacement: "undefined",
      },
    ],
    rules: ["booksMatchBank"],
  },
  {
    name: "partForgotten",
    defect: "Nobody looks up a partial refund that has no answer.",
    edits: [
      {
        file: `${service}/reconcile/chargeChecks.ts`,
        text: "if (livePart(charge) !== undefined) return charges.resumePartialRefund(charge)",
        replacement: "if (livePart(charge) !== undefined) return Effect.succeed<Charge>(charge)",
      },
    ],
    rules: ["nothingWaitsForEver"],
    seed: 13,
  },
  {
    name: "partsEndNothing",
    defect: "A charge whose payment went back in parts stays paid.",
    edits: [
      {
        file: `${charge}/decidePartialRefund.ts`,
        text: "if (isWhollyReturned(paid.payment)(paid.returns) && livePart(paid) === undefined) {",
        replacement: 'if (isWhollyReturned(paid.payment)(paid.returns) && livePart(paid)?.key === "") {',
      },
      {
        file: `${charge}/decideChargeRefund.ts`,
        text: 'state: charge._tag === "Refunded" || livePart(charge) !== undefined ? undefined : charge,',
        replacement: 'state: charge._tag === "Refunded" || charge.partialRefunds !== undefined ? undefined : charge,',
      },
    ],
    rules: ["stateFollowsFromMoney"],
    seed: 25,
  },
]
