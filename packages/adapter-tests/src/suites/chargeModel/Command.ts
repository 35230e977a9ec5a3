import fc from "fast-check"

/** The number of charges. The last one belongs to another company and has the id of the first one. */
export const chargeCount = 4
/** The number of endToEndIds of a company. It is small, so several charges claim the same id. */
export const paymentCount = 5

/** The outcome of a refund at the processor, if the service calls the processor. */
export type RefundScript = "returned" | "processing" | "rejected" | "unreachable" | "answerLost"

export type Command =
  | { readonly _tag: "Issue"; readonly charge: number; readonly amountCents: number }
  | { readonly _tag: "Pay"; readonly charge: number; readonly payment: number }
  | { readonly _tag: "Refund"; readonly charge: number; readonly script: RefundScript }
  | {
      readonly _tag: "RefundPart"
      readonly charge: number
      readonly key: string
      readonly amountCents: number
      readonly script: RefundScript
    }
  | { readonly _tag: "EndRefund"; readonly charge: number; readonly how: "returned" | "rejected" }
  | { readonly _tag: "Cancel"; readonly charge: number }
  /** The processor returns money: half of the payment under id 0 and under id 1, all of it under id 2. */
  | {
      readonly _tag: "ReturnOutside"
      readonly charge: number
      readonly payment: number | "settling"
      readonly id: 0 | 1 | 2
    }
  | { readonly _tag: "Deliver"; readonly arrives: boolean }
  | { readonly _tag: "Wait"; readonly minutes: number }

const charge = fc.nat({ max: chargeCount - 1 })
const payment = fc.nat({ max: paymentCount - 1 })

const script = fc.constantFrom<RefundScript>("returned", "processing", "rejected", "unreachable", "answerLost")

/** Any command. Commands that create something are more frequent. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Issue" as const),
      charge,
      amountCents: fc.constantFrom(1000, 1000, 1000, 1001),
    }),
  },
  { weight: 6, arbitrary: fc.record({ _tag: fc.constant("Pay" as const), charge, payment }) },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Refund" as const),
      charge,
      script,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("RefundPart" as const),
      charge,
      key: fc.constantFrom("a", "b"),
      amountCents: fc.constantFrom(400, 600, 600, 1000),
      script,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("EndRefund" as const),
      charge,
      how: fc.constantFrom("returned" as const, "rejected" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Cancel" as const), charge }) },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("ReturnOutside" as const),
      charge,
      payment: fc.oneof(fc.constant("settling" as const), payment),
      id: fc.constantFrom(0 as const, 1 as const, 2 as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Deliver" as const), arrives: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Wait" as const), minutes: fc.constantFrom(1, 11) }) },
)
