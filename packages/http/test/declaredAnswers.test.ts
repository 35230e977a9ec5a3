import { createAdaptorServer } from "@hono/node-server"
import { CompanyDirectory, PaymentSimulation, PixCharges, RevokedTokens } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import { type DirectoryEntry, makeKeyCheck } from "@pixcharge/core/directory"
import {
  type Answer,
  type Call,
  type Declared,
  declaredAnswers,
  immediate,
  isDeclared,
  makeHttpClient,
  mountServer,
} from "@pixcharge/adapter-tests/conformance"
import {
  aCancelledCharge,
  aCnpj,
  aCompany,
  aPaidCharge,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
} from "@pixcharge/adapter-tests/fixtures"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import type { Server } from "node:http"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { fetchHandler } from "../src/fetchHandler.ts"
import { PixHttp } from "../src/PixHttp.ts"
import { type RouteName, routes } from "../src/wire/routes.ts"
import { Tokens } from "../src/tokens/Tokens.ts"
import type { OperationError } from "../src/wire/messages.ts"

/** The statuses of the errors in an operation's type. */
type Statuses<Operation> = Operation extends (...args: never) => Effect.Effect<unknown, infer E>
  ? Readonly<Record<Extract<E, OperationError>["_tag"], number>>
  : never

const moveErrors: Omit<Statuses<PixCharges["Service"]["refund"]>, "RefundRejected"> = {
  ChargeAlreadyPaid: 500,
  ChargeCancelled: 409,
  ChargeNotFound: 404,
  ChargeNotPaid: 409,
  ChargePartlyReturned: 409,
  RefundWindowClosed: 409,
  PaymentOfAnotherCharge: 500,
  StoreUnavailable: 503,
  DirectoryUnavailable: 503,
}

const issueErrors: Statuses<PixCharges["Service"]["issue"]> = {
  InvalidFees: 400,
  DueDateOutOfRange: 400,
  CompanyNotFound: 403,
  IssuerNotEligible: 403,
  ChargeConflict: 409,
  ChargeExpired: 409,
  ChargeCancelled: 409,
  ChargeRefunding: 409,
  ChargeRefunded: 409,
  ProcessorRejected: 502,
  ProcessorUnavailable: 503,
  StoreUnavailable: 503,
  DirectoryUnavailable: 503,
}

const statusErrors: Statuses<PixCharges["Service"]["find"]> = { ChargeNotFound: 404, StoreUnavailable: 503 }

const refundErrors: Statuses<PixCharges["Service"]["refund"]> = { ...moveErrors, RefundRejected: 409 }

const simulateErrors: Statuses<PaymentSimulation["Service"]["simulate"]> = {
  ...moveErrors,
  ChargeExpired: 409,
  ChargeRefunding: 409,
  ChargeRefunded: 409,
  PaymentUnmatched: 500,
  PaymentOfAnotherCompany: 500,
  SimulationDeclined: 422,
  ProcessorUnavailable: 503,
}

const tokenErrors: Statuses<Tokens["Service"]["issue"]> = {
  Unauthenticated: 401,
  DirectoryUnavailable: 503,
  TooManyFailures: 429,
}

/** An error with every field that its answer can show. */
const makeError = (tag: string) =>
  ({
    _tag: tag,
    missing: ["companyWallet"],
    earliest: "2026-01-01",
    latest: "2031-01-01",
    retryAfterMs: 1,
  }) as unknown as OperationError

const pending = aPendingCharge()
const paid = aPaidCharge(pending)
const refunding = aRefundingCharge(paid)

const refunded = aRefundedCharge(refunding)

const unpaid: ReadonlyArray<readonly [Charge, number]> = [
  [{ ...pending, payableUntil: Date.now() + 3_600_000 }, 410],
  [pending, 410],
  [refunding, 409],
  [refunded, 409],
  [aCancelledCharge(pending), 409],
]

const entry: DirectoryEntry = {
  company: aCompany(),
  credential: { holder: aCnpj, key: { _tag: "Plain" as const, key: Redacted.make("chave") } },
}

const works: World = { charge: Effect.succeed(paid), directory: Effect.succeed(entry) }

interface World {
  readonly charge: Effect.Effect<Charge, OperationError>
  readonly directory: Effect.Effect<DirectoryEntry | undefined, OperationError>
}

/** The results of the services behind the routes. Tests replace them by failures. */
let world = works

const charges = {
  issue: () => world.charge,
  find: () => world.charge,
  refund: () => world.charge,
} as unknown as PixCharges["Service"]

const checkKey = makeKeyCheck()

const services = PixHttp.layer().pipe(
  Layer.provideMerge(Tokens.layer({ keys: [{ kid: "1", secret: "x".repeat(32) }], environment: "sandbox" })),
  Layer.provideMerge(Layer.succeed(PixCharges, charges)),
  Layer.provide(Layer.succeed(RevokedTokens, { revoke: () => Effect.void, list: () => Effect.succeed([]) })),
  Layer.provideMerge(Layer.succeed(PaymentSimulation, { simulate: () => world.charge as Effect.Effect<Charge> })),
  Layer.provideMerge(
    Layer.succeed(CompanyDirectory, {
      find: () => world.directory as Effect.Effect<DirectoryEntry | undefined>,
      verifyKey: (_, key) =>
        Effect.flatMap(world.directory as Effect.Effect<DirectoryEntry | undefined>, (found) =>
          checkKey(key, found?.credential),
        ),
      byPixKey: () => Effect.succeed(entry),
    }),
  ),
  Layer.provideMerge(Logger.layer([])),
)

const closers: Array<() => unknown> = []
let call: (call: Call) => Promise<Answer>
let authorization = ""

const tokenCall: Call = { method: "GET", path: `/api/token/${btoa(`${aCnpj}|chave`)}` }

beforeAll(async () => {
  const context = await Effect.runPromise(Effect.scoped(Layer.build(services)))
  const respond: Parameters<typeof fetchHandler>[0]["respond"] = (exchange) => {
    const reply = Context.get(context, PixHttp).respond(exchange)
    return reply && Effect.runPromiseWith(context)(reply)
  }
  const server = await mountServer(createAdaptorServer({ fetch: fetchHandler({ respond }) }) as Server, "", false)
  const client = makeHttpClient(server.baseUrl)
  closers.push(client.close, server.close)
  call = client.call
  authorization = `Bearer ${(await call(tokenCall)).json.data}`
})

beforeEach(() => {
  world = works
})

afterAll(async () => {
  for (const close of closers) await close()
})

const listDeclared = (name: RouteName, kind: "successes" | "errors"): Declared =>
  declaredAnswers.get(`${routes[name].method} ${routes[name].path}`)?.[kind] ?? new Map()

/** Lists copies of the value that each lack one of its fields, at any depth. */
const withoutEach = (json: unknown): ReadonlyArray<unknown> =>
  typeof json !== "object" || json === null
    ? []
    : Object.entries(json).flatMap(([name, value]) => {
        const { [name]: _, ...others } = json as Readonly<Record<string, unknown>>
        return [others, ...withoutEach(value).map((less) => ({ ...json, [name]: less }))]
      })

const chargePath = (name: RouteName, id: string = pending.id) => routes[name].path.replace(/:\w+$/, id)

const goodCalls: Readonly<Record<RouteName, () => Call>> = {
  token: () => tokenCall,
  tokenByPost: () => ({
    method: "POST",
    path: routes.tokenByPost.path,
    body: { cnpj: aCnpj, chave: "chave" },
  }),
  issue: () => ({ method: "POST", path: routes.issue.path, body: { formaPagamento: immediate() } }),
  status: () => ({ method: "GET", path: chargePath("status") }),
  refund: () => ({ method: "DELETE", path: chargePath("refund") }),
  simulate: () => ({ method: "POST", path: chargePath("simulate") }),
}

/** Calls that fail before an operation begins, with the status of the answer. */
const badExchanges = (name: RouteName): ReadonlyArray<readonly [Partial<Call>, number]> => {
  const anywhere = [[{ method: "PATCH" }, 405]] as const
  if (name === "token") return [...anywhere, [{ path: chargePath("token", btoa(`${aCnpj}|outra`)) }, 401]]
  const badBodies = [
    [{ body: "{" }, 400],
    [{ body: `"${"x".repeat(17_000)}"` }, 413],
  ] as const
  if (name === "tokenByPost") {
    const headers = { "content-type": "text/plain" }
    return [...anywhere, ...badBodies, [{ body: { cnpj: aCnpj, chave: "outra" } }, 401], [{ headers }, 415]]
  }
  const withToken = [...anywhere, [{ headers: {} }, 401]] as const
  if (name !== "issue") return [...withToken, [{ path: chargePath(name, "123") }, 400]]
  const over = (headers: Record<string, string>) => ({ headers: { authorization, ...headers } })
  return [
    ...withToken,
    ...badBodies,
    [{ body: {} }, 400],
    [over({ "content-type": "text/plain" }), 415],
    [over({ "content-encoding": "gzip" }), 415],
  ]
}

const operationErrors: Readonly<Record<RouteName, Readonly<Record<string, number>>>> = {
  token: tokenErrors,
  tokenByPost: tokenErrors,
  issue: issueErrors,
  status: statusErrors,
  refund: refundErrors,
  simulate: simulateErrors,
}

it.each(Object.keys(routes) as Array<RouteName>)(
  "answers failures of %s with the declared statuses and bodies, and with each declared status",
  async (name) => {
    const errors = listDeclared(name, "errors")
    const statuses = new Set<number>()
    const expectFailure = async (status: number, over: Partial<Call> = {}) => {
      const answer = await call({ headers: { authorization }, ...goodCalls[name](), ...over })
      statuses.add(answer.status)
      expect([answer.status, isDeclared(errors, answer)], answer.text).toEqual([status, true])
      for (const json of withoutEach(answer.json)) expect(isDeclared(errors, { ...answer, json })).toBe(false)
    }

    for (const [over, status] of badExchanges(name)) await expectFailure(status, over)
    const operation = name.startsWith("token") ? "directory" : "charge"
    for (const [tag, status] of Object.entries(operationErrors[name])) {
      world = { ...works, [operation]: Effect.fail(makeError(tag)) }
      await expectFailure(status)
    }
    for (const [charge, status] of name === "status" ? unpaid : []) {
      world = { ...works, charge: Effect.succeed(charge) }
      await expectFailure(status)
    }
    if (name === "status") {
      let lookUps = 0
      // The company is registered when it authenticates, but not when its receipt is written.
      world = { ...works, directory: Effect.sync(() => (lookUps++ === 0 ? entry : undefined)) }
      await expectFailure(404)
    }
    world = { ...works, [operation]: Effect.die("a defect") }
    await expectFailure(500)
    world = { ...works, directory: Effect.fail(makeError("DirectoryUnavailable")) }
    await expectFailure(503)

    expect([...statuses].toSorted()).toEqual([...errors.keys()].toSorted())
  },
)

/** The charges that make each route succeed, and the status. */
const successes: Readonly<Record<RouteName, ReadonlyArray<readonly [Charge, number]>>> = {
  token: [[paid, 200]],
  tokenByPost: [[paid, 200]],
  issue: [
    [pending, 200],
    [paid, 200],
  ],
  status: [[paid, 200]],
  refund: [
    [refunded, 200],
    [refunding, 202],
  ],
  simulate: [[paid, 200]],
}

it.each(Object.keys(routes) as Array<RouteName>)(
  "answers successes of %s with the declared statuses and bodies, and with each declared status",
  async (name) => {
    const schemas = listDeclared(name, "successes")
    for (const [charge, status] of successes[name]) {
      world = { ...works, charge: Effect.succeed(charge) }
      const answer = await call({ headers: { authorization }, ...goodCalls[name]() })
      expect([answer.status, isDeclared(schemas, answer)], answer.text).toEqual([status, true])
      for (const json of withoutEach(answer.json)) {
        expect(isDeclared(schemas, { ...answer, json }), JSON.stringify(json)).toBe(false)
      }
    }
    const statuses = new Set(successes[name].map(([, status]) => status))
    expect([...statuses].toSorted()).toEqual([...schemas.keys()].toSorted())
  },
)
