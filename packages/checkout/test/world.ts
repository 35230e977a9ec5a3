import { ChargeStore, type Exchange, type Reply, type SeenCharge, StoreUnavailable } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import { memoryStore } from "@pixcharge/store-memory"
import { type TestPix, testPix, type TestPixOptions } from "@pixcharge/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { pass, settle } from "@pixcharge/verify/clock"
import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import { checkout, type CheckoutOptions } from "../src/checkout.ts"

export interface StoreLog {
  /** The number of charges of each look-up. */
  readonly lookUps: Array<number>
  readonly finds: Array<string>
  isDown: boolean
  failures: number
  /** Companies whose shard is down: a look-up omits charges that were read before, and fails for other charges. */
  readonly down: Set<string>
}

// The real function, even if a test has stopped the clock.
const later = setTimeout

/** A network delay: requests that come during a look-up share the next look-up. */
const delay = Effect.promise(() => new Promise((resume) => void later(resume, 20)))

let underWay = 0

/** Advances the stopped clock in steps of 100 ms, and waits for running look-ups after each step. */
export const passAnswered = async (seconds: number): Promise<void> => {
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    await pass(0.1)
    await expect.poll(() => underWay, { interval: 5 }).toBe(0)
    await settle()
  }
}

const loggedStore = (log: StoreLog) =>
  Layer.effect(
    ChargeStore,
    Effect.map(ChargeStore, (store) => {
      const unlessDown = <A>(call: Effect.Effect<A, StoreUnavailable>) =>
        Effect.suspend(() => {
          if (!log.isDown) return call
          log.failures++
          return new StoreUnavailable({ operation: "changed", cause: "HTTP 503" })
        })
      return {
        ...store,
        find: (issuer: Charge["issuer"], id: Charge["id"]) => (log.finds.push(id), unlessDown(store.find(issuer, id))),
        changed: (seen: ReadonlyArray<SeenCharge>) => {
          log.lookUps.push(seen.length)
          underWay++
          const isUnseen = ({ issuer, version }: SeenCharge) => version === 0 && log.down.has(issuer)
          const answer = seen.some(isUnseen)
            ? Effect.fail(new StoreUnavailable({ operation: "changed", cause: "no shard" }))
            : store.changed(seen.filter(({ issuer }) => !log.down.has(issuer)))
          return Effect.andThen(delay, unlessDown(answer)).pipe(Effect.ensuring(Effect.sync(() => underWay--)))
        },
      }
    }),
  ).pipe(Layer.provideMerge(memoryStore()))

export const url = "https://shop.example/pay"

export interface CheckoutWorld {
  readonly pix: TestPix
  readonly log: StoreLog
  readonly issuer: string
  /** Issues a charge, by default an immediate charge of the company, and returns its id. */
  readonly issue: (request?: {
    readonly issuer?: string
    readonly amountCents?: number
    readonly dueDate?: string
  }) => Promise<string>
  /** The path of a charge's page below the mount. */
  readonly makePath: (id: string, lifeMs?: number, of?: string) => Promise<string>
  /** Sends a request without a socket. */
  readonly call: (
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly headers: Reply["headers"]; readonly body: string } | undefined>
}

export const checkoutWorld = (
  options: Partial<CheckoutOptions> = {},
  pixOptions: TestPixOptions = {},
): CheckoutWorld => {
  const log: StoreLog = { lookUps: [], finds: [], isDown: false, failures: 0, down: new Set() }
  const pix = testPix({
    ...pixOptions,
    store: loggedStore(log),
    checkout: checkout({ url, ...options }),
  })
  const issuer = pix.company.cnpj
  return {
    pix,
    log,
    issuer,
    issue: async ({ issuer: of = issuer, ...request } = {}) => {
      const { id } = await pix.issue(of, { id: randomUUID(), amountCents: 10_000, ...request })
      return id
    },
    makePath: async (id, lifeMs = 30 * 86_400_000, of = issuer) => {
      const link = await pix.checkout.link(of, id, { expiresAt: pix.clock.now() + lifeMs })
      return link.slice(url.length)
    },
    call: async (method, path, headers = {}) => {
      const { signal } = new AbortController()
      const body = async () => ({ _tag: "Text", text: "" }) as const
      const exchange: Exchange = { method, url: path, fullUrl: path, header: (name) => headers[name], body, signal }
      const reply = await pix.respond(exchange)
      if (reply === undefined) return undefined
      if (reply.body instanceof ReadableStream) await reply.body.cancel()
      return { status: reply.status, headers: reply.headers, body: typeof reply.body === "string" ? reply.body : "" }
    },
  }
}
