import { type Charge, ChargeStore, type Exchange, type Reply, type SeenCharge, StoreUnavailable } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { type TestPix, testPix, type TestPixOptions } from "@pixcharge/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { type CheckoutOptions, checkoutOf } from "../src/checkoutOf.ts"
import type { Pages } from "../src/Pages.ts"

/** What a store was asked, and whether it answers. */
export interface StoreLog {
  /** How many charges each look-up of watched charges was for. */
  readonly lookUps: Array<number>
  readonly finds: Array<string>
  isDown: boolean
  /** Companies whose shard is down: what was seen of them is left out of a look-up, and what wasn't fails it. */
  readonly down: Set<string>
}

/** As a store on a network takes it: what is asked for meanwhile is looked up together. */
const aMoment = Effect.promise(() => new Promise((resume) => setTimeout(resume, 20)))

const loggedStore = (log: StoreLog) =>
  Layer.effect(
    ChargeStore,
    Effect.map(ChargeStore, (store) => {
      const unless = <A>(asked: Effect.Effect<A, StoreUnavailable>) =>
        Effect.suspend(() => (log.isDown ? new StoreUnavailable({ operation: "changed", cause: "HTTP 503" }) : asked))
      return {
        ...store,
        find: (issuer: Charge["issuer"], id: Charge["id"]) => (log.finds.push(id), unless(store.find(issuer, id))),
        changed: (seen: ReadonlyArray<SeenCharge>) => {
          log.lookUps.push(seen.length)
          const isAsked = ({ issuer, version }: SeenCharge) => version === 0 && log.down.has(issuer)
          const answer = seen.some(isAsked)
            ? Effect.fail(new StoreUnavailable({ operation: "changed", cause: "no shard" }))
            : store.changed(seen.filter(({ issuer }) => !log.down.has(issuer)))
          return Effect.andThen(aMoment, unless(answer))
        },
      }
    }),
  ).pipe(Layer.provideMerge(memoryStore()))

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
})

/** Pages for tests of what is below them. */
const plainPages: Pages = {
  page: ({ path, state, expiresAt }) => (path === "" ? json(200, { state, expiresAt }) : undefined),
  problem: ({ kind, status, headers }) => json(status, { problem: kind }, headers),
  asset: (name) => (name === "a.js" ? json(200, "asset") : undefined),
}

export const url = "https://shop.example/pay"

/** A sandbox with a checkout, on a store that counts. */
export interface CheckoutWorld {
  readonly pix: TestPix
  readonly log: StoreLog
  /** The company. */
  readonly issuer: string
  /** An immediate charge of the company, or whatever is asked for. */
  readonly issue: (request?: {
    readonly issuer?: string
    readonly amountCents?: number
    readonly dueDate?: string
  }) => Promise<string>
  /** The path of a charge's page below the mount. */
  readonly pathOf: (id: string, lifeMs?: number, of?: string) => Promise<string>
  /** A request without a socket. */
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
  const log: StoreLog = { lookUps: [], finds: [], isDown: false, down: new Set() }
  const pix = testPix({
    ...pixOptions,
    store: loggedStore(log),
    checkout: checkoutOf(plainPages)({ url, ...options }),
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
    pathOf: async (id, lifeMs = 30 * 86_400_000, of = issuer) => {
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
