import type { CallbackEndpoints, CompanyDirectory, StorePorts } from "@pixcharge/core"
import { type Bank, type BankHandler, makeHandler } from "@pixcharge/simulated-bank"
import type { Cnpj, Company } from "@pixcharge/core/party"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import {
  accountHolder,
  chargeId,
  chargeIssuer,
  chargeTxidAt,
  companies,
  companyEndpoints,
  companyFacts,
} from "./names.ts"
import { actAtBank } from "./bank/bankActions.ts"
import { apiPixClient, type BankOfApiPix } from "./bank/apiPixClient.ts"
import { makeBankCall, makeBankClient } from "./bank/BankClient.ts"
import { openBank } from "./bank/openBank.ts"
import { bankProcessorLayer } from "./bank/bankProcessor.ts"
import { takeByWebhook, takeDirectly } from "./bank/takeNotice.ts"
import { makeBooks } from "./Books.ts"
import { findStates } from "./census/findStates.ts"
import { Clients } from "./Clients.ts"
import { registrationOf } from "./chargeTerms.ts"
import { chooseBank, chooseFaultRates, chooseFocus, choosePublished, chooseWays, showsKeysTo } from "./conditions.ts"
import { endRun } from "./endRun.ts"
import { FaultDecisions } from "./FaultDecisions.ts"
import { Host } from "./Host.ts"
import { Hosts } from "./Hosts.ts"
import { Accounts } from "./judge/Accounts.ts"
import type { Evidence } from "./judge/Evidence.ts"
import type { StoreCall } from "./judge/describeWrite.ts"
import { shortName } from "./judge/names.ts"
import { Judge } from "./judge/Judge.ts"
import { Network } from "./Network.ts"
import { Notices } from "./Notices.ts"
import type { Action, Step } from "./Action.ts"
import { quiesceLeapMs } from "./quiesce.ts"
import { Receivers } from "./Receivers.ts"
import type { SimulationOptions } from "./SimulationOptions.ts"
import { makeStoreClient } from "./storeClient.ts"
import { RunStore } from "./RunStore.ts"
import { type Participants, takeStep } from "./takeStep.ts"
import { watchEndpoints } from "./watchEndpoints.ts"
import { watchProcessor } from "./watchProcessor.ts"
import { type Actor, usualLeapMs, World } from "./World.ts"

/** The time without faults at the start of a run, when charges are issued. */
const faultFreeMs = 800
/** In a longer gap between the steps of weeks, faults end some time after a step. Weeks then cost no more than a day. */
const longGapMs = 8 * 3_600_000
const troubledMs = 2 * 3_600_000

/** A receiver that answers 410 is disabled. */
const stopsEvents = (action: Action): boolean =>
  ["pause", "replayDead"].includes(action.do) || (action.do === "receiverDown" && action.status === 410)

export interface Shared {
  readonly store: Context.Context<StorePorts>
  readonly directory: Context.Context<CompanyDirectory | CallbackEndpoints>
  /** The companies of the directory. Their keys can move. */
  readonly facts: Array<Company>
}

/** One run: a world with the bank, the receivers and the processes under test. */
export class Simulation {
  readonly world: World
  readonly faults: FaultDecisions
  readonly judge: Judge
  readonly #evidence: Evidence
  readonly #network: Network
  readonly #bankOfApiPix: BankOfApiPix | undefined
  readonly #showsKeys: boolean
  readonly #bank: Bank
  readonly #handler: BankHandler
  readonly #notices: Notices
  readonly #receivers: Receivers
  readonly #clients: Clients
  readonly #hosts: Hosts<Host>
  readonly #store: RunStore
  readonly #options: SimulationOptions
  #isSetBack = false
  /** Until when the bank rejects the returns of a payment, by endToEndId. */
  readonly #rejectsUntil = new Map<string, number>()
  readonly #shared: Shared
  readonly #directory: Shared["directory"]

  constructor(options: SimulationOptions, shared: Shared) {
    const { seed, hosts = 2, muted = new Set() } = options
    this.#options = options
    this.#shared = shared
    this.#directory = watchEndpoints(shared.directory, (id, status) => this.judge.setEndpoint(id, status))
    const isOfUser = options.store !== undefined || options.processor !== undefined
    this.#bankOfApiPix = options.processor === undefined ? chooseBank(seed) : undefined
    this.world = new World(seed, isOfUser || this.#bankOfApiPix !== undefined)
    this.faults = new FaultDecisions(seed, chooseFaultRates(seed), muted)
    this.#network = new Network(this.world, (actor) => this.#hosts.kill(actor))
    const { ways } = this.#bankOfApiPix ?? { ways: chooseWays(seed) }
    this.#bank = openBank(this.world, this.faults, ways, {
      onCharge: (charge) => this.judge.bankChanged(charge),
      onMoney: (payment) => this.#notices.send(payment),
      rejects: (endToEndId) => this.world.now < (this.#rejectsUntil.get(endToEndId) ?? 0),
    })
    this.#receivers = new Receivers(this.world, this.#network, this.faults)
    this.#handler = makeHandler(this.#bank)
    const { ledger, ways: bankWays } = this.#bank
    const { listsAfterMs } = bankWays
    const { receipts } = this.#receivers
    this.#store = new RunStore(shared.store)
    const books = makeBooks(this.#store.ports)
    this.#showsKeys = this.#bankOfApiPix !== undefined || showsKeysTo(seed)
    const accounts = new Accounts(
      companyFacts.map(({ cnpj, pixKey }) => ({ cnpj, pixKey, holder: accountHolder(cnpj) })),
      this.#showsKeys,
    )
    const ofBank = { ledger, accounts, listsAfterMs, ways: bankWays }
    const endpoints = (issuer: Cnpj) => companyEndpoints(issuer, choosePublished(seed))
    this.#evidence = { companies, endpoints, books, ...ofBank, receipts }
    this.judge = new Judge(this.world, this.#network, this.#evidence)
    this.#clients = new Clients({ seed, world: this.world, ledger, accounts, judge: this.judge })
    this.#hosts = new Hosts(this.world, hosts, (actor) => this.#makeHost(actor))
    const take = this.#bankOfApiPix === undefined ? takeDirectly : takeByWebhook(this.#bank)
    this.#notices = new Notices(this.world, this.faults, this.#hosts, take, this.judge)
    this.#bank.returns.onRequested = this.judge.processor.judgeReturnOrder
    this.#receivers.onSent = this.judge.beginDelivery
    this.#receivers.onAttemptEnd = this.judge.endDelivery
    for (const place of companies.keys()) this.#registerFees(place, 0)
  }

  #makeHost(actor: Actor): Host {
    const { processor, recordStoreFailure: onFailure } = this.judge
    const around = { world: this.world, network: this.#network, faults: this.faults }
    const parts = { ...around, onCall: this.#onStoreCall, onFailure, onReturnRequested: processor.arrive }
    const bank = makeBankClient(parts, actor, this.#bank, this.#showsKeys)
    const client =
      this.#bankOfApiPix === undefined
        ? { processor: (this.#options.processor ?? bankProcessorLayer)(bank), notices: undefined }
        : apiPixClient(makeBankCall(parts, actor), this.faults, this.#handler, this.#bankOfApiPix.profile)
    const ports = {
      store: makeStoreClient(this.#store, actor, parts),
      directory: this.#directory,
      processor: watchProcessor(client.processor, actor, () => this.world.now, {
        call: this.judge.processor.begin,
        answer: this.judge.processor.end,
      }),
      notices: client.notices,
      delivery: this.#receivers.client(actor),
      published: choosePublished(this.#options.seed),
    }
    return new Host(this.world, actor, bank, ports, ({ name }, cause) =>
      this.judge.report("noDefects", `${name} ended by itself: ${Cause.pretty(cause)}`),
    )
  }

  readonly #onStoreCall = (caller: Actor) => {
    const judged = this.judge.beginStoreCall(caller)
    return (call: StoreCall) => {
      this.#store.remember(this.world.now, call)
      judged(call)
    }
  }

  /** Makes the store lose its last writes. A store that the caller provides isn't set back. */
  readonly #setBack = (ms: number): void => {
    if (this.#options.store !== undefined) return
    this.world.note("world", `the store is set back by ${ms} ms`)
    this.#hosts.killAll()
    this.#store.setBack(this.world.now - ms, this.#network)
    this.judge.setBack()
    this.#isSetBack = true
  }

  readonly #registerFees = (place: number, revision: number): void => {
    const { facts } = this.#shared
    const { fees: _, ...company } = facts[place] as Company
    const registration = registrationOf(this.#options.seed, place, revision)
    facts[place] = { ...company, ...registration }
    this.world.note("world", `${company.cnpj} registers fees ${revision}`)
    this.judge.terms.register(company.cnpj, registration, this.world.now)
  }

  readonly #changeAtBank: Participants["changeAtBank"] = (action) => {
    const { charge, amountCents } = action
    this.judge.terms.change({ issuer: chargeIssuer(charge), id: chargeId(charge) }, { amountCents })
    this.world.note(
      "bank",
      `is asked in its portal to change ${shortName(chargeTxidAt(charge))} to ${amountCents} cents`,
    )
    actAtBank(this.#bank, action)
  }

  readonly #swapKeys = (one: number, other: number): void => {
    const { facts } = this.#shared
    const keys = facts.map(({ pixKey }) => pixKey)
    const register = (place: number, pixKey = ""): void => {
      const company = { ...(facts[place] as Company), pixKey }
      facts[place] = company
      this.world.note("world", `${company.cnpj} registers ${pixKey}`)
      this.#evidence.accounts.moveKey(pixKey, company.cnpj, this.world.now)
    }
    register(one, keys[other])
    register(other, keys[one])
  }

  readonly #calm = (): void => {
    this.faults.calm()
    this.world.firstLeapMs = quiesceLeapMs
  }

  #endTroubles(): void {
    this.#calm()
    this.#receivers.comeBack()
    for (const payment of this.#bank.ledger.payments.values()) this.#bank.returns.block(payment, 0)
    this.#rejectsUntil.clear()
    this.#hosts.leaveOne()
    this.world.note("world", "nothing goes wrong any more")
  }

  async #pass(ms: number): Promise<void> {
    const until = this.world.now + ms
    await this.world.run(() => this.world.now >= until || this.judge.violations.length > 0)
  }

  /** Executes the plan, then ends the faults and lets everything finish. */
  async run(plan: ReadonlyArray<Step>): Promise<void> {
    const participants = {
      bank: this.#bank,
      receivers: this.#receivers,
      clients: this.#clients,
      hosts: this.#hosts,
      rejectReturns: (endToEndId: string, ms: number) => this.#rejectsUntil.set(endToEndId, this.world.now + ms),
      setBack: this.#setBack,
      swapKeys: this.#swapKeys,
      registerFees: this.#registerFees,
      changeAtBank: this.#changeAtBank,
    }
    const { rates: troubles } = this.faults
    this.faults.calm()
    let at = 0
    const areWeeks = chooseFocus(this.#options.seed) === "weeks"
    const trouble = (): void => {
      this.faults.rates = troubles
      this.world.firstLeapMs = usualLeapMs
    }
    for (const step of plan) {
      if (areWeeks && step.afterMs > longGapMs) {
        this.world.after(at + troubledMs, this.#calm)
        this.world.after(at + step.afterMs - 1, trouble)
      }
      at += step.afterMs
      this.world.after(at, () => takeStep(participants, step))
    }
    if (at > faultFreeMs) this.world.after(faultFreeMs, trouble)
    await this.#pass(at)
    this.#endTroubles()
    const { world, judge } = this
    await endRun({
      world,
      judge,
      network: this.#network,
      clients: this.#clients,
      ...this.#evidence,
      seed: this.#options.seed,
      skewMs: () => this.#hosts.findServing(0)?.actor.skewMs ?? 0,
      loseNotices: () => {
        this.faults.rates = { ...this.faults.rates, lostNotices: 1 }
      },
      take: (action) => takeStep(participants, { afterMs: 0, host: 0, action }),
      pass: (ms) => this.#pass(ms),
      hasStoppedEvents: plan.some(({ action }) => stopsEvents(action)),
      isSetBack: this.#isSetBack,
    })
  }

  findStates(): ReadonlySet<string> {
    return findStates({ history: this.world.history, ledger: this.#bank.ledger })
  }
}
