/** A further planted fault that the simulation must find: a text that occurs once in a file of `src`, and its replacement. */
export const faults = [
  {
    rule: "eventsKeepTheirTime",
    defect: "Only the last attempt at a delivery is kept.",
    file: "MemoryOutbox.ts",
    text: "delivery.history = [...delivery.history, attempt]",
    replacement: "delivery.history = [attempt]",
    seed: 16,
  },
]
