import type { PaymentProcessor, StorePorts } from "@pixcharge/core"
import type { Company } from "@pixcharge/core/party"
import { type Bank, makeHandler } from "@pixcharge/simulated-bank"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import type * as Layer from "effect/Layer"
import { accountHolder, companies, companyEndpoints, companyFacts } from "./names.ts"
import { apiPixClient } from "./bank/apiPixClient.ts"
import { type BankClient, makeBankClient } from "./bank/BankClient.ts"
import { makeBankCall } from "./bank/callBank.ts"
import { openBank } from "./bank/openBank.ts"
import { bankProcessorLayer } from "./bank/bankProcessor.ts"
import { makeNotices, takeByWebhook, takeDirectly } from "./Notices.ts"
import { makeBooks, makeStoreClient, RunStore } from "./RunStore.ts"
import { Network, type Surroundings } from "./Network.ts"
import { Clients } from "./Clients.ts"
import { registrationOf } from "./chargeTerms.ts"
import { chooseBank, chooseFaultRates, choosePublished, chooseWays, showsKeysTo } from "./conditions.ts"
import { FaultDecisions } from "./FaultDecisions.ts"
import { type Directory, Host } from "./Host.ts"
import { Hosts } from "./Hosts.ts"
import { Accounts } from "./judge/Accounts.ts"
import type { Evidence } from "./judge/Evidence.ts"
import type { StoreCall } from "./judge/describeWrite.ts"
import { Judge } from "./judge/Judge.ts"
import type { Step } from "./Action.ts"
import { Receivers } from "./Receivers.ts"
import { watchEndpoints, watchProcessor } from "./watch.ts"
import { type Actor, World } from "./World.ts"

export const defaultHosts = 2

export interface SimulationOptions {
  /** An integer from 0 to 4 294 967 295. Any other number is reduced to 32 bits. */
  readonly seed: number
  /** The number of processes; by default 2. */
  readonly hosts?: number
  /** The number of steps; by default 24. */
  readonly steps?: number
  /** The store under test. Each build must be empty. By default `memoryStore`. */
  readonly store?: Layer.Layer<StorePorts, unknown>
  /** The processor under test, built for each process. By default it calls the simulated bank directly. */
  readonly processor?: (bank: BankClient) => Layer.Layer<PaymentProcessor, unknown>
  readonly plan?: ReadonlyArray<Step>
  readonly muted?: ReadonlySet<string>
}

interface Shared {
  readonly store: Context.Context<StorePorts>
  readonly directory: Directory
  /** The companies of the directory. Their keys can move. */
  readonly facts: Array<Company>
}

/** One run: a world with the bank, the receivers and the processes under test. */
export class Simulation implements Surroundings {
  readonly options: SimulationOptions
  readonly world: World
  readonly faults: FaultDecisions
  readonly network: Network
  readonly bank: Bank
  readonly receivers: Receivers
  readonly evidence: Evidence
  readonly judge: Judge
  readonly clients: Clients
  readonly hosts: Hosts<Host>
  isSetBack = false
  /** Until when the bank rejects the returns of a payment, by endToEndId. */
  readonly rejectsUntil = new Map<string, number>()
  readonly #store: RunStore
  readonly #shared: Shared

  constructor(options: SimulationOptions, shared: Shared) {
    const { seed, hosts = defaultHosts, muted = new Set() } = options
    this.options = options
    this.#shared = shared
    const bankOfApiPix = options.processor === undefined ? chooseBank(seed) : undefined
    this.world = new World(
      seed,
      options.store !== undefined || options.processor !== undefined || bankOfApiPix !== undefined,
    )
    this.faults = new FaultDecisions(seed, chooseFaultRates(seed), muted)
    this.network = new Network(this.world, (actor) => this.hosts.kill(actor))
    this.bank = openBank(this.world, this.faults, bankOfApiPix?.ways ?? chooseWays(seed), {
      onCharge: (charge) => this.judge.bankChanged(charge),
      onMoney: (payment) => sendNotice(payment),
      rejects: (endToEndId) => this.world.now < (this.rejectsUntil.get(endToEndId) ?? 0),
    })
    this.receivers = new Receivers(this)
    this.#store = new RunStore(shared.store)
    const { ledger, ways } = this.bank
    const showsKeys = bankOfApiPix !== undefined || showsKeysTo(seed)
    const published = choosePublished(seed)
    const facts = companyFacts.map(({ cnpj, pixKey }) => ({ cnpj, pixKey, holder: accountHolder(cnpj) }))
    this.evidence = {
      companies,
      endpoints: (issuer) => companyEndpoints(issuer, published),
      books: makeBooks(this.#store.ports),
      ledger,
      accounts: new Accounts(facts, showsKeys),
      listsAfterMs: ways.listsAfterMs,
      ways,
      receipts: this.receivers.receipts,
    }
    this.judge = new Judge(this.world, this.network, this.evidence)
    this.clients = new Clients(this)
    const handler = makeHandler(this.bank)
    const directory = watchEndpoints(shared.directory, this.judge.setEndpoint)
    this.hosts = new Hosts(this.world, hosts, (actor) => {
      const { processor: judged, recordStoreFailure: onFailure } = this.judge
      const parts = { ...this.#around, onCall: this.#onStoreCall, onFailure, onReturnRequested: judged.arrive }
      const bank = makeBankClient(parts, actor, this.bank, showsKeys)
      const client =
        bankOfApiPix === undefined
          ? { processor: (options.processor ?? bankProcessorLayer)(bank), notices: undefined }
          : apiPixClient(makeBankCall(parts, actor), this.faults, handler, bankOfApiPix.profile)
      const ports = {
        store: makeStoreClient(this.#store, actor, parts),
        directory,
        processor: watchProcessor(client.processor, actor, () => this.world.now, judged),
        notices: client.notices,
        delivery: this.receivers.client(actor),
        published,
      }
      return new Host(this.world, actor, bank, ports, ({ name }, cause) =>
        this.judge.report("noDefects", `${name} ended by itself: ${Cause.pretty(cause)}`),
      )
    })
    const take = bankOfApiPix === undefined ? takeDirectly : takeByWebhook(this.bank)
    const sendNotice = makeNotices(this.world, this.faults, this.hosts, take, this.judge)
    this.bank.returns.onRequested = this.judge.processor.judgeReturnOrder
    this.receivers.onSent = this.judge.beginDelivery
    this.receivers.onAttemptEnd = this.judge.endDelivery
    for (const place of companies.keys()) this.registerFees(place, 0)
  }

  get #around(): Surroundings {
    const { world, network, faults } = this
    return { world, network, faults }
  }

  readonly #onStoreCall = (caller: Actor) => {
    const judged = this.judge.beginStoreCall(caller)
    return (call: StoreCall) => {
      this.#store.remember(this.world.now, call)
      judged(call)
    }
  }

  /** Makes the store lose its last writes. A store that the caller provides isn't set back. */
  setBack(ms: number): void {
    if (this.options.store !== undefined) return
    this.world.note("world", `the store is set back by ${ms} ms`)
    this.hosts.killAll()
    this.#store.setBack(this.world.now - ms, this.network)
    this.judge.setBack()
    this.isSetBack = true
  }

  registerFees(place: number, revision: number): void {
    const { facts } = this.#shared
    const { fees: _, ...company } = facts[place] as Company
    const registration = registrationOf(this.options.seed, place, revision)
    facts[place] = { ...company, ...registration }
    this.world.note("world", `${company.cnpj} registers fees ${revision}`)
    this.judge.terms.register(company.cnpj, registration, this.world.now)
  }

  /** Two companies register each other's key. */
  swapKeys(one: number, other: number): void {
    const { facts } = this.#shared
    const keys = facts.map(({ pixKey }) => pixKey)
    const register = (place: number, pixKey = ""): void => {
      const company = { ...(facts[place] as Company), pixKey }
      facts[place] = company
      this.world.note("world", `${company.cnpj} registers ${pixKey}`)
      this.evidence.accounts.moveKey(pixKey, company.cnpj, this.world.now)
    }
    register(one, keys[other])
    register(other, keys[one])
  }

  async pass(ms: number): Promise<void> {
    const until = this.world.now + ms
    await this.world.run(() => this.world.now >= until || this.judge.violations.length > 0)
  }
}
