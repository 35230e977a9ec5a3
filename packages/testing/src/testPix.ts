import { InvalidOption } from "@pixcharge/core"
import { type CompanyInput, parseCompany } from "@pixcharge/core/directory"
import { createPix, type HostOptions, type PlainEvent, type SandboxOptions, type SandboxPix } from "@pixcharge/embed"
import { sandboxBank } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Result from "effect/Result"
import type { ChargePlay } from "./ChargePlay.ts"
import type { Cleanup } from "./Cleanup.ts"
import { localDelivery } from "./localDelivery.ts"
import { makeChargePlay } from "./makeChargePlay.ts"
import { makeRunDueWork } from "./makeRunDueWork.ts"
import { testCompany, testNow } from "./testCompany.ts"

/** A sandbox's options, without the options that `testPix` sets itself. */
export interface TestPixOptions
  extends
    Partial<Omit<SandboxOptions, "environment" | "processor" | "background" | "companies">>,
    HostOptions,
    Cleanup {
  /**
   * Fields of the test's company, like fees, grace days and callback. With your own `directory`, name its company and key for the
   * helpers of `TestPix`.
   */
  readonly company?: Partial<CompanyInput>
}

/** A sandbox for one test or one file of tests, with simulated payers and bank, and a frozen clock. */
export interface TestPix extends SandboxPix, ChargePlay {
  readonly company: CompanyInput
  readonly key: string
  /** The secret for requesting a token: CNPJ, bar and key in Base64 (decision 1). */
  readonly secret: string
  /** The events that `onEvent` has handled, in order. */
  readonly delivered: ReadonlyArray<PlainEvent>
  readonly clearDelivered: () => void
  /**
   * Does all due background work: delivers events, finds missed payments, ends refunds. The helpers, `clock.advance` and
   * `simulatePayment` call it; call it yourself after other actions of the host. Rejects with the error of `onEvent` if that
   * failed.
   */
  readonly runDueWork: () => Promise<void>
}

const refuseOwn = (options: object): void => {
  const name = ["environment", "processor", "background", "companies"].find(
    (own) => Reflect.get(options, own) !== undefined,
  )
  if (name === undefined) return
  const instead = name === "companies" ? ': give "company", or a "directory"' : ", which it sets itself"
  throw new InvalidOption({ message: `testPix: there is no option "${name}"${instead}.` })
}

const withDueWork = (clock: SandboxPix["clock"], runDueWork: () => Promise<void>): SandboxPix["clock"] => ({
  ...clock,
  advance: async (by) => {
    await clock.advance(by)
    await runDueWork()
  },
  runInPast: (to, work) =>
    clock.runInPast(to, async (moveTo) => {
      const result = await work(async (at, looksForPayments) => {
        // All work that is due at one time happens before the clock moves on.
        await runDueWork()
        await moveTo(at, looksForPayments)
        await runDueWork()
      })
      await runDueWork()
      return result
    }),
})

/**
 * A ready instance of pixcharge for tests of its host: on the memory store, with a company, a key and a secret. Its clock is
 * frozen at noon of 1 March 2027 in Brasília.
 * Tests are deterministic because it has no background work. Callbacks reach only this machine.
 *
 * @example
 * await using pix = testPix({ company: { fees: { fine: { kind: "percent", basisPoints: 200 } } } })
 * const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 10_000, dueDate: "2027-03-05" })
 * await pix.payLate(id, { days: 3 })
 * expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { amountCents: 10_200 } }])
 */
export const testPix = (options: TestPixOptions = {}): TestPix => {
  refuseOwn(options)
  const { company: overrides, onEvent, afterEach, afterAll, ...rest } = options
  const company = { ...testCompany, ...overrides }
  const { reseller: _, ...facts } = company
  const bank = sandboxBank()
  const delivered: Array<PlainEvent> = []
  const failures: Array<unknown> = []
  const pix = createPix({
    store: memoryStore(),
    directory: options.directory ?? memoryDirectory({ companies: [company] }),
    callbacks: localDelivery,
    tokens: { keys: [{ kid: "test", secret: "a secret of tests alone, known to all" }] },
    frozenAt: testNow,
    ...rest,
    environment: "sandbox",
    background: false,
    processor: bank.processor,
    onEvent: async (event) => {
      try {
        await onEvent?.(event)
      } catch (error) {
        failures.push(error)
        throw error
      }
      delivered.push(event)
    },
  })
  const runDueWork = makeRunDueWork(pix, failures)
  const clearDelivered = () => void delivered.splice(0)
  afterEach?.(clearDelivered)
  afterAll?.(pix.dispose)
  return {
    ...pix,
    ...makeChargePlay({
      pix,
      bank,
      company: Result.getOrThrow(parseCompany(facts, undefined)).company,
      runDueWork,
      ...(options.holidays && { holidays: options.holidays }),
    }),
    simulatePayment: async (issuer, id, play) => {
      const charge = await pix.simulatePayment(issuer, id, play)
      await runDueWork()
      return charge
    },
    clock: withDueWork(pix.clock, runDueWork),
    company,
    key: company.integratorKey,
    secret: Buffer.from(`${company.cnpj}|${company.integratorKey}`).toString("base64"),
    delivered,
    clearDelivered,
    runDueWork,
  }
}
