import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  type ChargeRequest,
  type ChargeRequestField,
  InvalidChargeRequest,
  maxAdditionalInfo,
  maxNameLength,
  maxValiditySeconds,
  minValiditySeconds,
  parseChargeRequest,
} from "../model/charge/ChargeRequest.ts"
import { maximumChargeCents, minimumChargeCents } from "../model/money/Money.ts"
import { parsedCodec, type Refusal } from "./parsedCodec.ts"
import { uuidKeywords, type WireForm, wireInteger, wireText } from "./wireForms.ts"

type Keywords = WireForm["keywords"]

const ruleOf = (field: ChargeRequestField): string => new InvalidChargeRequest({ field }).message

const text = (field: ChargeRequestField, description: string, keywords: Keywords) =>
  wireText(ruleOf(field), { description, keywords }).annotateKey({ messageMissingKey: ruleOf(field) })

const wholeNumber = (field: ChargeRequestField, description: string, keywords: Keywords) =>
  wireInteger(ruleOf(field), { description, keywords }).annotateKey({ messageMissingKey: ruleOf(field) })

const makePayer = () =>
  Schema.Struct({
    name: text("payer.name", "The payer's name.", { minLength: 1, maxLength: maxNameLength }),
    taxId: text("payer.taxId", "The payer's CPF or CNPJ with right check digits, with any mask.", { minLength: 11 }),
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

const makeWire = () =>
  Schema.Struct({
    id: text("id", "A UUID that the caller makes: the same id is the same charge.", uuidKeywords),
    amountCents: wholeNumber("amount", "The amount in centavos: 1990 is R$ 19,90.", {
      minimum: minimumChargeCents,
      maximum: maximumChargeCents,
    }),
    dueDate: Schema.optionalKey(
      text("dueDate", "The due date in Brasília. Without it, the charge is immediate.", {
        pattern: "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2})?$",
      }),
    ),
    payer: Schema.optionalKey(makePayer()),
    payableForSeconds: Schema.optionalKey(
      wholeNumber("payableForSeconds", "How long a charge without a due date is payable; by default 600.", {
        minimum: minValiditySeconds,
        maximum: maxValiditySeconds,
      }),
    ),
    messageToPayer: Schema.optionalKey(
      text("messageToPayer", "What the payer's bank shows: 1 to 140 characters of ISO 8859-1.", { minLength: 1 }),
    ),
    additionalInfo: Schema.optionalKey(makeAdditionalInfo()),
  }).annotate({ identifier: "ChargeRequestInput", message: ruleOf("id"), description: "What is to be charged." })

type Wire = ReturnType<typeof makeWire>["Type"]

/** Where a field of an error stands in the input. */
const pathOf = (field: ChargeRequestField): ReadonlyArray<string> =>
  field === "amount" ? ["amountCents"] : field.split(".")

const parse = (input: Wire): Result.Result<ChargeRequest, Refusal> =>
  Result.mapError(parseChargeRequest(input), ({ message, field }) => ({ message, path: pathOf(field) }))

const makeCodec = (): Schema.Codec<ChargeRequest, Wire> =>
  parsedCodec(makeWire(), {
    name: "ChargeRequest",
    parse,
    write: Result.succeed,
  })

/** The plain values that a host asks with, on the wire; read, they are the `ChargeRequest` that `PixCharges` issues. */
export const ChargeRequestInput = /* @__PURE__ */ makeCodec()
