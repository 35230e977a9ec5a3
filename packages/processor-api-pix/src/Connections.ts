import { ProcessorUnavailable } from "@pixcharge/core"
import { type Cnpj, normalizeTaxId, parseCnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type ApiPixConnection, ApiPixMisconfigured, type Connection, openConnection } from "./ApiPixConnection.ts"
import { makePspClient, type PspClient } from "./http/PspClient.ts"
import { makeSingleFlight } from "./http/SingleFlight.ts"

/** How each company reaches its bank: written down by CNPJ, or asked for when needed (a vault, a table). */
export type ApiPixCompanies =
  | Readonly<Record<string, ApiPixConnection>>
  | ((issuer: string) => ApiPixConnection | undefined | Promise<ApiPixConnection | undefined>)

/** A function of the host is asked again after so long; an object that it gave before goes on in use. */
const rememberedMs = 60_000

interface Open {
  readonly given: ApiPixConnection
  readonly client: PspClient
  readonly connection: Connection
}

/** The open ways to the banks, one for each company, each with its own certificate, token, gate and sockets. */
export class Connections extends Context.Service<
  Connections,
  {
    readonly of: (issuer: Cnpj) => Effect.Effect<PspClient, ProcessorUnavailable>
    /** The only company there is, where they are written down and there is just one. */
    readonly only: Cnpj | undefined
  }
>()("@pixcharge/processor-api-pix/Connections") {}

const unavailable = (cause: unknown) => new ProcessorUnavailable({ operation: "connect", cause })

/** The connections that are open; those that were replaced end by themselves when their calls have ended. */
const makeOpener = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const open = new Map<string, Open>()
  yield* Effect.addFinalizer(() => Effect.sync(() => open.forEach(({ connection }) => connection.transport.close())))

  const openFor = (issuer: Cnpj, given: ApiPixConnection): PspClient => {
    const known = open.get(issuer)
    if (known?.given === given) return known.client
    const connection = openConnection(issuer, given)
    const client = makePspClient(connection, scope)
    open.set(issuer, { given, client, connection })
    return client
  }

  return {
    openFor: (issuer: Cnpj, given: ApiPixConnection) =>
      Effect.try({ try: () => openFor(issuer, given), catch: (error) => error as ApiPixMisconfigured }),
    find: (issuer: Cnpj) => open.get(issuer)?.client,
  }
})

const cnpjOf = (written: string): Effect.Effect<Cnpj, ApiPixMisconfigured> =>
  Result.match(parseCnpj(normalizeTaxId(written)), {
    onSuccess: Effect.succeed,
    onFailure: ({ message }) =>
      Effect.fail(
        new ApiPixMisconfigured({ company: written, message: `the API Pix connection of ${written}: ${message}` }),
      ),
  })

/** All connections are written down: each is opened, and so checked, now. */
const fromRecord = Effect.fnUntraced(function* (companies: Readonly<Record<string, ApiPixConnection>>) {
  const { openFor, find } = yield* makeOpener
  const issuers: Array<Cnpj> = []
  for (const [written, given] of Object.entries(companies)) {
    const issuer = yield* cnpjOf(written)
    yield* openFor(issuer, given)
    issuers.push(issuer)
  }
  return Connections.of({
    only: issuers.length === 1 ? issuers[0] : undefined,
    of: (issuer) => {
      const client = find(issuer)
      return client === undefined ? unavailable(`no API Pix connection is known for ${issuer}`) : Effect.succeed(client)
    },
  })
})

/** Connections are asked for; what was given before serves while the host can't say, or says what can't work. */
const fromFunction = Effect.fnUntraced(function* (ask: Exclude<ApiPixCompanies, Record<string, ApiPixConnection>>) {
  const { openFor, find } = yield* makeOpener
  const askedAt = new Map<string, number>()
  const flight = makeSingleFlight<PspClient, ProcessorUnavailable>(yield* Effect.scope)

  /** What serves as before while there is nothing better; the host hears why. */
  const asBefore = (issuer: Cnpj, why: ProcessorUnavailable | ApiPixMisconfigured) => {
    const before = find(issuer)
    return before === undefined
      ? Effect.fail(unavailable(why))
      : Effect.as(Effect.logWarning(`The API Pix connection of ${issuer} stays as it was`, why), before)
  }

  const askFor = Effect.fnUntraced(function* (issuer: Cnpj) {
    const given = yield* Effect.result(Effect.tryPromise({ try: async () => ask(issuer), catch: unavailable }))
    if (Result.isFailure(given)) return yield* asBefore(issuer, given.failure)
    if (given.success === undefined) return yield* unavailable(`no API Pix connection is known for ${issuer}`)
    return yield* Effect.catch(openFor(issuer, given.success), (why) => asBefore(issuer, why))
  })

  const renew = Effect.fnUntraced(function* (issuer: Cnpj) {
    const client = yield* askFor(issuer)
    askedAt.set(issuer, yield* Clock.currentTimeMillis)
    return client
  })

  return Connections.of({
    only: undefined,
    of: (issuer) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const client = find(issuer)
        const isFresh = now - (askedAt.get(issuer) ?? 0) < rememberedMs
        return client !== undefined && isFresh ? Effect.succeed(client) : flight(issuer, "", renew(issuer))
      }),
  })
})

/** Opens the connections that are written down, and fails for one that can't work. */
export const connectionsLayer = (companies: ApiPixCompanies): Layer.Layer<Connections, ApiPixMisconfigured> =>
  Layer.effect(Connections, typeof companies === "function" ? fromFunction(companies) : fromRecord(companies))
