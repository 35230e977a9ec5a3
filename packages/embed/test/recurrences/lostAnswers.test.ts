import { ProcessorUnavailable } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { type SandboxProcessor, sandboxBank } from "@pixcharge/processor-sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { anOffer, cnpj, inBrasilia, openShop } from "./recurringShop.ts"

type Port = RecurrenceProcessor["Service"]
type Method = keyof Port
type When = "before" | "after"

const lost = (operation: string) => Effect.fail(new ProcessorUnavailable({ operation, cause: "the line is cut" }))

/** A bank whose first answer to a method is lost, before or after it ran the call. It lists the calls that it ran. */
const cut = (processor: SandboxProcessor, method: Method, when: When) => {
  const executed: Array<Method> = []
  let isCut = false
  const wrap = (port: Port): Port => {
    const calls = Object.entries(port).map(([name, call]) => {
      const runCall = call as (...given: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>
      return [
        name,
        (...given: ReadonlyArray<unknown>) =>
          Effect.suspend(() => {
            const isLost = name === method && !isCut
            isCut ||= isLost
            if (isLost && when === "before") return lost(name)
            executed.push(name as Method)
            return isLost ? Effect.andThen(runCall(...given), lost(name)) : runCall(...given)
          }),
      ]
    })
    return Object.fromEntries(calls) as Port
  }
  const layer = Layer.effectContext(
    Effect.map(Layer.build(processor), (context) =>
      Context.add(context, RecurrenceProcessor, wrap(Context.get(context, RecurrenceProcessor))),
    ),
  )
  return { processor: Object.assign(layer, { environment: "sandbox" as const }), executed, isCut: () => isCut }
}

const cases: ReadonlyArray<readonly [Method, When]> = (
  ["offer", "lookup", "charge", "lookupCharge", "cancelCharge", "retry", "end"] as const
).flatMap((method) => (["before", "after"] as const).map((when) => [method, when] as const))

/** Repeats an action two minutes later if it got no answer, as the error's message says. */
const persist = async (shop: ReturnType<typeof openShop>, act: () => Promise<unknown>): Promise<void> => {
  try {
    await act()
  } catch (error) {
    expect(error).toMatchObject({ _tag: "ProcessorUnavailable" })
    await shop.pix.clock.advance("2 minutes")
    await shop.settle()
    await act().catch(() => undefined)
  }
}

it.each(cases)(
  "neither doubles nor loses a debit when the answer to %s is lost %s the bank ran the call",
  async (method, when) => {
    const bank = sandboxBank()
    const { processor, isCut } = cut(bank.processor, method, when)
    await using shop = openShop({ processor })
    const { pix } = shop
    const offer = anOffer({ retries: "threeInSeven" })
    await persist(shop, () => pix.recurrences.offer(cnpj, offer))
    await pix.recurrences.play(cnpj, offer.id, "approve")
    await pix.recurrences.playDebit(cnpj, offer.id, "noBalance")
    await shop.goTo("2027-03-22", "21:30")
    const [first] = await shop.charges(offer.id)
    await persist(shop, () => pix.recurrences.retry(cnpj, first?.id ?? ""))
    await shop.goTo("2027-04-15")
    const [, second] = await shop.charges(offer.id)
    await persist(shop, () => pix.cancel(cnpj, second?.id ?? ""))
    await shop.goTo("2027-05-25")
    await persist(shop, () => pix.recurrences.end(cnpj, offer.id))
    await shop.goTo("2027-07-31")

    expect(isCut()).toBe(true)
    expect(await pix.recurrences.find(cnpj, offer.id)).toMatchObject({ status: "ended", end: { by: "company" } })
    expect((await shop.charges(offer.id)).map(({ status }) => status)).toEqual(["paid", "cancelled", "paid"])
    const days = ["2027-03-23", "2027-04-20", "2027-05-20"]
    const atBank = await Promise.all(
      days.map(async (day) => {
        const from = inBrasilia(day, "00:00")
        const { rows, differences } = await pix.comparison(cnpj, { from, until: from + 86_400_000 })
        return [rows.length, differences]
      }),
    )
    expect(atBank).toEqual([
      [1, 0],
      [0, 0],
      [1, 0],
    ])
    expect(shop.kinds().filter((kind) => kind === "paid")).toHaveLength(2)
  },
)
