import { decodeBrCode } from "@pixcharge/core/brcode"
import type { Txid } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { failRejected } from "../processor/refusals.ts"
import type { PspWays } from "../profiles/PspProfile.ts"
import { readCreation } from "../wire/Cob.ts"
import { readFields } from "../wire/Reader.ts"
import { walkedBody } from "../wire/bodies.ts"
import { type ApiPath, chargePath, codePath } from "../wire/paths.ts"
import { ask, findAbsentKind, type ProfilePatch, type Walked } from "./Walk.ts"

const hourMs = 3_600_000
/** The assumed maximum difference between our clock and the bank's. */
const skewMs = hourMs / 2

type Fields = Readonly<Record<string, unknown>>

const findCodes = (answer: Fields) => {
  const found = Object.entries(answer).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1].startsWith("000201"),
  )
  return { names: found.map(([name]) => name), code: found[0]?.[1] }
}

const patchNames = ({ codeFields }: PspWays, names: ReadonlyArray<string>): ProfilePatch =>
  names.length === 0 || names.some((name) => name === "pixCopiaECola" || codeFields.includes(name))
    ? {}
    : { codeFields: [...codeFields, ...names] }

const patchLocation = ({ codeLocation }: PspWays, charge: Fields, code: string): ProfilePatch => {
  const location = charge["location"] ?? readFields(charge["loc"])["location"]
  const read = decodeBrCode(code, "lenient")
  if (typeof location !== "string" || Result.isFailure(read) || read.success.code._tag !== "Dynamic") return {}
  const plain = (url: string) => url.replace(/^https?:\/\//, "").toLowerCase()
  const seen = plain(read.success.code.url) === plain(location) ? "same" : "other"
  return seen === codeLocation ? {} : { codeLocation: seen }
}

const patchCode = Effect.fnUntraced(function* ({ client }: Walked, txid: Txid, charge: Fields) {
  const { profile } = client
  const inCharge = findCodes(charge)
  if (inCharge.code !== undefined) {
    const from: ProfilePatch = profile.codeFrom === "charge" ? {} : { codeFrom: "charge" }
    return { ...from, ...patchNames(profile, inCharge.names), ...patchLocation(profile, charge, inCharge.code) }
  }
  const coded = yield* ask(client, { method: "GET", path: codePath(txid, false) })
  const apart = findCodes(Result.getOrElse(coded, () => ({})))
  if (apart.code === undefined) return {}
  const from: ProfilePatch = profile.codeFrom === "codeCall" ? {} : { codeFrom: "codeCall" }
  return { ...from, ...patchNames(profile, apart.names), ...patchLocation(profile, charge, apart.code) }
})

/** The charge was just created, so a difference of three hours shows Brasília's zone. */
const patchInstants = ({ localInstants }: PspWays, charge: Fields, now: number): ProfilePatch => {
  const text = readCreation(charge)
  if (typeof text !== "string") return {}
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text)
  const behindMs = now - Date.parse(hasZone ? text : `${text}Z`)
  if (Math.abs(behindMs + 3 * hourMs) < skewMs) return { zonelessInstants: "utc" }
  if (Math.abs(behindMs - 3 * hourMs) > skewMs) return {}
  return hasZone ? { localInstants: [...localInstants, "GET immediate"] } : { zonelessInstants: "brasilia" }
}

const readReais = ({ valor }: Fields): number => Number(readFields(valor)["original"])

const isPatched = Effect.fnUntraced(function* ({ client, pixKey }: Walked, path: ApiPath) {
  yield* ask(client, { method: "PATCH", path, body: walkedBody(pixKey, "12.00") })
  const charge = yield* Effect.fromResult(yield* ask(client, { method: "GET", path }))
  return readReais(charge) === 12
})

export const walkCharge = Effect.fnUntraced(
  function* (walked: Walked, txid: Txid) {
    const { client } = walked
    const { profile } = client
    const path = chargePath(txid, false)
    const absent = yield* ask(client, { method: "GET", path })
    const put = (reais: string) => ask(client, { method: "PUT", path, body: walkedBody(walked.pixKey, reais) })
    yield* Effect.fromResult(yield* put("11.00"))
    const again = yield* put("11.50")
    const charge = yield* Effect.fromResult(yield* ask(client, { method: "GET", path }))
    const alters = Result.isSuccess(again) && readReais(charge) === 11.5
    const seen = Result.isFailure(again) ? "refuses" : alters ? "alters" : profile.putOnExisting
    const changes = alters || (yield* isPatched(walked, path)) ? "offered" : "missing"
    return {
      ...findAbsentKind(profile, absent),
      ...(seen !== profile.putOnExisting && { putOnExisting: seen }),
      ...(changes !== profile.changes && { changes }),
      ...(yield* patchCode(walked, txid, charge)),
      ...patchInstants(profile, charge, yield* client.clock.now),
    } satisfies ProfilePatch
  },
  Effect.catchTag("PspRefusal", failRejected("walk")),
)
