/** How many checks of a lease's token a file of the store's SQL has, and the cases of its tests that hold them: histories hardly ever notice that one is missing. */
export const tokenChecks: Readonly<
  Record<string, { readonly checks: number; readonly heldBy: ReadonlyArray<string> }>
> = {
  "outbox/claimQueues.sql.ts": { checks: 1, heldBy: ["leased and released"] },
  "outbox/dueDeliveries.sql.ts": {
    checks: 1,
    heldBy: ["a lease that ends while sending reads nothing more once another has the queue"],
  },
  "outbox/queueLeases.sql.ts": { checks: 1, heldBy: ["a renewal of a lease that is taken over"] },
  "outbox/settleDeliveries.sql.ts": {
    checks: 2,
    heldBy: [
      "a settlement under a lease that is taken over",
      "a lease that ends while sending: the late settlement counts for nothing once another has the queue",
    ],
  },
}
