import type { CycleView, RecurrenceProcessor } from "@pixcharge/core/recurring"
import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import { sandboxBank } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { changeBank } from "./changeBank.ts"
import { openStore } from "./openPair.ts"
import { anOffer, cnpj, inBrasilia, openShop } from "./recurringShop.ts"

type Port = RecurrenceProcessor["Service"]
type Terms = CycleView["terms"]

/** Banks by the terms of a charge that they show. */
const banks: Readonly<Record<string, (terms: Terms) => Terms>> = {
  "amount and due date": (terms) => terms,
  "only the amount": (terms) => terms && { amountCents: terms.amountCents },
  "no terms": () => undefined,
}

/**
 * A bank that counts look-ups of cycles' charges. The flags of `line` make it refuse orders, show an older state, or not
 * answer.
 */
const watchedBank = (showTerms: (terms: Terms) => Terms) => {
  const { processor } = sandboxBank()
  const line = { lookups: 0, isDown: false, isOld: false, isRefusing: false }
  const statusByTxid = new Map<string, Effect.Effect<string, ProcessorUnavailable>>()
  const watch = (port: Port): Port => ({
    ...port,
    charge: (order) => {
      if (line.isRefusing) {
        return Effect.fail(new ProcessorRejected({ operation: "charge", reason: Redacted.make("not now") }))
      }
      const { charge } = order
      const status = Effect.map(port.lookupCharge(charge), ({ debit }) => debit.status)
      return Effect.tap(port.charge(order), () => Effect.sync(() => statusByTxid.set(charge.txid, status)))
    },
    lookupCharge: (charge) => {
      line.lookups++
      if (line.isDown) return Effect.fail(new ProcessorUnavailable({ operation: "lookupCharge", cause: "no answer" }))
      const shown = Effect.map(port.lookupCharge(charge), ({ terms, ...view }) => {
        const shownTerms = showTerms(terms)
        return shownTerms === undefined ? view : { ...view, terms: shownTerms }
      })
      return line.isOld
        ? Effect.succeed({ status: "unknown", payments: [], returns: [], debit: { status: "absent", attempts: [] } })
        : shown
    },
  })
  /** The states of the bank's charges, in the order of their creation. */
  const standings = () => Effect.runPromise(Effect.all(Array.from(statusByTxid.values())))
  return { line, standings, processor: changeBank(processor, watch) }
}

type Shop = ReturnType<typeof openShop>

/** Restores books to the state after `known`. The bank also knows the changes of `forgotten`, which the books lack. */
const openRestored = async (
  showTerms: (terms: Terms) => Terms,
  over: Partial<Parameters<typeof anOffer>[0]>,
  known: (shop: Shop, id: string) => Promise<unknown>,
  forgotten: (shop: Shop, id: string, line: ReturnType<typeof watchedBank>["line"]) => Promise<unknown>,
) => {
  const { line, standings, processor } = watchedBank(showTerms)
  const opened = await openStore()
  const offer = anOffer(over)
  const before = openShop({ processor })
  const backup = openShop({ processor, store: opened.store })
  for (const shop of [before, backup]) {
    await shop.pix.recurrences.offer(cnpj, offer)
    await shop.settle()
  }
  await known(backup, offer.id)
  await backup.pix.dispose()
  await before.settle()
  await forgotten(before, offer.id, line)
  await before.pix.dispose()
  const shop = openShop({ processor, store: opened.store, frozenAt: inBrasilia("2027-03-16", "14:00") })
  const skip = (cycle = 1) => shop.pix.recurrences.skip(cnpj, offer.id, cycle)
  return {
    shop,
    line,
    standings,
    skip,
    id: offer.id,
    [Symbol.asyncDispose]: async () => {
      await shop.pix.dispose()
      await opened[Symbol.asyncDispose]()
    },
  }
}

const approve = async ({ pix, settle }: Shop, id: string) => {
  await pix.recurrences.play(cnpj, id, "approve")
  await settle()
}

const varying = { amountCents: undefined }
const charge = ({ pix }: Shop, id: string, amountCents = 5_000) =>
  pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents })

for (const [what, showTerms] of Object.entries(banks)) {
  describe(`a skip after a restored backup, at a bank that shows ${what}`, () => {
    it("cancels the charge that the bank has scheduled, before the payer pays it", async () => {
      await using restored = await openRestored(showTerms, varying, approve, async (shop, id) => {
        await shop.goTo("2027-03-16")
        await charge(shop, id)
      })
      const { shop, skip, id } = restored
      await skip()
      expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["cancelled"])
      await shop.goTo("2027-03-23")
      expect(await restored.standings()).toEqual(["cancelled"])
    })

    it("finds a charge of a fixed amount", async () => {
      await using restored = await openRestored(showTerms, {}, approve, (shop) => shop.goTo("2027-03-16"))
      await restored.skip()
      await restored.shop.goTo("2027-03-23")
      expect(await restored.standings()).toEqual(["cancelled"])
    })

    it("finds a recurrence's approval and charge that the books lack", async () => {
      await using restored = await openRestored(
        showTerms,
        varying,
        async () => undefined,
        async (shop, id) => {
          await approve(shop, id)
          await shop.goTo("2027-03-16")
          await charge(shop, id)
        },
      )
      await restored.skip()
      expect(await restored.standings()).toEqual(["cancelled"])
    })

    it("finds the charge that replaced a cancelled charge", async () => {
      await using restored = await openRestored(showTerms, varying, approve, async (shop, id) => {
        await shop.goTo("2027-03-15")
        const first = await charge(shop, id)
        await shop.pix.cancel(cnpj, first.id)
        await charge(shop, id, 4_000)
      })
      await restored.skip()
      await restored.shop.goTo("2027-03-23")
      expect(await restored.standings()).toEqual(["cancelled", "cancelled"])
    })

    it("finds the charge that followed orders refused by the bank", async () => {
      await using restored = await openRestored(showTerms, varying, approve, async (shop, id, line) => {
        await shop.goTo("2027-03-15")
        line.isRefusing = true
        for (let refused = 1; refused <= 3; refused++) await charge(shop, id)
        line.isRefusing = false
        await charge(shop, id, 4_000)
      })
      await restored.skip()
      await restored.shop.goTo("2027-03-23")
      expect(await restored.standings()).toEqual(["cancelled"])
    })

    it("finds the replacement of a charge that is open in the books", async () => {
      const known = async (shop: Shop, id: string) => {
        await approve(shop, id)
        await shop.goTo("2027-03-15")
        await charge(shop, id)
      }
      await using restored = await openRestored(showTerms, varying, known, async (shop, id) => {
        await shop.goTo("2027-03-15", "13:00")
        const first = await charge(shop, id)
        await shop.pix.cancel(cnpj, first.id)
        await charge(shop, id, 4_000)
      })
      await restored.skip()
      expect(await restored.standings()).toEqual(["cancelled", "cancelled"])
    })

    it("skips no cycle while the bank gives no answer", async () => {
      await using restored = await openRestored(showTerms, varying, approve, async (shop, id) => {
        await shop.goTo("2027-03-16")
        await charge(shop, id)
      })
      const { shop, line, skip, id } = restored
      line.isDown = true
      await expect(skip()).rejects.toMatchObject({ _tag: "ProcessorUnavailable" })
      expect(await shop.pix.recurrences.find(cnpj, id)).not.toHaveProperty("skipped")
      line.isDown = false
      await skip()
      await shop.goTo("2027-03-23")
      expect(await restored.standings()).toEqual(["cancelled"])
    })

    it("looks the charge up again if the bank showed an older state", async () => {
      await using restored = await openRestored(showTerms, varying, approve, async (shop, id) => {
        await shop.goTo("2027-03-16")
        await charge(shop, id)
      })
      const { shop, line, skip } = restored
      line.isOld = true
      await skip()
      line.isOld = false
      await shop.goTo("2027-03-16", "15:00")
      await shop.goTo("2027-03-23")
      expect(await restored.standings()).toEqual(["cancelled"])
    })

    it("doesn't call the bank before the cycle's window, because no charge can exist", async () => {
      await using restored = await openRestored(showTerms, varying, approve, async () => undefined)
      const { shop, line, skip, id } = restored
      line.lookups = 0
      line.isDown = true
      expect(await skip(2)).toMatchObject({ skipped: [[2, 2]] })
      expect(line.lookups).toBe(0)
      expect(await shop.charges(id)).toEqual([])
    })
  })
}

it("finds the charge that the books lack when the bank refuses a new order because of it", async () => {
  await using restored = await openRestored(
    (terms) => terms,
    varying,
    approve,
    async (shop, id, line) => {
      await shop.goTo("2027-03-15")
      line.isRefusing = true
      await charge(shop, id)
      line.isRefusing = false
      await charge(shop, id, 4_000)
    },
  )
  const { shop, id } = restored
  expect(await charge(shop, id)).toMatchObject({ status: "pending", amountCents: 4_000, cycle: { generation: 2 } })
  await shop.goTo("2027-03-23")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["cancelled", "paid"])
  expect(shop.kinds()).not.toContain("payment-failed")
})
