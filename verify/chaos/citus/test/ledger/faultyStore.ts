import { type Charge, ChargeStore, Outbox, type StorePorts } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Store = ChargeStore["Service"]
type Events = Outbox["Service"]

/** What a fault does in place of some calls of a store. */
export interface Fault {
  /** `elsewhere` is a store with other tables. */
  readonly store?: (store: Store, elsewhere: Store) => Partial<Store>
  readonly outbox?: (outbox: Events) => Partial<Events>
}

/** Of each ten calls the last goes the other way. */
const sometimes = <A, B>(right: (value: A) => B, wrong: (value: A) => B): ((value: A) => B) => {
  let calls = 0
  return (value) => (++calls % 10 === 0 ? wrong : right)(value)
}

interface FoundFault extends Fault {
  /** What the ledger must say of it. */
  readonly found: string
  /** How long a call may take, where the ledger is to say that one took longer. */
  readonly longestMs?: number
}

export const faults: Readonly<Record<string, FoundFault>> = {
  "acknowledges charges that it does not store": {
    found: "lost: its charge",
    store: ({ insert }) => ({ insert: sometimes(insert, () => Effect.succeed({ _tag: "Inserted" })) }),
  },
  "acknowledges payments that it does not record": {
    found: "lost: its payment",
    store: ({ commit }) => ({
      commit: sometimes(commit, ({ payments }) =>
        Effect.succeed({
          moved: true,
          freshPayments: payments.map(({ endToEndId }) => endToEndId),
          foreignPayments: [],
        }),
      ),
    }),
  },
  "stores charges in another place, too": {
    found: "doubled: charges",
    store: ({ insert }, elsewhere) => ({
      insert: sometimes(insert, (charge) => Effect.andThen(elsewhere.insert(charge), insert(charge))),
    }),
  },
  "stores charges in another place": {
    found: "misplaced: charges",
    store: (store, elsewhere) => {
      const strayed = new Set<string>()
      return {
        insert: sometimes(store.insert, (charge) => {
          strayed.add(charge.id)
          return elsewhere.insert(charge)
        }),
        find: (issuer, id) => (strayed.has(id) ? elsewhere : store).find(issuer, id),
        commit: (change) => (strayed.has(change.id) ? elsewhere : store).commit(change),
      }
    },
  },
  "moves charges without the payment": {
    found: "torn: ",
    store: ({ commit }) => ({ commit: sometimes(commit, (change) => commit({ ...change, payments: [] })) }),
  },
  "moves charges without their event": {
    found: "untold: ",
    store: ({ commit }) => ({ commit: sometimes(commit, (change) => commit({ ...change, deliveries: [] })) }),
  },
  "leases a queue to two hosts at once": {
    found: "told too often: ",
    outbox: ({ claim }) => ({ claim: (request) => claim({ ...request, leaseMs: 0 }) }),
  },
  "forgets what it has answered with": {
    found: "wrong failure: find",
    store: ({ find }) => {
      let calls = 0
      return { find: (issuer, id) => (++calls % 10 === 0 ? Effect.succeed(undefined) : find(issuer, id)) }
    },
  },
  "reads an earlier state": {
    found: "wrong answer: ",
    store: ({ find }) => {
      const first = new Map<string, Charge>()
      const look: Store["find"] = (issuer, id) =>
        Effect.tap(find(issuer, id), (charge) =>
          Effect.sync(() => charge !== undefined && !first.has(id) && first.set(id, charge)),
        )
      let calls = 0
      return { find: (issuer, id) => (++calls % 10 === 0 ? Effect.succeed(first.get(id)) : look(issuer, id)) }
    },
  },
  "answers late": {
    found: "hang: issue",
    longestMs: 300,
    store: ({ insert }) => ({ insert: sometimes(insert, (charge) => Effect.delay(insert(charge), 400)) }),
  },
}

/** A store with the fault, over a store and another place. */
export const faultyStore = (
  store: Layer.Layer<StorePorts, unknown>,
  elsewhere: Layer.Layer<StorePorts, unknown>,
  fault: Fault,
): Layer.Layer<StorePorts, unknown> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const ports = yield* Layer.build(store)
      const right = Context.get(ports, ChargeStore)
      const other = Context.get(yield* Layer.build(elsewhere), ChargeStore)
      const outbox = Context.get(ports, Outbox)
      return ports.pipe(
        Context.add(ChargeStore, { ...right, ...fault.store?.(right, other) }),
        Context.add(Outbox, { ...outbox, ...fault.outbox?.(outbox) }),
      )
    }),
  )
