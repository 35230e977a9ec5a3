import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  type ChargeRequest,
  type ChargeRequestField,
  InvalidChargeRequest,
  maxAdditionalInfo,
  maxValiditySeconds,
  minValiditySeconds,
  parseChargeRequest,
} from "../model/charge/ChargeRequest.ts"
import { maxMetadata, maxMetadataValue } from "../model/charge/ShopTexts.ts"
import type { ChargeRequestInput as PlainRequest } from "../model/charge/ChargeRequestInput.ts"
import { maxEmailLength, maxNameLength } from "../model/charge/ChargePayer.ts"
import { maxGraceDays } from "../model/charge/RequestedTerms.ts"
import { maximumChargeCents, minimumChargeCents } from "../model/money/Money.ts"
import { Cents } from "./Cents.ts"
import { makeFees } from "./ChargeFees.ts"
import { declaredType, type Form, integerOf, parsedCodec, type Refusal, textOf, uuidKeywords } from "./codec.ts"
import { ChargeId, LocalDate, TaxId } from "./TextCodecs.ts"
import { optional } from "./optional.ts"

type Keywords = Form["keywords"]

const ruleOf = (field: ChargeRequestField): string => new InvalidChargeRequest({ field }).message

const text = (field: ChargeRequestField, description: string, keywords: Keywords) =>
  textOf(ruleOf(field), { description, keywords }).annotateKey({ messageMissingKey: ruleOf(field) })

const wholeNumber = (field: ChargeRequestField, description: string, keywords: Keywords) =>
  integerOf(ruleOf(field), { description, keywords }).annotateKey({ messageMissingKey: ruleOf(field) })

const makeAddress = () =>
  Schema.Struct({
    street: text("payer.address", "Street, number and district.", { minLength: 1, maxLength: maxNameLength }),
    city: text("payer.address", "The city.", { minLength: 1, maxLength: maxNameLength }),
    state: text("payer.address", "The state, like SP.", { pattern: "^[A-Z]{2}$" }),
    postalCode: text("payer.address", "The CEP.", { pattern: "^\\d{5}-?\\d{3}$" }),
  }).annotate({ message: ruleOf("payer.address"), description: "The payer's address, only with a due date." })

const makePayer = () =>
  Schema.Struct({
    name: text("payer.name", "The payer's name.", { minLength: 1, maxLength: maxNameLength }),
    taxId: text("payer.taxId", "The payer's CPF or CNPJ, valid, with any punctuation.", { minLength: 11 }),
    email: optional(
      text("payer.email", "The payer's e-mail address, only with a due date.", { maxLength: maxEmailLength }),
    ),
    address: optional(makeAddress()),
  }).annotate({ message: ruleOf("payer.name"), description: "Who is asked to pay. Without it, a generic payer is." })

const makeAdditionalInfo = () =>
  Schema.Array(
    Schema.Struct({
      name: text("additionalInfo", "1 to 50 characters of ISO 8859-1.", { minLength: 1 }),
      value: text("additionalInfo", "1 to 200 characters of ISO 8859-1.", { minLength: 1 }),
    }).annotate({ message: ruleOf("additionalInfo") }),
  )
    .annotate({ message: ruleOf("additionalInfo"), description: "Lines that the payer's bank shows." })
    .check(Schema.isMaxLength(maxAdditionalInfo, { message: ruleOf("additionalInfo") }))

const makeMetadata = () =>
  Schema.Record(Schema.String, text("metadata", "Up to 500 characters.", { maxLength: maxMetadataValue }))
    .annotate({
      message: ruleOf("metadata"),
      description: "Up to 20 texts of yours, by names of 1 to 40 characters: not shown to payers.",
    })
    .check(Schema.isMaxProperties(maxMetadata, { message: ruleOf("metadata") }))

const makeWire = () =>
  Schema.Struct({
    id: text("id", "A UUID that the caller makes: the same id is the same charge.", uuidKeywords),
    amountCents: wholeNumber("amount", "The amount in centavos: 1990 is R$ 19,90.", {
      minimum: minimumChargeCents,
      maximum: maximumChargeCents,
    }),
    dueDate: optional(
      text("dueDate", "The due date in Brasília. Without it, the charge is immediate.", {
        pattern: "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2})?$",
      }),
    ),
    payer: optional(makePayer()),
    payableForSeconds: optional(
      wholeNumber("payableForSeconds", "How long a charge without a due date is payable; by default 600.", {
        minimum: minValiditySeconds,
        maximum: maxValiditySeconds,
      }),
    ),
    messageToPayer: optional(
      text("messageToPayer", "Shown by the payer's bank: 1 to 140 characters of ISO 8859-1.", { minLength: 1 }),
    ),
    additionalInfo: optional(makeAdditionalInfo()),
    fees: optional(makeFees()),
    graceDays: optional(
      wholeNumber("graceDays", "How many days the charge stays payable after its due date, only with a due date.", {
        minimum: 1,
        maximum: maxGraceDays,
      }),
    ),
    reference: optional(
      text("reference", "Your name for the charge, such as an order number: not shown to payers.", { minLength: 1 }),
    ),
    metadata: optional(makeMetadata()),
  } satisfies Readonly<Record<keyof PlainRequest, unknown>>).annotate({
    identifier: "ChargeRequestInput",
    message: ruleOf("id"),
    description: "The charge to issue.",
  })

type Wire = ReturnType<typeof makeWire>["Type"]

const pathOf = (field: ChargeRequestField): ReadonlyArray<string> =>
  field === "amount" ? ["amountCents"] : field.split(".")

const parse = (input: Wire): Result.Result<ChargeRequest, Refusal> =>
  Result.mapError(parseChargeRequest(input as PlainRequest), ({ message, field }) => ({ message, path: pathOf(field) }))

const write = ({ requested, ...request }: ChargeRequest): Wire => ({ ...request, ...requested }) as Wire

const isValue = (request: ChargeRequest): boolean => Equal.equals(Result.getOrUndefined(parse(write(request))), request)

const makeSample = () =>
  Schema.Struct({
    id: Schema.toType(ChargeId),
    amountCents: Schema.toType(Cents).check(
      Schema.isBetween({ minimum: minimumChargeCents, maximum: maximumChargeCents }),
    ),
    dueDate: Schema.optionalKey(Schema.toType(LocalDate)),
    payer: Schema.optionalKey(
      Schema.Struct({
        name: Schema.String.check(Schema.isPattern(/^[A-Z][a-z]{1,19}$/)),
        taxId: Schema.toType(TaxId),
      }),
    ),
  })

const makeCodec = (): Schema.Codec<ChargeRequest, Wire> =>
  parsedCodec(makeWire(), declaredType("ChargeRequest", isValue, makeSample()), {
    parse,
    write: (request) => Result.succeed(write(request)),
  })

/** A host's plain values on the wire, decoded to the `ChargeRequest` that `PixCharges` issues. */
export const ChargeRequestInput = /* @__PURE__ */ makeCodec()
