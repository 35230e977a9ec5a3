import { PaymentProcessor, ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import type { ChangedCharge } from "@pixcharge/core/charges"
import { type SandboxProcessor, sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { createPix, type SandboxPix } from "../src/index.ts"

const cnpj = "12345678000195"

type Bank = PaymentProcessor["Service"]
type Ending = (done: ChangedCharge) => ReturnType<Bank["change"]>

/** A sandbox whose bank carries out a change, and then answers as `ending` says. */
const openedWith = (ending: Ending, changes: "offered" | "missing" = "offered"): SandboxPix => {
  const inner = sandboxProcessor()
  const bank = Layer.effect(
    PaymentProcessor,
    Effect.map(PaymentProcessor, (processor) => ({
      ...processor,
      changes: () => Effect.succeed(changes),
      change: (order: Parameters<Bank["change"]>[0]) => Effect.flatMap(processor.change(order), ending),
    })),
  )
  const processor = Object.assign(Layer.provideMerge(bank, inner), { environment: "sandbox" as const })
  return createPix({
    environment: "sandbox",
    store: memoryStore(),
    companies: [{ cnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com" }],
    processor: processor as unknown as SandboxProcessor,
    background: false,
  })
}

const runChecks = async (pix: SandboxPix): Promise<void> => {
  while ((await pix.tick({ deadlineMs: 5_000 })).more);
}

it("pix.change says that the bank gave the charge another code", async () => {
  const codes = ["second", "second", "third"]
  await using pix = openedWith((done) => Effect.succeed({ ...done, brCode: codes.shift() ?? "" }))
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
  const change = (key: string, amountCents: number) => pix.change(cnpj, id, { key, amountCents })
  expect(await change("a", 1_490)).toMatchObject({ isNewCode: true, charge: { brCode: "second" } })
  expect(await change("b", 1_390)).toMatchObject({ isNewCode: false, charge: { brCode: "second" } })
  expect(await change("c", 1_290)).toMatchObject({ isNewCode: true, charge: { brCode: "third" } })
  expect(await change("b", 1_390)).toMatchObject({ number: 3, isNewCode: false })
})

it("pix.change rejects if the bank refuses, also when it is repeated, and the charge keeps its terms", async () => {
  const refusal = new ProcessorRejected({ operation: "change", reason: Redacted.make("valor inválido") })
  await using pix = openedWith(() => Effect.fail(refusal))
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
  for (const _ of [1, 2]) {
    const error = await pix.change(cnpj, id, { key: "a", reference: "pedido 7" }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ _tag: "ChangeRejected", id })
    expect(Redacted.value((error as { reason: Redacted.Redacted }).reason)).toBe("valor inválido")
  }
  const charge = await pix.find(cnpj, id)
  expect(charge).not.toHaveProperty("reference")
  expect(charge.termsHistory).toMatchObject([
    { status: "inForce" },
    { status: "refused", reference: "pedido 7", rejection: "valor inválido", refusedAtIso: expect.any(String) },
  ])
})

it("pix.change is resumed by the charge's next check if the bank's answer is lost", async () => {
  let lost = 2
  const outage = new ProcessorUnavailable({ operation: "change", cause: undefined })
  await using pix = openedWith((done) => (lost-- > 0 ? Effect.fail(outage) : Effect.succeed(done)))
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990, payableForSeconds: 3_600 })
  const change = { key: "a", reference: "pedido 7" }
  for (const _ of [1, 2]) {
    await expect(pix.change(cnpj, id, change)).rejects.toMatchObject({ _tag: "ProcessorUnavailable" })
    expect((await pix.find(cnpj, id)).termsHistory).toMatchObject([{ status: "inForce" }, { status: "requested" }])
  }
  const other = pix.change(cnpj, id, { key: "b", amountCents: 990 })
  await expect(other).rejects.toMatchObject({ _tag: "ChangeUnderWay", key: "a" })
  await pix.clock.advance("2 minutes")
  await runChecks(pix)
  expect(await pix.find(cnpj, id)).toMatchObject({ reference: "pedido 7", termsHistory: [{}, { status: "inForce" }] })
  expect(await pix.change(cnpj, id, change)).toMatchObject({ number: 2 })
})

it("a change that its charge's payment or cancellation overtook is unanswered", async () => {
  const outage = new ProcessorUnavailable({ operation: "change", cause: undefined })
  await using pix = openedWith(() => Effect.fail(outage))
  for (const end of [(id: string) => pix.simulatePayment(cnpj, id), (id: string) => pix.cancel(cnpj, id)]) {
    const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
    await expect(pix.change(cnpj, id, { key: "a", amountCents: 1_490 })).rejects.toThrow()
    await end(id)
    expect((await pix.find(cnpj, id)).termsHistory).toMatchObject([{ status: "inForce" }, { status: "unanswered" }])
  }
})

it("pix.change refuses before anything moves at a bank without changes", async () => {
  await using pix = openedWith(() => Effect.die("the bank was called"), "missing")
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
  const change = pix.change(cnpj, id, { key: "a", amountCents: 1_490 })
  await expect(change).rejects.toMatchObject({ _tag: "ChargeNotChangeable", because: "bank" })
  expect(await pix.find(cnpj, id)).not.toHaveProperty("termsHistory")
})
