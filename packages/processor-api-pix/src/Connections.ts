import type { Cnpj } from "@pixcharge/core/party"
import { ProcessorUnavailable } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ApiPixConnection, type ApiPixMisconfigured, type Connection, openConnection } from "./ApiPixConnection.ts"
import { makePspClient, type PspClient } from "./http/PspClient.ts"

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
  readonly askedAt: number
}

/** The open ways to the banks, one for each company, each with its own certificate, token, gate and sockets. */
export class Connections extends Context.Service<
  Connections,
  {
    readonly of: (issuer: Cnpj) => Effect.Effect<PspClient, ProcessorUnavailable>
    /** The only company there is, where they are written down and there is just one. */
    readonly only: string | undefined
  }
>()("@pixcharge/processor-api-pix/Connections") {}

const unavailable = (cause: unknown) => new ProcessorUnavailable({ operation: "connect", cause })

const make = Effect.fnUntraced(function* (companies: ApiPixCompanies) {
  const scope = yield* Effect.scope
  const open = new Map<string, Open>()
  yield* Effect.addFinalizer(() => Effect.sync(() => open.forEach(({ connection }) => connection.transport.close())))

  const openFor = Effect.fnUntraced(function* (issuer: string, given: ApiPixConnection) {
    const askedAt = yield* Clock.currentTimeMillis
    const known = open.get(issuer)
    if (known?.given === given) {
      open.set(issuer, { ...known, askedAt })
      return known.client
    }
    const connection = yield* Effect.try({
      try: () => openConnection(issuer, given),
      catch: (error) => error as ApiPixMisconfigured,
    })
    // Calls under way finish on the old one's sockets, which then close by themselves.
    const client = makePspClient(connection, scope)
    open.set(issuer, { given, client, connection, askedAt })
    return client
  })

  const ask = Effect.fnUntraced(function* (issuer: string) {
    const given = yield* Effect.tryPromise({
      try: async () => (typeof companies === "function" ? companies(issuer) : companies[issuer]),
      catch: unavailable,
    })
    return given === undefined
      ? yield* unavailable(`no API Pix connection is known for ${issuer}`)
      : yield* Effect.mapError(openFor(issuer, given), unavailable)
  })

  if (typeof companies !== "function") {
    for (const [issuer, given] of Object.entries(companies)) yield* openFor(issuer, given)
  }

  return Connections.of({
    only: typeof companies === "function" || open.size !== 1 ? undefined : [...open.keys()][0],
    of: (issuer) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const known = open.get(issuer)
        const isFresh = typeof companies !== "function" || (known !== undefined && now - known.askedAt < rememberedMs)
        return known !== undefined && isFresh ? Effect.succeed(known.client) : ask(issuer)
      }),
  })
})

/** Opens the connections that are written down, and fails for one that can't work. */
export const connectionsLayer = (companies: ApiPixCompanies): Layer.Layer<Connections, ApiPixMisconfigured> =>
  Layer.effect(Connections, make(companies))
