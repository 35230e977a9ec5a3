import { DirectoryAdmin, type QueueLease } from "@pixcharge/core"
import { type Connection, postgresDirectory } from "@pixcharge/store-postgres"
import {
  aCnpj,
  aChange,
  anEvent,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  anUnmatchedPayment,
  cpf,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import { anIndependent, aReseller } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { expect, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres()

const refusing = () => {
  let isRefusing = false
  const refusal = Object.assign(new Error("no rights"), { code: "42501" })
  const query: Connection["query"] = (statement) => (isRefusing ? Promise.reject(refusal) : pool.query(statement))
  return { db: { query }, refuse: () => void (isRefusing = true) }
}

const charge = aPendingCharge()
const { issuer, id } = charge
const payment = anUnmatchedPayment()
const { endToEndId } = payment
const exception = { payment, reason: "unmatched", state: { _tag: "Open" }, version: 0, returns: [] } as const
const taxId = cpf("52998224725")
const now = fixtureNow
const period = { from: 0, until: now }
const page = { limit: 10 }
const due = { now, limit: 10, leaseMs: 1_000 }
const endpointId = "shop"
const lease: QueueLease = { issuer, endpointId, token: crypto.randomUUID() }
const event = anEvent(aPaidCharge(charge, aPayment(charge)))
const settlement = {
  lease,
  eventId: event.id,
  number: 1,
  fate: { _tag: "Delivered" },
  attempt: { startedAt: now, latencyMs: 1 },
} as const
const progress = { issuer, leaseToken: lease.token, since: 0, reconciledUntil: now, returnsDueAt: now }

type Ports = Awaited<ReturnType<typeof openStore>>

const operations = ({
  store,
  checks,
  outbox,
  lists,
  counts,
  exceptions,
  payers,
  reconciliations,
  tokens,
  audit,
}: Ports) => ({
  insert: store.insert(charge),
  find: store.find(issuer, id),
  changed: store.changed([{ issuer, id, version: 0 }]),
  commit: store.commit(aChange(charge)),
  recordUnmatched: store.recordUnmatched(payment),
  claimCharges: checks.claimCharges(due),
  scheduleCharge: checks.scheduleCharge(charge, now),
  claimExceptions: checks.claimExceptions(due),
  scheduleException: checks.scheduleException(exception, now),
  charges: lists.charges(issuer, period, page),
  payments: lists.payments(issuer, period, page),
  payment: lists.payment(issuer, endToEndId),
  paymentsAt: lists.paymentsAt(issuer, period),
  paymentsById: lists.paymentsById(issuer, [endToEndId]),
  paymentInAnyCase: lists.paymentInAnyCase(issuer, endToEndId),
  returns: lists.returns(issuer, period, page),
  returnsOf: lists.returnsOf(issuer, [endToEndId]),
  countCharges: counts.count(issuer, { bounds: [0, now], ages: [1_000], now }),
  listOpenExceptions: exceptions.listOpen(issuer, page),
  searchExceptions: exceptions.search(issuer, period, page),
  chargeExceptions: exceptions.ofCharge(charge, 10),
  findException: exceptions.find(issuer, endToEndId),
  commitException: exceptions.commit({
    issuer,
    endToEndId,
    expectedVersion: 0,
    movedAt: fixtureNow,
    next: { _tag: "Open" },
    returns: [],
  }),
  claim: outbox.claim({ ...due, deliveries: 1 }),
  read: outbox.read([{ lease, limit: 1 }], now),
  renew: outbox.renew([lease], 1_000),
  release: outbox.release([lease]),
  settle: outbox.settle([settlement], now),
  add: outbox.add({ event, endpointId }, now),
  supersede: outbox.supersede(issuer, id, now),
  list: outbox.list(issuer, {}, page),
  attempts: outbox.attempts(issuer, event.id, endpointId),
  replay: outbox.replay(issuer, { period }, now),
  depth: outbox.depth,
  queueDepth: outbox.queueDepth(issuer, endpointId),
  purge: outbox.purge(now),
  exportPayer: payers.export(issuer, taxId),
  erasePayer: payers.erase(issuer, taxId, now),
  enter: reconciliations.enter(now),
  wake: reconciliations.wake(issuer, now),
  claimReconciliation: reconciliations.claim(due),
  saveReconciliation: reconciliations.save(progress, { _tag: "Release", nextAt: now }),
  waiting: reconciliations.waiting(issuer, page),
  revokeToken: tokens.revoke({ id: lease.token, until: now, now }),
  listRevokedTokens: tokens.list(now),
  audit: audit.list(aCnpj, {}, page),
  appendAudit: audit.append(aCnpj, { kind: "payerShown", chargeId: id }),
})

it("a refused statement fails under its operation's name, with the database's code", async () => {
  const { db, refuse } = refusing()
  const opened = await openStore({ db })
  refuse()
  const calls = Object.entries<Effect.Effect<unknown, { readonly _tag: string }>>(operations(opened))
  for (const [operation, call] of calls) {
    expect(await run(Effect.flip(call)), operation).toMatchObject({
      _tag: "StoreUnavailable",
      operation,
      cause: { _tag: "SqlFailure", kind: "refused", sqlState: "42501" },
    })
  }
})

const pepper = [{ kid: "p1", secret: "a pepper that no database knows!" }] as const

it("a refused change of the directory fails under its operation's name", async () => {
  const { db, refuse } = refusing()
  const scope = await run(Scope.make())
  onTestFinished(() => run(Scope.close(scope, Exit.void)))
  const admin = Context.get(await run(Layer.buildWithScope(postgresDirectory({ db, pepper }), scope)), DirectoryAdmin)
  refuse()
  const { cnpj } = anIndependent
  const changes: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
    putCompany: admin.putCompany(anIndependent),
    putReseller: admin.putReseller(aReseller),
    rotateKey: admin.rotateKey(cnpj),
    revokeKey: admin.revokeKey(cnpj),
    setAssociated: admin.setAssociated(cnpj, true),
    setWallet: admin.setWallet(cnpj, true),
    removeCallback: admin.removeCallback(cnpj),
  }
  for (const [operation, change] of Object.entries(changes)) {
    expect(await run(Effect.flip(change)), operation).toMatchObject({ _tag: "DirectoryUnavailable", operation })
  }
})
