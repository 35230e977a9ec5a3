import { type KnownProfile, type PspStage, type PspValue, standardProfile } from "@pixcharge/processor-api-pix"
import { credentialNames } from "../../src/profiles/PspProfile.ts"

export interface ChangedProfile {
  readonly what: string
  readonly profile: KnownProfile
}

type Change = readonly [what: string, value: unknown]

const choices: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  clientAuthentication: ["basic", "body", "certificate", "fixedToken", "headers"],
  tokenBody: ["form", "json"],
  certificate: ["required", "none"],
  putOnExisting: ["alters", "refuses"],
  changes: ["offered", "missing"],
  codeFrom: ["charge", "codeCall"],
  codeLocation: ["same", "other"],
  returnReason: ["sent", "leftOut"],
  dueDateCharges: ["offered", "missing"],
  recurrences: ["offered", "withDebtor", "missing"],
  zonelessInstants: ["utc", "brasilia"],
  emptyList: ["page", "missing"],
  webhookKey: ["asIs", "withoutPlus"],
  firstPage: [0, 1],
  counted: ["together", "each"],
}

/** The values that a change adds to lists, objects and absent fields. */
const additions: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  apiPaths: [{ "PUT dueDate": "/other" }, { "DELETE webhook": "/other" }],
  tokenUrl: ["https://login.other.example/token"],
  tokenQuery: [{ other: "1" }],
  tokenHeaders: [{ other: "1" }],
  headers: [{ other: "1" }],
  query: [{ other: "1" }],
  skipWebhookMtlsHeaders: [{ other: "1" }],
  codeFields: ["brcode", "emv", "textoImagemQRcode"],
  localInstants: ["GET immediate", "GET dueDate", "GET payments", "GET payment", "GET return"],
  otherTokenPaths: ["/other"],
  absentKinds: ["valor_invalido"],
  recurrenceDemands: ["receiverBranch", "payerBranch", "amount"],
  tokenRefusals: [{ status: 403, says: "forbidden" }],
  pace: [{ limits: [{ perMinute: 200 }] }],
  limits: [{ perMinute: 7 }, { perMinute: 5, calls: ["PATCH immediate"] }],
  "limits[]": [{ calls: ["GET payment"] }],
  calls: ["GET payment"],
  pauseMs: [2_000],
}

const valueChanges = (value: PspValue): ReadonlyArray<Change> => {
  if (typeof value === "string") return [["changed", `${value}x`]]
  if ("fresh" in value) return [["changed", "always the same"]]
  const { from, isOptional, otherwise } = value
  const elsewhere = credentialNames
    .filter((name) => name !== from)
    .map((name): Change => [`from ${name}`, { ...value, from: name }])
  const more: Change =
    otherwise === undefined
      ? ["optional or not", { from, ...(isOptional !== true && { isOptional: true }) }]
      : ["without another", { from }]
  return [...elsewhere, more]
}

const isValue = (value: unknown): value is PspValue =>
  typeof value === "object" && value !== null && ("from" in value || "fresh" in value)

const listPeriodChanges = (value: unknown): ReadonlyArray<Change> => {
  const { days } = Object(value) as { readonly days?: number }
  const other = days === undefined ? [{ days: 4 }] : [{ days: days + 1 }, { days: days - 1 }]
  return ["any", "month", ...other].filter((one) => one !== value).map((one) => [JSON.stringify(one), one])
}

const listElementChanges = (name: string, list: ReadonlyArray<unknown>): ReadonlyArray<Change> => [
  ...list.map((_, index) => [`[${index}] dropped`, list.toSpliced(index, 1)] as const),
  ...list.flatMap((item, index) =>
    listChanges(`${name}[]`, item).map(([what, changed]) => [`[${index}] ${what}`, list.with(index, changed)] as const),
  ),
  ...(additions[name] ?? [])
    .filter((added) => !list.includes(added))
    .map((added) => [`with ${JSON.stringify(added)}`, [...list, added]] as const),
]

const listFieldChanges = (name: string, object: Readonly<Record<string, unknown>>): ReadonlyArray<Change> => [
  ...Object.keys(object).flatMap((key): ReadonlyArray<Change> => {
    const { [key]: value, ...others } = object
    return [
      ...(key === "limits" || key === "baseUrl" ? [] : [[`without ${key}`, others] as const]),
      ...listChanges(key, value).map(([what, changed]) => [`${key} ${what}`, { ...object, [key]: changed }] as const),
    ]
  }),
  ...(additions[name] ?? []).map(
    (added) => [`with ${JSON.stringify(added)}`, { ...object, ...Object(added) }] as const,
  ),
]

const listChanges = (name: string, value: unknown): ReadonlyArray<Change> => {
  if (choices[name] !== undefined)
    return choices[name].filter((one) => one !== value).map((one) => [JSON.stringify(one), one])
  if (name === "listPeriod") return listPeriodChanges(value)
  if (value === undefined) return (additions[name] ?? []).map((one) => [JSON.stringify(one), one])
  if (isValue(value)) return valueChanges(value)
  if (Array.isArray(value)) return listElementChanges(name, value)
  if (typeof value === "number") {
    const others = value < 1_000 ? [value + 1, value - 1] : [value * 2, value / 2]
    return others.map((one) => [String(one), one])
  }
  if (typeof value === "string") return [["changed", `${value}x`]]
  return listFieldChanges(name, value as Readonly<Record<string, unknown>>)
}

/** Whether a field of the profile has no effect, because each stage overrides it or doesn't need it. */
const isIgnored = ({ production, sandbox }: KnownProfile, field: string): boolean => {
  const stages = [production, sandbox].filter((stage) => stage !== undefined)
  const isOutranked = ({ tokenUrl, clientAuthentication }: PspStage) =>
    (["tokenPath", "otherTokenPaths"].includes(field) && tokenUrl !== undefined) ||
    (["tokenPath", "otherTokenPaths", "tokenUrl"].includes(field) && clientAuthentication === "fixedToken")
  return stages.length > 0 && stages.every((stage) => Object.hasOwn(stage, field) || isOutranked(stage))
}

/**
 * Lists copies of the profile, each with one small change of one field. Fields with the standard's value are changed,
 * too.
 */
export const changesOfProfile = (profile: KnownProfile): ReadonlyArray<ChangedProfile> =>
  Object.entries({ tokenUrl: undefined, ...standardProfile, ...profile })
    .filter(([field]) => !isIgnored(profile, field))
    .flatMap(([field, value]) =>
      listChanges(field, value).map(([what, changed]) => ({
        what: `${field}: ${what}`,
        profile: { ...profile, [field]: changed },
      })),
    )
