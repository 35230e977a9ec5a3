/** Planted faults that the simulation must find besides those of each rule: of terms, ends and further events. */
export const faults = [
  {
    rule: "eventForEachTransition",
    defect: "A charge counts as expired before a look-up has shown that.",
    file: "services/reconcile/checks.ts",
    text: "|| !provesExpiry(charge, sentAt)) {",
    replacement: ") {",
  },
  {
    rule: "eventForEachTransition",
    defect: "Each look-up of an expired charge publishes another event.",
    file: "model/charge/chargeEvents.ts",
    text: '...chargeFacts(charge, "expired", companyName, payableUntil),',
    replacement: '...chargeFacts(charge, "expired", companyName, payableUntil),\n      id: `evt_${charge.version}`,',
  },
  {
    rule: "eventForEachTransition",
    defect: "A further payment of a charge isn't published as an exception.",
    file: "services/charges/ChargeMoves.ts",
    text: "...(exceptions.length > 0 && { exceptions }),",
    replacement: "",
    seed: 34,
  },
  {
    rule: "eventForEachTransition",
    defect: "A cancellation isn't published.",
    file: "model/charge/decide.ts",
    text: '...(isCancellationTold(charge, by) && { news: [{ kind: "cancelled", by }] }),',
    replacement: "",
    seed: 17,
  },
  {
    rule: "eventForEachTransition",
    defect: "A kind is published that the instance hasn't chosen.",
    file: "services/events/hostDelivery.ts",
    text: "if (!published.includes(kind)) return []",
    replacement: "",
  },
  {
    rule: "bankAsksForTerms",
    defect: "A tier of a discount is sent after its date.",
    file: "model/charge/RequestedTerms.ts",
    text: "const isOpen = (tier: { readonly daysBefore: number }) => tierDate(dueDate, tier) >= day",
    replacement: 'const isOpen = (tier: { readonly daysBefore: number }) => day > "" || tierDate(dueDate, tier) >= day',
  },
  {
    rule: "bankAsksForTerms",
    defect: "A charge gets the days of grace of the registration in place of its own.",
    file: "model/charge/Issue.ts",
    text: "return { ...others, graceDays: graceDays(issue), ...(fees && { fees }) }",
    replacement: "return { ...others, ...(fees && { fees }) }",
  },
  {
    rule: "refusalsAreTrue",
    defect: "A request for the same fees is refused as a conflict.",
    file: "model/charge/Issue.ts",
    text: "areSame(contractTerms, charge, request) && isSameValidity(charge, request) && areSame(hostTerms, charge, request)",
    replacement:
      "areSame(contractTerms, charge, request) && isSameValidity(charge, request) && areSame(hostTerms, { ...charge, requested: undefined }, request)",
  },
  {
    rule: "nothingWaitsForEver",
    defect: "A request of many that is given up last gets no result.",
    file: "services/charges/issueMany.ts",
    text: "Stream.concat(Stream.fromEffectDrain(run.endedEarly)),",
    replacement: "",
  },
]
