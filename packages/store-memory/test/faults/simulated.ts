/** Faults that the simulation finds, one for each rule: a text that occurs once in a file of `src`, and its replacement. */
export const faults = [
  {
    rule: "eventForEachTransition",
    defect: "A charge moves and its event is not written.",
    file: "MemoryChargeStore.ts",
    text: "this.#queue(row.charge, deliveries, next.updatedAt)",
    replacement: "void deliveries",
  },
  {
    rule: "nothingWaitsForEver",
    defect: "A check whose process died is not claimed by another process.",
    file: "MemoryDueChecks.ts",
    text: "setChargeCheck(row, isTaken ? now + leaseMs : lookUpAt)",
    replacement: "setChargeCheck(row, isTaken ? Number.NaN * leaseMs : lookUpAt)",
  },
  {
    rule: "factsAreRecorded",
    defect: "A payment that moves no charge is not recorded.",
    file: "MemoryChargeStore.ts",
    text: "for (const payment of change.payments) {",
    replacement: "for (const payment of change.next === undefined ? [] : change.payments) {",
  },
  {
    rule: "oneMoveFromEachVersion",
    defect: "The store moves a charge by a move that was decided on any version.",
    file: "MemoryChargeStore.ts",
    text: "|| row.charge.version !== expectedVersion) return false",
    replacement: "|| expectedVersion < 0) return false",
    seed: 86,
  },
  {
    rule: "leasesFence",
    defect: "A delivery is settled, and read, by a process whose lease of the queue was lost.",
    file: "MemoryOutbox.ts",
    text: "return queue.lease?.token === token ? queue : undefined",
    replacement: 'return token === "" ? undefined : queue',
    seed: 207,
  },
]
