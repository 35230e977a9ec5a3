import { setTimeout as sleep } from "node:timers/promises"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { CallFailed, type Host } from "../hosts/Host.ts"
import type { Answer, Attempt, Operation, Sale, GivenAnswer } from "../judge/Evidence.ts"

/** Errors after which a caller repeats its correct call. */
const unanswered: ReadonlySet<string> = new Set([
  "BootFailure",
  "DirectoryUnavailable",
  "HostGone",
  "PixDisposed",
  "ProcessorUnavailable",
  "StoreUnavailable",
])

/** Errors that say that another refund is under way. The caller repeats its call until that refund ends. */
const waits: ReadonlySet<string> = new Set(["PartialRefundUnderWay", "ChargeRefunding"])

/** Refusals caused by another caller's action. */
const refusals: Readonly<Partial<Record<Operation, ReadonlyArray<string>>>> = {
  cancel: ["ChargeAlreadyPaid"],
  refund: ["ChargePartlyReturned"],
  refundPart: ["RefundExceedsRest"],
  "exceptions.refund": ["ExceptionClosed"],
  "exceptions.resolve": ["ExceptionClosed"],
}

const maxPauseMs = 100
/** When a call counts as hanging. Faults are shorter. */
const timeoutMs = 90_000

interface CallsOptions {
  readonly servingHosts: () => ReadonlyArray<Host>
  readonly bank: SimulatedBank
  readonly isSetBack: () => boolean
}

export interface Call {
  readonly operation: Operation
  readonly args: ReadonlyArray<unknown>
  readonly key?: string
}

interface Answered {
  readonly status: string
  readonly transactionId?: string
  readonly brCode?: string
  readonly payment?: { readonly endToEndId: string }
}

const readAnswer = (operation: Operation, answer: unknown): Answer => {
  const { status, transactionId, brCode, payment } = (
    operation === "refundPart" ? (answer as { readonly partialRefund: Answered }).partialRefund : answer
  ) as Answered
  return {
    status,
    ...(transactionId && { transactionId }),
    ...(brCode && { brCode }),
    ...(payment && !operation.startsWith("exceptions") && { settledBy: payment.endToEndId }),
  }
}

export class Calls {
  readonly sales: Array<Sale> = []
  readonly attempts: Array<Attempt> = []
  readonly surprises: Array<string> = []
  readonly bank: SimulatedBank
  readonly #options: CallsOptions
  #calls = 0
  ended = 0
  failed = 0
  /** If true, unanswered calls aren't repeated. */
  isAbandoned = false

  constructor(options: CallsOptions) {
    this.#options = options
    this.bank = options.bank
  }

  /** Makes the calls at the same time, through different hosts if possible. */
  async atOnce(sale: Sale, random: SeededRandom, calls: ReadonlyArray<Call>): Promise<void> {
    const first = random.between(0, 1_000)
    await Promise.all(calls.map((call, index) => this.#make(sale, call, first + index)))
  }

  async #make(sale: Sale, call: Call, place: number): Promise<void> {
    const { operation, key = "" } = call
    const callBeganAt = Date.now()
    const number = ++this.#calls
    for (let attempt = 0; !this.isAbandoned && Date.now() - callBeganAt < timeoutMs; attempt++) {
      const serving = this.#options.servingHosts()
      const host = serving[(place + attempt) % serving.length]
      const beganAt = Date.now()
      const ending = await this.#attempt(call, host)
      const endedAt = Date.now()
      const made = { call: number, operation, issuer: sale.issuer, beganAt, endedAt, host: host?.name ?? "" }
      if (typeof ending !== "string") {
        this.attempts.push(made)
        sale.answers.push({ operation, key, beganAt: callBeganAt, endedAt, ...ending })
        this.ended += 1
        return
      }
      this.attempts.push({ ...made, failure: ending })
      this.failed += 1
      await sleep(Math.random() * maxPauseMs)
    }
    this.surprises.push(`surprise: ${operation} of charge ${sale.id} has no end`)
  }

  async #attempt(
    { operation, args }: Call,
    host: Host | undefined,
  ): Promise<Pick<GivenAnswer, "answer" | "refusal"> | string> {
    if (host === undefined) return "HostGone"
    try {
      const answer = readAnswer(operation, await host.call(operation, ...args))
      return answer.status === "refunding" && operation !== "find" ? "refunding" : { answer }
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      const { tag } = error
      if (unanswered.has(tag) || waits.has(tag)) return tag
      const isExpected = refusals[operation]?.includes(tag) === true || this.#options.isSetBack()
      if (!isExpected)
        this.surprises.push(
          `surprise: ${operation} ${JSON.stringify(args)} failed at ${host.name} with ${error.message}`,
        )
      return { refusal: tag }
    }
  }
}
