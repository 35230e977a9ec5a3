import { ProcessorUnavailable } from "@pixcharge/core"
import { Cache, hideCause, logFailure, makeRecentMap } from "@pixcharge/core/internal"
import { type Cnpj, normalizeTaxId, parseCnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
import { type ApiPixConnection, ApiPixMisconfigured } from "../connection/ApiPixConnection.ts"
import { type Connection, openConnection } from "../connection/openConnection.ts"
import { type BankClient, makePspClient } from "./PspClient.ts"

/** Each company's connection to its bank: a record by CNPJ, or a function of the host, like a look-up in a vault. */
export type ApiPixCompanies =
  | Readonly<Record<string, ApiPixConnection>>
  | ((issuer: string) => ApiPixConnection | undefined | Promise<ApiPixConnection | undefined>)

/** Of calls to the host's function and of certificate checks. The same object as before keeps the connection open. */
const maxAgeMs = 60_000
const maxCompanies = 10_000

interface Open {
  readonly issuer: Cnpj
  readonly given: ApiPixConnection
  readonly client: BankClient
  readonly connection: Connection
}

/** Each company's client, with its own certificate, token, circuit breaker and sockets. */
export class Connections extends Context.Service<
  Connections,
  {
    readonly forCompany: (issuer: Cnpj) => Effect.Effect<BankClient, ProcessorUnavailable>
    /** The companies with an open connection to the same account as this company. */
    readonly sharingWith: (issuer: Cnpj) => Effect.Effect<ReadonlyArray<Cnpj>, ProcessorUnavailable>
  }
>()("@pixcharge/processor-api-pix/Connections") {}

const makeUnavailable = (cause: unknown) => new ProcessorUnavailable({ operation: "connect", cause })

export class UnknownCompany extends ApiPixMisconfigured {
  constructor(company: Cnpj) {
    super({ company, message: `apiPix has no connection of ${company}: add it to companies.` })
  }
}

const failUnknown = (issuer: Cnpj) => makeUnavailable(new UnknownCompany(issuer))

const makeOpener = Effect.fnUntraced(function* (maxCount: number) {
  const scope = yield* Effect.scope
  const open = makeRecentMap<Cnpj, Open>(maxCount)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => open.values().forEach(({ connection }) => connection.transport.close())),
  )
  const checkCertificate = makeCertificateWatch(maxCount)
  const checkAllCertificates = Effect.suspend(() =>
    Effect.forEach(open.values(), ({ issuer, connection }) => checkCertificate(issuer, connection), { discard: true }),
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(maxAgeMs), checkAllCertificates)))

  const openClient = (issuer: Cnpj, given: ApiPixConnection): BankClient => {
    const known = open.get(issuer)
    if (known?.given === given) return known.client
    const connection = openConnection(issuer, given)
    // A renewed connection keeps the count of recent calls, because the bank keeps counting them.
    const isSamePace = isDeepStrictEqual(known?.connection.profile.pace, connection.profile.pace)
    const client = makePspClient(connection, scope, isSamePace ? known?.client.pace : undefined)
    open.set(issuer, { issuer, given, client, connection })
    return client
  }

  return {
    openClient: (issuer: Cnpj, given: ApiPixConnection) =>
      Effect.try({ try: () => openClient(issuer, given), catch: (error) => error as ApiPixMisconfigured }),
    find: (issuer: Cnpj) => open.get(issuer)?.client,
    makeService: (forCompany: (issuer: Cnpj) => Effect.Effect<BankClient, ProcessorUnavailable>) =>
      Connections.of({
        forCompany,
        sharingWith: (issuer) =>
          Effect.map(forCompany(issuer), ({ accountKey }) =>
            open.values().flatMap((one) => (one.client.accountKey === accountKey ? one.issuer : [])),
          ),
      }),
  }
})

const readCnpj = (written: string): Effect.Effect<Cnpj, ApiPixMisconfigured> =>
  Effect.mapError(
    Effect.fromResult(parseCnpj(normalizeTaxId(written))),
    ({ message }) => new ApiPixMisconfigured({ message: `companies must have CNPJs as its keys. ${message}` }),
  )

const openRecord = Effect.fnUntraced(function* (companies: Readonly<Record<string, ApiPixConnection>>) {
  const { openClient, find, makeService } = yield* makeOpener(Infinity)
  for (const [written, given] of Object.entries(companies)) {
    const issuer = yield* readCnpj(written)
    yield* openClient(issuer, given)
  }
  return makeService((issuer) => {
    const client = find(issuer)
    return client === undefined ? failUnknown(issuer) : Effect.succeed(client)
  })
})

/** Keeps the connection while the function fails or returns an invalid one. */
const openFunction = Effect.fnUntraced(function* (ask: Exclude<ApiPixCompanies, Record<string, ApiPixConnection>>) {
  const { openClient, find, makeService } = yield* makeOpener(maxCompanies)

  const keepPrevious = (issuer: Cnpj, why: ProcessorUnavailable | ApiPixMisconfigured) => {
    const previous = find(issuer)
    return previous === undefined
      ? Effect.fail(makeUnavailable(why))
      : Effect.as(logFailure("Warn", `The API Pix connection of ${issuer} stays as it was`, why), previous)
  }

  const load = Effect.fnUntraced(function* (issuer: Cnpj) {
    const given = yield* Effect.result(
      Effect.tryPromise({ try: async () => ask(issuer), catch: (thrown) => makeUnavailable(hideCause(thrown)) }),
    )
    if (Result.isFailure(given)) return yield* keepPrevious(issuer, given.failure)
    if (given.success === undefined) return yield* failUnknown(issuer)
    return yield* Effect.catch(openClient(issuer, given.success), (why) => keepPrevious(issuer, why))
  })

  const clients = new Cache({ load, maxAgeMs, maxCount: maxCompanies, scope: yield* Effect.scope })
  return makeService(clients.get)
})

/** The connections of all companies. Fails with `ApiPixMisconfigured` for an invalid record. */
export const connectionsLayer = (companies: ApiPixCompanies): Layer.Layer<Connections, ApiPixMisconfigured> =>
  Layer.effect(Connections, typeof companies === "function" ? openFunction(companies) : openRecord(companies))

const dayMs = 86_400_000
const warnedMs = 30 * dayMs

const makeOnceADay = (maxCount: number) => {
  const loggedAt = makeRecentMap<string, number>(maxCount)
  return (what: string, now: number): boolean => {
    if (now - (loggedAt.get(what) ?? -Infinity) < dayMs) return false
    loggedAt.set(what, now)
    return true
  }
}

const formatDate = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

const makeCertificateWatch = (maxCount: number) => {
  const isFirstToday = makeOnceADay(2 * maxCount)

  return Effect.fnUntraced(function* (issuer: Cnpj, { certificate }: Pick<Connection, "certificate">) {
    if (certificate === undefined) return
    const now = yield* Clock.currentTimeMillis
    yield* Effect.try({ try: certificate.renew, catch: (error) => error }).pipe(
      Effect.catch((error) =>
        isFirstToday(`renewal of ${issuer}`, now)
          ? logFailure("Warn", `The certificate of ${issuer} could not be read again: the previous one stays`, error)
          : Effect.void,
      ),
    )
    const endsAt = certificate.endsAt()
    if (endsAt === undefined || endsAt - now > warnedMs || !isFirstToday(`end of ${issuer}`, now)) return
    yield* Effect.logWarning(
      `The certificate of ${issuer} ${endsAt > now ? "ends" : "has ended"} on ${formatDate(endsAt)}: renew it at the bank`,
    )
  })
}
