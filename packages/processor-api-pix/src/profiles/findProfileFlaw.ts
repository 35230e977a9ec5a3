import {
  aList,
  anObject,
  aNumber,
  aText,
  oneOf,
  optionFlaw,
  type OptionRule,
  type OptionRules,
  required,
} from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"
import { endpoints } from "../wire/paths.ts"
import {
  credentialNames,
  type KnownProfile,
  type PaceLimit,
  type PspStage,
  type PspWays,
  recurrenceDemands,
} from "./PspProfile.ts"

const isIn = (known: ReadonlyArray<unknown>, value: unknown): boolean => known.includes(value)
const isCall = (value: unknown): boolean => isIn(endpoints, value)

const readFields = (value: unknown): Readonly<Record<string, unknown>> =>
  anObject.holds(value) ? { ...Object(value) } : {}

const record = (mustBe: string, holds: (field: unknown, name: string) => boolean): OptionRule => ({
  mustBe,
  holds: (value) =>
    anObject.holds(value) && Object.entries(readFields(value)).every(([name, field]) => holds(field, name)),
})

const text: OptionRule = { mustBe: "a string", holds: Predicate.isString }
const texts = aList("texts", Predicate.isString)
const isPath = (value: unknown): boolean => typeof value === "string" && /^(?:\/|$)/.test(value)
const isUrl = (value: unknown): boolean => typeof value === "string" && /^https?:/.test(value) && URL.canParse(value)
const path: OptionRule = { mustBe: "a path that begins with /, or empty", holds: isPath }
const atLeastOne = (value: unknown): boolean => typeof value === "number" && value >= 1

const isValue = (value: unknown): boolean => {
  const { from, fresh, otherwise = from } = readFields(value)
  return typeof value === "string" || fresh === "uuid" || [from, otherwise].every((name) => isIn(credentialNames, name))
}

const values = record(
  `texts, { from: ${credentialNames.map((name) => `"${name}"`).join(" | ")} } or { fresh: "uuid" } by their names`,
  isValue,
)

const isLimit = (value: unknown): boolean => {
  const { perMinute, calls = [], counted = "together" } = readFields(value) as Partial<Record<keyof PaceLimit, unknown>>
  const areCalls = Array.isArray(calls) && calls.every((call) => call === "token" || isCall(call))
  return atLeastOne(perMinute) && areCalls && isIn(["together", "each"], counted)
}

const isPace = (value: unknown): boolean => {
  const { limits, pauseMs = 0 } = readFields(value)
  return Array.isArray(limits) && limits.every(isLimit) && typeof pauseMs === "number" && pauseMs >= 0
}

const wayRules: OptionRules<PspWays> = {
  apiPath: path,
  apiPaths: record(
    'paths or URLs by calls like "PATCH dueDate"',
    (field, name) => isCall(name) && (isPath(field) || isUrl(field)),
  ),
  tokenPath: path,
  otherTokenPaths: aList("paths that begin with /", isPath),
  tokenUrl: aText,
  clientAuthentication: oneOf("basic", "body", "certificate", "fixedToken", "headers"),
  tokenBody: oneOf("form", "json"),
  tokenQuery: values,
  tokenHeaders: values,
  scope: text,
  certificate: oneOf("required", "none"),
  headers: values,
  query: values,
  putOnExisting: oneOf("alters", "refuses"),
  changes: oneOf("offered", "missing"),
  codeFields: texts,
  codeFrom: oneOf("charge", "codeCall"),
  codeLocation: oneOf("same", "other"),
  returnReason: oneOf("sent", "leftOut"),
  dueDateCharges: oneOf("offered", "missing"),
  recurrences: oneOf("offered", "withDebtor", "missing"),
  recurrenceDemands: aList('"receiverBranch", "payerBranch" or "amount"', (value) => isIn(recurrenceDemands, value)),
  zonelessInstants: oneOf("utc", "brasilia"),
  localInstants: aList('calls like "GET payments"', isCall),
  absentKinds: texts,
  tokenRefusals: aList("objects with status and says", (value) => {
    const { status, says } = readFields(value)
    return typeof status === "number" && typeof says === "string"
  }),
  emptyList: oneOf("page", "missing"),
  listPeriod: {
    mustBe: '"any", "month" or { days } of at least 1',
    holds: (value) => isIn(["any", "month"], value) || atLeastOne(readFields(value)["days"]),
  },
  pace: { mustBe: "{ limits }, a list of { perMinute } of at least 1, with calls and counted", holds: isPace },
  pageSize: aNumber(1, 1_000),
  firstPage: { mustBe: "0 or 1", holds: (value) => isIn([0, 1], value) },
  webhookKey: oneOf("asIs", "withoutPlus"),
  webhookSuffix: text,
  skipWebhookMtlsHeaders: record("texts by their names", Predicate.isString),
}

const stageRules: OptionRules<PspStage> = { ...wayRules, baseUrl: required(aText) }

const rules: OptionRules<KnownProfile> = {
  ...wayRules,
  production: anObject,
  sandbox: anObject,
  bank: text,
  sources: aList("sources", anObject.holds),
}

/** A host's own profile can come from plain JavaScript. */
export const findProfileFlaw = (profile: object): string | undefined => {
  const flaw = optionFlaw<KnownProfile>(profile, rules)
  if (flaw !== undefined) return `in its profile: ${flaw}`
  for (const stage of ["production", "sandbox"] as const) {
    const given = readFields(profile)[stage]
    const why = given === undefined ? undefined : optionFlaw<PspStage>(given, stageRules)
    if (why !== undefined) return `in its profile's ${stage}: ${why}`
  }
  return undefined
}
