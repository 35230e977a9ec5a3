import type { Charge } from "@pixcharge/core/charge"
import type { Bank, LedgerPayment } from "@pixcharge/simulated-bank"
import { postgresStore } from "@pixcharge/store-postgres"
import {
  type Action,
  type Actor,
  auditCharge,
  Auditor,
  Clients,
  companies,
  describeWrite,
  endpointsEach,
  type Evidence,
  Fates,
  finalViolations,
  issuerOf,
  openBank,
  makeBankClient,
  makeBooks,
  makeNetworkCall,
  makeSeededRandom,
  nameOf,
  Notices,
  Probe,
  probeStepMs,
  type Receipt,
  Receivers,
  recordNotice,
  rest,
  restLeapMs,
  type Step,
  type StoreCall,
  takeStep,
  troublesOf,
  type Violation,
  waysOf,
} from "@pixcharge/testkit/simulation"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import pg from "pg"
import { DatabaseProxy } from "./DatabaseProxy.ts"
import { HostPlaces } from "./HostPlaces.ts"
import { HostProcess } from "./HostProcess.ts"
import { address, type Laboratory } from "./Laboratory.ts"
import { Meetings } from "./Meetings.ts"
import { OpenReads } from "./OpenReads.ts"
import { RealWorld } from "./RealWorld.ts"
import type { SqlFault } from "./SqlFault.ts"
import { decideStatement } from "./decideStatement.ts"
import type { CommitEdge } from "./StatementFate.ts"
import type { Write } from "./statements.ts"

/** How many of the notices. */
const noticeToAll = 0.5

/** Leases last so many milliseconds less. */
const endLeases = "UPDATE pixcharge.queue_leases SET lease_until = lease_until - $1::float8 * interval '1 ms'"

/** A process that was killed, at which edge of which write. */
export interface Kill {
  readonly edge: CommitEdge
  /** What it writes into, such as `INSERT charges`. */
  readonly write: string
}

interface Setting {
  readonly seed: number
  readonly hosts: number
  readonly laboratory: Laboratory
  readonly database: string
  readonly fault?: SqlFault
}

/** One history: the bank and the receivers in this process, and processes under test around a database. */
export class PostgresSimulation {
  readonly world = new RealWorld()
  readonly fates: Fates
  readonly auditor: Auditor
  readonly meetings = new Meetings()
  readonly receipts: ReadonlyArray<Receipt>
  readonly kills: Array<Kill> = []
  readonly #setting: Setting
  readonly #bank: Bank
  readonly #notices: Notices
  readonly #receivers: Receivers
  readonly #clients: Clients
  readonly #places: HostPlaces
  readonly #evidence: Evidence
  readonly #reads = new OpenReads()
  readonly #proxies = new Map<Actor, DatabaseProxy>()
  readonly #network = { call: makeNetworkCall(this.world, (actor) => this.#places.die(actor)) }
  readonly #context = Context.make(Clock.Clock, this.world.clock)
  readonly #db: pg.Pool
  readonly #close: () => Promise<void>

  private constructor(setting: Setting, db: pg.Pool, books: Evidence["books"], close: () => Promise<void>) {
    const { seed, hosts } = setting
    this.#setting = setting
    this.#db = db
    this.#close = close
    this.fates = new Fates(seed, troublesOf(seed), new Set())
    this.fates.calm()
    this.#bank = openBank(this.world, this.fates, waysOf(seed), (payment) => {
      this.#notices.send(payment)
      this.#tellAll(payment)
    })
    this.#receivers = new Receivers(this.world, this.#network, this.fates)
    const { ledger } = this.#bank
    this.receipts = this.#receivers.receipts
    this.#evidence = { companies, endpointsEach, books, ledger, receipts: this.receipts }
    this.auditor = new Auditor(this.world, this.#reads, this.#evidence)
    this.#clients = new Clients({ world: this.world, ledger, issuerOf, auditor: this.auditor })
    const make = (actor: Actor) => this.#makeHost(actor)
    const onFailure = ({ name }: Actor) => this.auditor.report("noDefects", `${name} ended by itself`)
    this.#places = new HostPlaces({ world: this.world, count: hosts, random: makeSeededRandom(seed), make, onFailure })
    this.#notices = new Notices(this.world, this.fates, this.#places, this.auditor.recorded)
    this.#bank.onReturnAsked = this.auditor.returnAsked
  }

  /** Begins with an empty database. */
  static async open(setting: Setting): Promise<PostgresSimulation> {
    const { laboratory, database } = setting
    const db = new pg.Pool({ connectionString: address(laboratory.port, database), max: 4 })
    // Its last connections may still be ending when the database is dropped.
    db.on("error", () => undefined)
    const scope = await Effect.runPromise(Scope.make())
    const store = await Effect.runPromise(Layer.buildWithScope(postgresStore({ db, migrations: "check" }), scope))
    return new PostgresSimulation(setting, db, makeBooks(store), async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await db.end()
    })
  }

  async #makeHost(actor: Actor): Promise<HostProcess> {
    const { laboratory, database, fault } = this.#setting
    const around = {
      meetings: this.meetings,
      goSilent: (realMs: number) => this.#goSilent(actor, proxy, realMs),
    }
    const proxy: DatabaseProxy = new DatabaseProxy(laboratory.port, {
      next: (write) => decideStatement(this.fates, actor.name, write, around),
      kill: (edge, write) => this.#killAt(actor, edge, write),
    })
    this.#proxies.set(actor, proxy)
    const port = await proxy.listen()
    const bank = makeBankClient({ world: this.world, network: this.#network, fates: this.fates }, actor, this.#bank)
    const receivers = this.#receivers.client(actor)
    const { time, leapsFile } = this.world
    return new HostProcess({
      actor,
      child: laboratory.takeHost(),
      setting: {
        database: address(port, database),
        time,
        leapsFile,
        skewMs: actor.skewMs,
        ways: bank.ways,
        ...(fault && { fault }),
      },
      bank,
      asks: { bank: calling(bank), receivers: calling(receivers) },
      context: this.#context,
      onWrite: (call) => this.#wrote(actor, call),
      onEnd: this.#places.ended,
    })
  }

  #wrote(actor: Actor, call: StoreCall): void {
    const written = describeWrite(call)
    if (written === undefined) return
    // A process that is killed doesn't tell of its last write, which may have ended what an exception was dealt with by.
    const { dealtWith: _unsure, ...sure } = written
    this.auditor.wrote(actor, sure)
  }

  /** Some notices go to all processes at once. */
  #tellAll({ issuer, endToEndId }: LedgerPayment): void {
    if (!this.fates.next(`notice of ${nameOf(endToEndId)} to all`).random.chance(noticeToAll)) return
    this.world.note("bank", `gives notice of ${nameOf(endToEndId)} to all`)
    for (const host of this.#places.living) {
      host.serve(recordNotice(host.bank, issuer, endToEndId, false), () => undefined)
    }
  }

  #goSilent(actor: Actor, proxy: DatabaseProxy, realMs: number): void {
    this.world.note(actor.name, `hears nothing from the database, nor does it from ${actor.name}, for ${realMs} ms`)
    proxy.goSilent(realMs)
  }

  #killAt(actor: Actor, edge: CommitEdge, { name }: Write): void {
    if (!actor.isAlive) return
    this.kills.push({ edge, write: name })
    this.world.note(actor.name, `is killed ${edge} of ${name}`)
    this.#places.die(actor)
  }

  #awake(): ReadonlyArray<HostProcess> {
    return this.#places.living.filter(({ actor }) => !actor.isSuspended)
  }

  /** What the processes have asked of the database so far; undefined while an answer is awaited, or a process starts. */
  #asked(): number | undefined {
    let asked = 0
    for (const { actor, isStarting } of this.#awake()) {
      const proxy = this.#proxies.get(actor)
      if (isStarting || proxy === undefined || proxy.isBusy) return undefined
      asked += proxy.asked
    }
    return asked
  }

  /** Whether every process waits for time to pass, or for the bank or a receiver. */
  readonly #isQuiet = async (): Promise<boolean> => {
    const asked = this.#asked()
    if (asked === undefined) return false
    for (let ping = 1; ping <= 2; ping++) {
      await Promise.all(this.#awake().map((host) => host.ping()))
      if (this.#asked() !== asked) return false
    }
    return true
  }

  #pass(ms: number): Promise<void> {
    return this.world.pass(ms, this.#isQuiet, async (leapt) => {
      // The database's clock leaps, too.
      await this.#db.query(endLeases, [leapt / this.world.time.speed])
      for (const host of this.#places.living) host.leapt()
    })
  }

  /** Has everything done, and then lets everybody have time while nothing goes wrong any more. */
  async run(plan: ReadonlyArray<Step>): Promise<void> {
    await this.#places.started()
    this.fates.troubles = troublesOf(this.#setting.seed)
    const participants = {
      bank: this.#bank,
      receivers: this.#receivers,
      clients: this.#clients,
      hosts: this.#places,
    }
    for (const step of plan) {
      if (this.auditor.violations.length > 0) return
      if (step.afterMs > 0) await this.#pass(step.afterMs)
      takeStep(participants, step)
    }
    this.fates.calm()
    this.meetings.end()
    this.#receivers.comeBack()
    this.#places.leaveOne()
    // While nothing passes all seem to wait for time: the leaps of the rest would be over before a silence is.
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.heard()))
    this.world.firstLeapMs = restLeapMs
    this.world.note("world", "nothing goes wrong any more")
    await rest(
      this.auditor,
      (ms) => this.#pass(ms),
      () => this.#findFinal(),
    )
    if (this.auditor.violations.length === 0)
      await this.#probe((action) => takeStep(participants, { afterMs: 0, host: 0, action }))
  }

  /** Only now: whatever somebody does may wake a process that has forgotten something. */
  async #probe(take: (action: Action) => void): Promise<void> {
    const { world, auditor, receipts } = this
    const probe = new Probe({ after: world.after, ledger: this.#bank.ledger, receipts, take })
    while (!probe.isOver && auditor.violations.length === 0) await this.#pass(probeStepMs)
    for (const { rule, what } of probe.violations()) auditor.report(rule, what)
  }

  /** What is wrong once everybody had time. */
  async #findFinal(): Promise<ReadonlyArray<Violation>> {
    await this.#reads.ended()
    return [...this.#clients.unanswered(), ...(await Effect.runPromise(this.#audit))]
  }

  readonly #audit = Effect.suspend(() =>
    Effect.gen({ self: this }, function* () {
      const evidence = this.#evidence
      const found = [...(yield* finalViolations(evidence, this.world.now))]
      for (const issuer of companies) {
        for (const charge of yield* evidence.books.charges(issuer))
          found.push(...(yield* auditCharge(evidence, charge)))
      }
      return found
    }),
  )

  /** The charges that the books hold. */
  charges(): Promise<ReadonlyArray<Charge>> {
    const charges = Effect.forEach(companies, (issuer) => this.#evidence.books.charges(issuer))
    return Effect.runPromise(Effect.map(charges, (each) => each.flat()))
  }

  async close(): Promise<void> {
    this.#places.endAll()
    this.world.end()
    await this.#reads.ended()
    for (const proxy of this.#proxies.values()) proxy.close()
    await this.#close()
  }
}

/** A service as a process in another place calls it. */
const calling =
  (service: object) =>
  (method: string, args: ReadonlyArray<unknown>): Effect.Effect<unknown> =>
    Effect.suspend(
      () =>
        (service as Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>>>)[method]?.(
          ...args,
        ) ?? Effect.die(`there is no ${method}`),
    )
