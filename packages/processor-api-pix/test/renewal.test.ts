import { PaymentProcessor } from "@pixcharge/core"
import { apiPix, type ApiPixConnection, type TlsIdentity } from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished } from "vitest"
import type { Identity } from "@pixcharge/verify/world"
import { account, certificates, company, connectionTo, openPsp } from "./bank/openBank.ts"

const minuteMs = 60_000
const dayMs = 86_400_000

const newIdentity = (endsAt: number) =>
  Effect.promise(async () => (await certificates()).authority.forClient(account.clientId, endsAt))

const identityFiles = () => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-certificate-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [cert, key] = [join(folder, "client.pem"), join(folder, "client.key")]
  return {
    write: (identity: Partial<Identity>) => {
      if (identity.cert !== undefined) writeFileSync(cert, identity.cert)
      if (identity.key !== undefined) writeFileSync(key, identity.key)
    },
    read: () => ({ cert: readFileSync(cert), key: readFileSync(key) }),
  }
}

const openWith = Effect.fnUntraced(function* (read: () => TlsIdentity) {
  const psp = yield* openPsp()
  const { ca } = (yield* Effect.promise(certificates)).authority
  const { cert: _, key: __, ...rest } = yield* Effect.promise(() => connectionTo(psp, company))
  const connection = { ...rest, ca: undefined, identity: () => ({ ...read(), ca }) } as ApiPixConnection
  const logged: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void logged.push(String([message].flat()[0])))])
  const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
  const context = yield* Layer.build(Layer.provideMerge(processor, logger))
  const { payments } = Context.get(context, PaymentProcessor)
  return {
    logged,
    call: Effect.provide(payments(company.cnpj, { from: 0, until: 1 }), context),
    /**
     * The number of tokens that the bank gave. The bank binds tokens to certificates, so a new certificate needs a new
     * token.
     */
    tokens: () => psp.exchanges.filter(({ path, status }) => path === "/oauth/token" && status === 200).length,
  }
})

describe("the certificate of a company", () => {
  it.effect("is read again every minute, so it can be renewed without a restart", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.now())
      const files = identityFiles()
      files.write(yield* newIdentity(Date.now() + 90 * dayMs))
      const { call, tokens, logged } = yield* openWith(files.read)
      yield* call
      yield* TestClock.adjust(minuteMs)
      yield* call
      expect(tokens()).toBe(1)
      const renewed = yield* newIdentity(Date.now() + 91 * dayMs)
      // Between the two writes, the key doesn't match the certificate.
      files.write({ cert: renewed.cert })
      yield* TestClock.adjust(2 * minuteMs)
      yield* call
      expect(tokens()).toBe(1)
      files.write({ key: renewed.key })
      yield* TestClock.adjust(minuteMs)
      yield* call
      expect(tokens()).toBe(2)
      expect(logged).toEqual([`The certificate of ${company.cnpj} could not be read again: the previous one stays`])
    }),
  )

  it.effect("causes one warning a day in the last 30 days before its end", () =>
    Effect.gen(function* () {
      const now = Math.floor(Date.now() / 1_000) * 1_000
      yield* TestClock.setTime(now)
      const endsAt = now + 30 * dayMs + 5 * minuteMs
      const identity = yield* newIdentity(endsAt)
      const { logged } = yield* openWith(() => identity)
      yield* TestClock.adjust(4 * minuteMs)
      expect(logged).toEqual([])
      yield* TestClock.adjust(minuteMs)
      const date = new Date(endsAt).toISOString().slice(0, 10)
      const warning = `The certificate of ${company.cnpj} ends on ${date}: renew it at the bank`
      expect(logged).toEqual([warning])
      yield* TestClock.adjust(dayMs - minuteMs)
      expect(logged).toEqual([warning])
      yield* TestClock.adjust(minuteMs)
      expect(logged).toEqual([warning, warning])
    }),
  )

  it.effect("causes warnings after its end until it is renewed", () =>
    Effect.gen(function* () {
      const now = Date.now()
      yield* TestClock.setTime(now)
      const endedAt = now - 10 * minuteMs
      let identity: TlsIdentity = yield* newIdentity(endedAt)
      const { logged } = yield* openWith(() => identity)
      yield* TestClock.adjust(minuteMs)
      const date = new Date(endedAt).toISOString().slice(0, 10)
      expect(logged).toEqual([`The certificate of ${company.cnpj} has ended on ${date}: renew it at the bank`])
      identity = yield* newIdentity(now + 90 * dayMs)
      yield* TestClock.adjust(dayMs + minuteMs)
      expect(logged).toHaveLength(1)
    }),
  )
})
