import { CallbackDelivery, type StorePorts } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import type { Company } from "@pixcharge/core/party"
import { createPix, type Pix } from "@pixcharge/embed"
import type { ApiPixConnection, ApiPixOptions } from "@pixcharge/processor-api-pix"
import { apiPix } from "@pixcharge/processor-api-pix"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import type { BankOptions, SimulatedBank } from "@pixcharge/simulated-bank"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { onTestFinished, vi } from "vitest"
import { noticeAddress } from "../../src/notices/noticeAddress.ts"
import { answerMs } from "../../src/notices/takeClaims.ts"
import { company, connectionTo, noticeSecrets, openPsp, otherCompany } from "./openBank.ts"

export const integratorKey = ({ cnpj }: Company): string => `chave de ${cnpj}`

export const registration = ({ cnpj, name, city, pixKey, graceDays, genericPayer }: Company) => ({
  cnpj,
  name,
  city,
  pixKey,
  graceDays,
  integratorKey: integratorKey({ cnpj } as Company),
  ...(genericPayer && { genericPayer }),
})

export const noticeUrl = ({ cnpj }: Pick<Company, "cnpj">): string =>
  `/webhooks/api-pix${noticeAddress(noticeSecrets, cnpj)}`

export const noCallbacks = Layer.succeed(CallbackDelivery, { deliver: () => Effect.die("no callback is registered") })

/** Returns the console output, with 0 in place of each fiber's number. */
export const loggedBy = async (run: () => Promise<unknown>): Promise<string> => {
  const logged = vi.spyOn(console, "log").mockReturnValue()
  try {
    await run()
    return logged.mock.calls.map((line) => line.join(" ").replace(/\(#\d+\)/, "(#0)")).join("\n")
  } finally {
    logged.mockRestore()
  }
}

/**
 * Holds back the deadline of a notice's answer, because a busy machine could miss it. The returned effect lets the
 * deadline pass.
 */
export const holdAnswerTime = (): Effect.Effect<unknown> => {
  const clock = Context.get(Context.empty(), Clock.Clock)
  const { sleep } = clock
  const passed = Latch.makeUnsafe(false)
  const sleeping = vi.spyOn(clock, "sleep")
  sleeping.mockImplementation((duration) =>
    Duration.toMillis(duration) === answerMs ? passed.await : sleep.call(clock, duration),
  )
  onTestFinished(() => sleeping.mockRestore())
  return passed.open
}

export const doWhatIsDue = async (pix: Pix): Promise<void> => {
  while ((await pix.tick({ deadlineMs: 60_000 })).more);
}

export interface ShopOptions {
  /** The bank of another shop. This shop doesn't have that shop's books. */
  readonly at?: SimulatedBank
  readonly psp?: Partial<BankOptions>
  readonly connection?: Partial<ApiPixConnection>
  readonly recurrences?: true
  readonly apiPix?: Omit<ApiPixOptions, "companies">
  readonly companies?: ReadonlyArray<Company>
  readonly store?: Layer.Layer<StorePorts, unknown>
  readonly background?: false
}

export const openShop = (options: ShopOptions = {}) =>
  Effect.gen(function* () {
    const companies = options.companies ?? [company, otherCompany]
    const psp = options.at ?? (yield* openPsp(options.psp))
    const connections = yield* Effect.promise(() =>
      Promise.all(companies.map(async (one) => [one.cnpj, await connectionTo(psp, one, options.connection)] as const)),
    )
    const bank = apiPix({ companies: Object.fromEntries(connections), noticeSecrets, ...options.apiPix })
    const events: Array<PixEvent> = []
    const pix = yield* Effect.acquireRelease(
      Effect.sync(() =>
        createPix({
          environment: "production",
          store: options.store ?? memoryStore({ inProduction: true }),
          directory: memoryDirectory({ companies: companies.map(registration) }),
          ...(options.recurrences && { recurrences: true }),
          ...(options.background === false && { background: false }),
          processor: bank.processor,
          notices: bank.notices,
          callbacks: noCallbacks,
          onEvent: (event) => void events.push(event),
          tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
        }),
      ),
      (open) => Effect.promise(open.dispose),
    )
    yield* Effect.promise(pix.ready)
    return { psp, bank, pix, events }
  })
