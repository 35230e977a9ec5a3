import { RecurrenceProcessor, RecurrenceStore } from "@pixcharge/core/recurring"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { createPix } from "../../src/index.ts"
import { anOffer, cnpj, noon } from "./recurringShop.ts"

/** A store that records the names of calls about recurrences. */
const countingStore = (calls: Array<string>) =>
  Layer.effectContext(
    Effect.map(Layer.build(memoryStore()), (context) => {
      const known = Context.get(context, RecurrenceStore)
      const counted = new Proxy(known, {
        get: (port, name) => (calls.push(String(name)), Reflect.get(port, name) as unknown),
      })
      return Context.add(context, RecurrenceStore, counted)
    }),
  )

const parts = { environment: "sandbox", companies: [{ cnpj, name: "Loja", city: "Recife", pixKey: cnpj }] } as const

const live = async (calls: Array<string>, recurrences: boolean): Promise<void> => {
  await using pix = createPix({
    ...parts,
    store: countingStore(calls),
    processor: sandboxProcessor(),
    frozenAt: noon,
    background: false,
    recurrences,
  })
  const id = randomUUID()
  await pix.issue(cnpj, { id, amountCents: 1_990 })
  await pix.simulatePayment(cnpj, id)
  await pix.clock.advance("2 days")
  while ((await pix.tick({ deadlineMs: 60_000 })).more);
  await pix.refund(cnpj, id)
  await pix.payers.erase(cnpj, "52998224725")
}

it("calls the store about recurrences only with the option `recurrences`", async () => {
  const [without, withThem]: [Array<string>, Array<string>] = [[], []]
  await live(without, false)
  await live(withThem, true)
  expect(without).toEqual([])
  expect(withThem).toContain("claim")
})

it("names the missing option in the error of each call about recurrences", async () => {
  await using pix = createPix({ ...parts, store: memoryStore(), processor: sandboxProcessor(), background: false })
  for (const call of [
    pix.recurrences.offer(cnpj, anOffer()),
    pix.recurrences.list(cnpj),
    pix.recurrences.retry(cnpj, randomUUID()),
    pix.recurrences.play(cnpj, randomUUID(), "approve"),
  ]) {
    await expect(call).rejects.toMatchObject({
      _tag: "InvalidOption",
      message: "pix.recurrences needs the option recurrences of createPix: recurrences: true.",
    })
  }
})

it("fails to boot with a processor that can't debit", async () => {
  const debits = sandboxProcessor()
  const processor = Object.assign(
    Layer.effectContext(Effect.map(Layer.build(debits), (context) => Context.omit(RecurrenceProcessor)(context))),
    { environment: "sandbox" as const },
  )
  await using pix = createPix({ ...parts, store: memoryStore(), processor: processor as never, recurrences: true })
  await expect(pix.ready()).rejects.toMatchObject({
    _tag: "BootFailure",
    message: expect.stringContaining("the option recurrences needs a processor that debits"),
  })
})
