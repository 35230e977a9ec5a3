import { ChargeArchive, ChargeStore, Outbox, Reconciliations } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { makeBooks } from "./Books.ts"
import { makeDeliveryQueue } from "./DeliveryQueue.ts"
import { makeChargeArchive } from "./MemoryChargeArchive.ts"
import { makeChargeStore } from "./MemoryChargeStore.ts"
import { makeOutbox } from "./MemoryOutbox.ts"
import { makeReconciliations } from "./MemoryReconciliations.ts"

/**
 * Every store port in the memory of this process: for tests, demonstrations and the sandbox. It is empty whenever it is
 * built, and what it holds ends with the process.
 */
export const memoryStore = (): Layer.Layer<ChargeStore | Outbox | ChargeArchive | Reconciliations> =>
  Layer.syncContext(() => {
    const books = makeBooks()
    const queue = makeDeliveryQueue()
    return Context.make(ChargeStore, makeChargeStore(books, queue)).pipe(
      Context.add(Outbox, makeOutbox(queue, books)),
      Context.add(ChargeArchive, makeChargeArchive(books)),
      Context.add(Reconciliations, makeReconciliations(books)),
    )
  })
