const callsOnly = "two processes do the same work: that costs calls, which are safe to repeat"
const orderOnly = "it sets the order of locks alone: the statement's own write locks the row, too, and judges it anew"
const oncePerEvent = "an event is sent or counted once more, which receivers must bear"
const noUpkeep = "no history erases a payer, archives charges or purges deliveries"
const noTokens = "no history revokes a token"

/** Locks of the store's SQL that histories don't look for: how many of a file, why, and the cases of its tests that hold them. */
export const unplantedLocks: ReadonlyArray<{
  readonly file: string
  readonly why: string
  readonly heldBy: ReadonlyArray<string>
}> = [
  {
    file: "checks/dueChecks.sql.ts",
    why: callsOnly,
    heldBy: [
      "charges whose check has come",
      "charges whose checks a clock ahead has ended",
      "charges whose check a clock ahead has set",
      "exceptions whose check has come",
      "exceptions whose check a clock ahead has set",
    ],
  },
  {
    file: "checks/dueChecks.sql.ts",
    why: "in no history a charge moves between the reading of its check and the locking of its row",
    heldBy: ["a check of a charge that moves on"],
  },
  {
    file: "reconciliations/reconciliations.sql.ts",
    why: callsOnly,
    heldBy: ["companies whose reconciliation has come"],
  },
  { file: "outbox/claimQueues.sql.ts", why: oncePerEvent, heldBy: ["queues whose lease has ended"] },
  { file: "outbox/queueLeases.sql.ts", why: oncePerEvent, heldBy: ["a renewal of a lease that is taken over"] },
  {
    file: "outbox/settleDeliveries.sql.ts",
    why: oncePerEvent,
    heldBy: ["a settlement under a lease that is taken over"],
  },
  {
    file: "outbox/settleDeliveries.sql.ts",
    why: "in no history a delivery is given up while it is superseded",
    heldBy: ["the end of a delivery that is superseded"],
  },
  {
    file: "charges/commitCharges.sql.ts",
    why: orderOnly,
    heldBy: [
      "a commit locks a payment before it records its returns, as a move of its exception does",
      "the deliveries that a move withdraws",
    ],
  },
  { file: "outbox/operations.sql.ts", why: orderOnly, heldBy: ["a withdrawal of what is withdrawn"] },
  {
    file: "outbox/operations.sql.ts",
    why: "a replay must meet the commit of a refund, which too few histories bring about",
    heldBy: ["the replay waits for the refund, and replays nothing"],
  },
  {
    file: "outbox/operations.sql.ts",
    why: noUpkeep,
    heldBy: ["a replay of what is purged", "delivered events to purge", "superseded events to purge"],
  },
  { file: "payers/payerData.sql.ts", why: noUpkeep, heldBy: ["the charges of a payer who is erased"] },
  { file: "archive/archiveCharges.sql.ts", why: noUpkeep, heldBy: ["charges to archive"] },
  { file: "tokens/revokedTokens.sql.ts", why: noTokens, heldBy: ["revoked tokens to forget"] },
]
