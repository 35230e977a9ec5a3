import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { inspect } from "node:util"
import { afterAll, expect, it } from "vitest"
import { createPix, isPixError, type SandboxPix } from "../src/index.ts"

const shop = "12345678000195"
const canary = "canary-of-a-payer"

const start = () =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [{ cnpj: shop, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }],
    }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

const id = randomUUID()
const request = { id, amountCents: 1990 }
const notice = { issuer: shop, endToEndId: "E".padEnd(32, "1"), amountCents: 1990, paidAt: 0 }
const period = { from: 0, until: 1 }
const odd: ReadonlyArray<unknown> = [undefined, null, 5, canary, [], [canary], {}, () => canary, Symbol(canary)]
const noText = odd.filter((value) => typeof value !== "string")

/** Arguments that plain JavaScript lets through. */
const calls: ReadonlyArray<readonly [name: string, arguments_: ReadonlyArray<ReadonlyArray<unknown>>]> = [
  [
    "issue",
    [
      ...odd.map((value) => [shop, value]),
      ...odd.map((value) => [value, request]),
      ...odd.map((value) => [shop, { ...request, id: value }]),
      ...odd.slice(1).map((value) => [shop, { ...request, payer: value }]),
      ...odd.slice(1).map((value) => [shop, { ...request, dueDate: value }]),
      ...noText.map((value) => [shop, { ...request, payer: { name: value, taxId: "12345678909" } }]),
      ...odd.map((value) => [shop, { ...request, payer: { name: "Ana", taxId: value } }]),
    ],
  ],
  ...["find", "cancel", "refund", "simulatePayment"].map(
    (name) => [name, [...odd.map((value) => [shop, value]), [shop, [id]]]] as const,
  ),
  [
    "simulatePayment",
    [
      ...odd.slice(1).map((value) => [shop, id, { outcome: value }]),
      ...odd.slice(1).map((value) => [shop, id, { amountCents: value }]),
      [shop, id, "paidTwice"],
    ],
  ],
  [
    "confirmPayment",
    [
      ...odd.map((value) => [value]),
      ...odd.map((value) => [{ ...notice, issuer: value }]),
      ...odd.slice(1).map((value) => [{ ...notice, txid: value }]),
      ...[...noText, [notice.endToEndId]].map((value) => [{ ...notice, endToEndId: value }]),
    ],
  ],
  ["tick", [...odd.map((value) => [value]), ...odd.map((value) => [{ deadlineMs: value }]).slice(0, 2)]],
  ["exceptions.resolve", noText.map((value) => [shop, notice.endToEndId, value])],
  ["payers.export", odd.map((value) => [shop, value])],
  ["payers.erase", odd.map((value) => [shop, value])],
  ["payers.show", [...odd.map((value) => [shop, value]), ...odd.map((value) => [value, id])]],
  ["story", [...odd.map((value) => [shop, value]), ...odd.map((value) => [value, id])]],
  ...["figures", "comparison", "reconcile"].map(
    (name) =>
      [
        name,
        [
          ...odd.map((value) => [shop, value]),
          ...odd.map((value) => [value, period]),
          ...odd.filter((value) => value !== 5).map((value) => [shop, { ...period, until: value }]),
        ],
      ] as const,
  ),
  [
    "exceptions.search",
    [...odd.map((value) => [shop, value]), ...odd.slice(1).map((status) => [shop, { ...period, status }])],
  ],
  ["exceptions.find", [...odd.map((value) => [shop, value]), ...odd.map((value) => [value, notice.endToEndId])]],
  ["events.endpoints", odd.map((value) => [value])],
  [
    "events.ping",
    [
      ...odd.map((value) => [shop, value]),
      ...odd
        .slice(1)
        .filter((key) => key !== canary)
        .map((key) => [shop, `callback-${shop}`, key]),
    ],
  ],
  ["directory.putCompany", odd.map((value) => [value])],
  ["directory.putReseller", odd.map((value) => [value])],
  ["directory.rotateKey", [...odd.map((value) => [value]), ...noText.slice(1).map((value) => [shop, value])]],
  ["directory.revokeKey", odd.map((value) => [value])],
  ["directory.setAssociated", odd.map((value) => [value, true])],
  ["directory.setWallet", odd.map((value) => [value, true])],
]

const call = (pix: SandboxPix, name: string, given: ReadonlyArray<unknown>): Promise<unknown> => {
  const path = name.split(".")
  const holder = path.slice(0, -1).reduce<object>((found, key) => Reflect.get(found, key) as object, pix)
  return Reflect.apply(Reflect.get(holder, path.at(-1) ?? "") as (...all: Array<unknown>) => Promise<unknown>, holder, [
    ...given,
  ])
}

const pix = start()
afterAll(() => pix.dispose())

it.each(calls)("%s rejects with an error that says what is mistaken, and never throws", async (name, every) => {
  await pix.ready()
  for (const given of every) {
    const error: unknown = await call(pix, name, given).then(
      () => "done",
      (reason: unknown) => reason,
    )
    expect(error, `${name}(${inspect(given)})`).toSatisfy(isPixError)
    expect(inspect(error)).not.toContain(canary)
  }
})

it("moves its clock by a duration alone, and repeats nothing of what isn't one", async () => {
  for (const by of [undefined, null, canary]) {
    const error: unknown = await call(pix, "clock.advance", [by]).catch((reason: unknown) => reason)
    expect(inspect(error)).toMatch(/^TypeError: clock.advance takes milliseconds/)
  }
})
