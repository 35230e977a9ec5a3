import * as Schema from "effect/Schema"
import { type ChargeRequestField, InvalidChargeRequest } from "../model/charge/ChargeRequest.ts"
import { maximumChargeCents } from "../model/money/Money.ts"
import { integerOf } from "./codec.ts"
import { optional } from "./optional.ts"

type FeesField = ChargeRequestField & `fees.${string}`

const ruleOf = (field: ChargeRequestField): string => new InvalidChargeRequest({ field }).message

const share = (field: FeesField) => ({
  amountCents: optional(
    integerOf(ruleOf(field), { description: "Centavos.", keywords: { minimum: 1, maximum: maximumChargeCents } }),
  ),
  basisPoints: optional(
    integerOf(ruleOf(field), {
      description: "Basis points: 200 is 2 %.",
      keywords: { minimum: 1, maximum: 1_000_000 },
    }),
  ),
})

const days = Schema.Literals(["calendar", "business"])

const orNone = <Part extends Schema.Codec<unknown, unknown>>(field: FeesField, part: Part) =>
  optional(Schema.Union([Schema.Literal("none"), part]).annotate({ message: ruleOf(field) }))

const makeTiers = () =>
  Schema.Array(
    Schema.Struct({
      daysBefore: optional(
        integerOf(ruleOf("fees.discount"), {
          description: "Calendar days before the due date.",
          keywords: { minimum: 0, maximum: 3_650 },
        }),
      ),
      date: optional(Schema.String.annotate({ description: "The last day of the tier: YYYY-MM-DD." })),
      ...share("fees.discount"),
    }),
  )

const makeParts = () =>
  Schema.Struct({
    fine: orNone("fees.fine", Schema.Struct({ kind: Schema.Literals(["fixed", "percent"]), ...share("fees.fine") })),
    interest: orNone(
      "fees.interest",
      Schema.Struct({
        kind: Schema.Literals(["fixedPerDay", "percentPerDay", "percentPerMonth", "percentPerYear"]),
        days,
        ...share("fees.interest"),
      }),
    ),
    abatement: orNone(
      "fees.abatement",
      Schema.Struct({ kind: Schema.Literals(["fixed", "percent"]), ...share("fees.abatement") }),
    ),
    discount: orNone(
      "fees.discount",
      Schema.Struct({
        kind: Schema.Literals(["fixedUntil", "percentUntil", "fixedPerDayEarly", "percentPerDayEarly"]),
        days: optional(days),
        tiers: optional(makeTiers()),
        ...share("fees.discount"),
      }),
    ),
  })

export const makeFees = () =>
  Schema.Union([Schema.Literal("none"), makeParts()]).annotate({
    message: ruleOf("fees"),
    description: "The fees of this charge. A part left out is the registration's.",
  })
