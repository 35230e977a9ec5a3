import {
  type Bookkeeping,
  CallbackEndpoints,
  ChargeStore,
  CompanyDirectory,
  DirectoryAdmin,
  DirectoryUnavailable,
  ExceptionStore,
  Outbox,
  OutboxSignal,
  PaymentExceptions,
  type PaymentProcessor,
  PixCharges,
  Reconciler,
  type StorePorts,
  StoreUnavailable,
  TransactionIds,
} from "@pixcharge/core"
import type { CompanyInput, Endpoint, ResellerInput } from "@pixcharge/core/directory"
import {
  type ChargeRequestInput,
  defaultKinds,
  type EventKind,
  parseChargeRequest,
  type PaymentNotice,
  type PendingCharge,
  type Return,
} from "@pixcharge/core/charges"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import {
  aCnpj,
  aNotice,
  anotherCnpj,
  fixtureNow,
  makeScriptedProcessor,
  type ScriptedProcessor,
} from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { ExceptionMoves } from "../src/services/charges/ExceptionMoves.ts"
import { PublishedKinds } from "../src/services/events/PublishedKinds.ts"

export const reseller: ResellerInput = { cnpj: "00000000000191", name: "Revenda", integratorKey: "chave da revenda" }

export const company: CompanyInput = {
  cnpj: aCnpj,
  name: "Padaria Aurora Ltda",
  city: "São Paulo",
  pixKey: aCnpj,
  graceDays: 5,
  reseller: reseller.cnpj,
}

export const otherCompany: CompanyInput = {
  cnpj: anotherCnpj,
  name: "Vizinho & Filhos",
  city: "Recife",
  pixKey: anotherCnpj,
  graceDays: 1,
  integratorKey: "uma outra chave",
}

/** Registers the company again with changed facts. */
export const registerCompany = (changes: Partial<CompanyInput>) =>
  Effect.flatMap(DirectoryAdmin, (admin) => admin.putCompany({ ...company, ...changes }))

type StoreOperation = "insert" | "find" | "standings" | "changed" | "commit" | "recordUnmatched"

/** Everything around the service. Tests can change each part. */
export interface World {
  readonly bank: ScriptedProcessor
  /** Calls of store and processor, in order. */
  readonly log: Array<string>
  readonly endpoints: Array<Pick<Endpoint, "id" | "kinds">>
  directoryIsDown: boolean
  companiesRead: number
  /** Failure of an operation's next call: before (`unreachable`) or after (`answerLost`) it takes effect, or one call later. */
  readonly storeFaults: Map<StoreOperation, "unreachable" | "answerLost" | "nextUnreachable">
  /** Logged lines, each as `level message`. */
  readonly logged: Array<string>
  rings: number
}

type Services =
  | PixCharges
  | Bookkeeping
  | StorePorts
  | CompanyDirectory
  | CallbackEndpoints
  | DirectoryAdmin
  | OutboxSignal
  | PaymentProcessor

const makeWorld = (locality: "local" | "remote"): World => ({
  bank: makeScriptedProcessor(locality),
  log: [],
  endpoints: [],
  directoryIsDown: false,
  companiesRead: 0,
  storeFaults: new Map(),
  logged: [],
  rings: 0,
})

const withStoreFault = <A>(world: World, operation: StoreOperation, act: Effect.Effect<A, StoreUnavailable>) =>
  Effect.suspend(() => {
    world.log.push(operation)
    const fault = world.storeFaults.get(operation)
    world.storeFaults.delete(operation)
    if (fault === "nextUnreachable") world.storeFaults.set(operation, "unreachable")
    const failure = new StoreUnavailable({ operation, cause: fault })
    if (fault === undefined || fault === "nextUnreachable") return act
    return fault === "unreachable" ? Effect.fail(failure) : Effect.andThen(act, Effect.fail(failure))
  })
const storeLayer = (world: World) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Layer.build(memoryStore())
      const store = Context.get(context, ChargeStore)
      return Context.add(context, ChargeStore, {
        insert: (charge) => withStoreFault(world, "insert", store.insert(charge)),
        find: (issuer, id) => withStoreFault(world, "find", store.find(issuer, id)),
        standings: (shown) => withStoreFault(world, "standings", store.standings(shown)),
        changed: (seen) => withStoreFault(world, "changed", store.changed(seen)),
        commit: (change) => withStoreFault(world, "commit", store.commit(change)),
        owners: store.owners,
        recordUnmatched: (...recording) =>
          withStoreFault(world, "recordUnmatched", store.recordUnmatched(...recording)),
      })
    }),
  )

const unlessDirectoryIsDown = <A, E>(world: World, act: Effect.Effect<A, E>) =>
  Effect.suspend((): Effect.Effect<A, E | DirectoryUnavailable> =>
    world.directoryIsDown ? new DirectoryUnavailable({ operation: "find" }) : act,
  )

const directoryLayer = (world: World) =>
  Layer.effectContext(
    Effect.map(
      Layer.build(memoryDirectory({ companies: [company, otherCompany], resellers: [reseller] })),
      (context) => {
        const directory = Context.get(context, CompanyDirectory)
        const endpoints = Context.get(context, CallbackEndpoints)
        const target = { _tag: "Host" } as const
        return context.pipe(
          Context.add(CompanyDirectory, {
            find: (cnpj) => {
              world.companiesRead += 1
              return unlessDirectoryIsDown(world, directory.find(cnpj))
            },
            verifyKey: (cnpj, key) => unlessDirectoryIsDown(world, directory.verifyKey(cnpj, key)),
            byPixKey: (key) => unlessDirectoryIsDown(world, directory.byPixKey(key)),
          }),
          Context.add(CallbackEndpoints, {
            ...endpoints,
            forCompany: () =>
              unlessDirectoryIsDown(
                world,
                Effect.sync(() => world.endpoints.map((one) => ({ ...one, target, status: "enabled" as const }))),
              ),
          }),
        )
      },
    ),
  )

const signalLayer = (world: World) =>
  Layer.succeed(OutboxSignal, {
    notifyAll: Effect.sync(() => {
      world.rings += 1
    }),
    notify: () =>
      Effect.sync(() => {
        world.rings += 1
      }),
    next: Effect.never,
    count: Effect.sync(() => world.rings),
  })

let transactions = 0

const transactionIds = Layer.succeed(TransactionIds, {
  next: () => `00000000-0000-4000-8000-${String((transactions += 1)).padStart(12, "0")}`,
})

const worldLayer = (world: World): Layer.Layer<Services> =>
  PixCharges.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(storeLayer(world), directoryLayer(world), world.bank.layer)),
    Layer.provideMerge(signalLayer(world)),
    Layer.provide(transactionIds),
  )

const loggerLayer = ({ logged }: World) =>
  Logger.layer([
    Logger.make<unknown, void>(({ logLevel, message }) => {
      logged.push(`${logLevel} ${Array.isArray(message) ? message[0] : message}`)
    }),
  ])

/** A test of the service in its own world, with the clock at `fixtureNow`. */
export const scenario = (
  title: string,
  body: (world: World) => Effect.Effect<void, unknown, Services | Scope.Scope>,
  locality: "local" | "remote" = "remote",
  kinds: ReadonlyArray<EventKind> = defaultKinds,
): void =>
  it.effect(title, () => {
    const world = makeWorld(locality)
    return Effect.andThen(TestClock.setTime(fixtureNow), body(world)).pipe(
      Effect.provide(Layer.provideMerge(worldLayer(world), loggerLayer(world))),
      Effect.provideService(PublishedKinds, kinds),
    )
  })

export const inBothLocalities = (title: string, body: Parameters<typeof scenario>[1]): void => {
  scenario(`${title} (local)`, body, "local")
  scenario(`${title} (remote)`, body, "remote")
}

/** A request of R$ 19,90 under a new id. */
export const aRequest = (overrides: Partial<ChargeRequestInput> = {}) =>
  Result.getOrThrow(parseChargeRequest({ id: crypto.randomUUID(), amountCents: 1990, ...overrides }))

export const issue = (request = aRequest(), issuer = aCnpj) =>
  Effect.flatMap(PixCharges, (charges) => charges.issue(issuer, request))

export const anIssuedCharge = Effect.fnUntraced(function* (overrides: Partial<ChargeRequestInput> = {}) {
  const charge = yield* issue(aRequest(overrides))
  return charge._tag === "Pending" ? charge : yield* Effect.die(new Error("expected a pending charge"))
})

/** Pays a charge at the bank and confirms the payment in the service. */
export const pay = Effect.fnUntraced(function* (
  world: World,
  charge: PendingCharge,
  overrides: Partial<PaymentNotice> = {},
) {
  const notice = aNotice(charge, overrides)
  world.bank.receive(charge, notice)
  const after = yield* (yield* PixCharges).confirmPayment(notice)
  return { notice, charge: after }
})

export const aPaidOne = Effect.fnUntraced(function* (world: World) {
  const { charge } = yield* pay(world, yield* anIssuedCharge())
  return charge._tag === "Paid" ? charge : yield* Effect.die(new Error("expected the payment to settle the charge"))
})

export const addEndpoint = (world: World, id: string, ...kinds: ReadonlyArray<EventKind>): void => {
  world.endpoints.push({ id, kinds })
}

export const exceptions = Effect.flatMap(ExceptionStore, (store) =>
  Effect.map(store.listOpen(aCnpj, { limit: 100 }), ({ items }) => items),
)

export const paymentExceptions = Effect.map(Layer.build(PaymentExceptions.layer), (context) =>
  Context.get(context, PaymentExceptions),
)

export const recordExceptionReturn = (returned: Return) =>
  Effect.gen(function* () {
    const moves = new ExceptionMoves({
      exceptions: yield* ExceptionStore,
      directory: yield* CompanyDirectory,
      endpoints: yield* CallbackEndpoints,
      published: defaultKinds,
      signal: yield* OutboxSignal,
    })
    return yield* moves.apply(returned.issuer, returned.endToEndId, { _tag: "RecordReturn", returned })
  })

export const deliveries = Effect.flatMap(Outbox, (outbox) =>
  Effect.map(outbox.list(aCnpj, {}, { limit: 100 }), ({ items }) =>
    items.map(({ endpointId, event, status }) => `${endpointId} ${event.kind} ${status}`).toSorted(),
  ),
)

/** A reconciler with its background work. */
export const aReconciler = Effect.map(Layer.build(Layer.fresh(Reconciler.layer)), (context) =>
  Context.get(context, Reconciler),
)

export const anIdleReconciler = Effect.map(Layer.build(Layer.fresh(Reconciler.onDemand)), (context) =>
  Context.get(context, Reconciler),
)

/** The error's tag; `none` without an error. */
export const failureTag = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "none", onFailure: ({ _tag }) => _tag })
