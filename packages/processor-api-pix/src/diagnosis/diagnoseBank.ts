import type { DiagnosisOrder, Finding, ProcessorUnavailable } from "@pixcharge/core"
import { chargeTxid, parseChargeId } from "@pixcharge/core/charges"
import { type Cnpj, normalizeTaxId, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { type ApiPixCompanies, Connections } from "../client/Connections.ts"
import type { PspClient } from "../client/PspClient.ts"
import { ApiPixMisconfigured } from "../connection/ApiPixConnection.ts"
import { describeDemands } from "../connection/findConnectionFlaw.ts"
import { checkSecrets, noticeAddress, type NoticeSecrets } from "../notices/noticeAddress.ts"
import { makeFirstPlace } from "../processor/ListPlace.ts"
import { findChargeOrFail } from "../processor/chargeCalls.ts"
import { listRecurrences } from "../recurrences/findRecurrence.ts"
import { findWebhook, findWebhookPath, recurrenceWebhookPaths } from "../notices/registerWebhook.ts"
import { PspRefusal } from "../wire/Problem.ts"
import { walkBank } from "./walkBank.ts"

const toFinding = (check: string, status: Finding["status"], message: string): Finding => ({ check, status, message })

/** In our words: the bank's can contain personal data. */
const readReason = (error: ProcessorUnavailable | PspRefusal): string => {
  if (error._tag === "PspRefusal") return `the bank refuses the call (HTTP ${error.status})`
  return typeof error.cause === "string" ? error.cause : "the bank doesn't answer"
}

/** Looks up a charge that no bank has. A clean 404 proves that the token works and can read. */
const checkCredentials = Effect.fnUntraced(function* (client: PspClient, issuer: Cnpj) {
  const id = Result.getOrThrow(parseChargeId(randomUUID()))
  const check = `bank of ${issuer}`
  const found = yield* Effect.result(findChargeOrFail(client, chargeTxid(issuer, id), false))
  const [tokenUrl, ...others] = client.tokenUrls.list()
  const where = others.length === 0 ? "" : ` at ${tokenUrl}`
  if (Result.isSuccess(found)) return toFinding(check, "ok", `it gives a token${where}, and accepts it`)
  const { failure } = found
  if (failure._tag === "ProcessorUnavailable" && failure.cause instanceof PspRefusal) {
    return toFinding(
      check,
      "skipped",
      "it gives a token, but its bare answer to a look-up (404, 204) can be the bank's or a proxy's: check baseUrl",
    )
  }
  return toFinding(check, "failed", `${readReason(failure)}: check ${describeDemands(client.profile)}`)
})

const checkWebhook = Effect.fnUntraced(function* (
  client: PspClient,
  issuer: Cnpj,
  pixKey: string | undefined,
  address: string | undefined,
) {
  const check = `webhook of ${issuer}`
  if (pixKey === undefined)
    return toFinding(check, "skipped", "name the company's Pix key to have its webhook looked up")
  if (address === undefined) return toFinding(check, "skipped", "its address can't be known without notice secrets")
  const found = yield* Effect.result(findWebhook(client, findWebhookPath(client.profile, pixKey), "diagnose"))
  if (Result.isFailure(found))
    return toFinding(check, "failed", `${readReason(found.failure)}: check the scope webhook.read`)
  if (found.success === undefined)
    return toFinding(check, "failed", "the bank has none for the key: call registerWebhook")
  return found.success.endsWith(`${address}${client.profile.webhookSuffix}`)
    ? toFinding(check, "ok", "the bank calls our route")
    : toFinding(
        check,
        "failed",
        "the bank calls another address: call registerWebhook, and see that it is mounted there",
      )
})

const listedMs = 60_000

const checkRecurrences = Effect.fnUntraced(function* (
  client: PspClient,
  issuer: Cnpj,
  addresses: ReadonlyArray<string>,
) {
  const check = `recurrences of ${issuer}`
  const to = yield* client.clock.now
  const from = to - listedMs
  const shown = yield* Effect.result(listRecurrences(client, {}, { from, to }, makeFirstPlace(from, client.profile)))
  if (Result.isFailure(shown)) {
    const why = readReason(shown.failure)
    return toFinding(check, "failed", `${why}: check the scope rec.read, and that its contract covers recurrences`)
  }
  if (addresses.length === 0) return toFinding(check, "ok", "the bank shows them")
  const found = yield* Effect.result(
    Effect.forEach(recurrenceWebhookPaths, (path) => findWebhook(client, path, "diagnose")),
  )
  if (Result.isFailure(found)) {
    const why = readReason(found.failure)
    return toFinding(check, "failed", `${why}: check the scopes webhookrec.read and webhookcobr.read`)
  }
  const isOurs = (url = "") => addresses.some((address) => url.endsWith(`${address}${client.profile.webhookSuffix}`))
  return found.success.every(isOurs)
    ? toFinding(check, "ok", "the bank shows them, and calls our route")
    : toFinding(check, "failed", "the bank doesn't call our route for them: call registerWebhook")
})

const readWhyNotOpened = ({ cause }: ProcessorUnavailable): string =>
  cause instanceof ApiPixMisconfigured
    ? cause.message
    : "its API Pix connection is unknown or unavailable: see apiPix({ companies })"

interface NamedCompany {
  readonly issuer: Cnpj
  readonly pixKey: string | undefined
}

const checkCompany = Effect.fnUntraced(function* (
  { issuer, pixKey }: NamedCompany,
  { noticesPath, noticeSecrets: secrets }: Pick<DiagnosedBank, "noticesPath" | "noticeSecrets">,
  walk: DiagnosisOrder["walk"],
) {
  const { forCompany, sharingWith } = yield* Connections
  const opened = yield* Effect.result(forCompany(issuer))
  if (Result.isFailure(opened)) return [toFinding(`bank of ${issuer}`, "failed", readWhyNotOpened(opened.failure))]
  const client = opened.success
  const credentials = yield* checkCredentials(client, issuer)
  const walked = walk && pixKey !== undefined ? yield* walkBank({ client, issuer, pixKey }, walk) : []
  if (credentials.status === "failed") return [credentials, ...walked]
  const toAddresses = (company: Cnpj) => (secrets ? [`${noticesPath}${noticeAddress(secrets, company)}`] : [])
  const [address] = toAddresses(issuer)
  const webhook = yield* checkWebhook(client, issuer, pixKey, address)
  if (Result.isFailure(client.receivingAccount)) return [credentials, webhook, ...walked]
  const sharing = yield* Effect.orElseSucceed(sharingWith(issuer), () => [issuer])
  const recurrences = yield* checkRecurrences(client, issuer, sharing.flatMap(toAddresses))
  return [credentials, webhook, recurrences, ...walked]
})

const checkNoticeSecrets = (secrets: NoticeSecrets | undefined): Finding => {
  const checked = Effect.runSync(Effect.result(checkSecrets(secrets)))
  return Result.isSuccess(checked)
    ? toFinding("notice secrets", "ok", "they are long enough")
    : toFinding("notice secrets", "failed", checked.failure.message)
}

export interface DiagnosedBank {
  readonly companies: ApiPixCompanies
  readonly noticesPath: string
  readonly noticeSecrets: NoticeSecrets | undefined
}

const checkAll = Effect.fnUntraced(function* (bank: DiagnosedBank, order: DiagnosisOrder) {
  const { companies, noticesPath, noticeSecrets } = bank
  const keys = new Map(Object.entries(order.companies ?? {}).map(([cnpj, key]) => [normalizeTaxId(cnpj), key]))
  const recorded = typeof companies === "function" ? [] : Object.keys(companies).map(normalizeTaxId)
  const named = new Set([...recorded, ...keys.keys()])
  const secrets = checkNoticeSecrets(noticeSecrets)
  const findings: Array<Finding> = [secrets]
  if (named.size === 0) findings.push(toFinding("bank", "skipped", "name a company to have its bank called"))
  for (const written of named) {
    const issuer = parseCnpj(written)
    if (Result.isFailure(issuer)) findings.push(toFinding("bank", "failed", issuer.failure.message))
    else {
      const company = { issuer: issuer.success, pixKey: keys.get(written) }
      const usable = secrets.status === "ok" ? noticeSecrets : undefined
      findings.push(...(yield* checkCompany(company, { noticesPath, noticeSecrets: usable }, order.walk)))
    }
  }
  return findings
})

/**
 * Checks that the banks give and accept a token, and call our route for the named keys. With a function of the host, checks only
 * the named companies.
 */
export const diagnoseBank = (
  bank: DiagnosedBank,
  order: DiagnosisOrder,
  connections: Layer.Layer<Connections, ApiPixMisconfigured>,
): Effect.Effect<ReadonlyArray<Finding>> =>
  checkAll(bank, order).pipe(
    Effect.provide(connections),
    Effect.catchTag("ApiPixMisconfigured", ({ message }) => Effect.succeed([toFinding("bank", "failed", message)])),
  )
