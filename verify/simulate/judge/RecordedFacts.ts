import type { Charge, PaymentException } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { chargesBehind } from "./chargesBehind.ts"
import type { Evidence } from "./Evidence.ts"
import type { ComparedFacts } from "./listRules.ts"
import { type Facts, lostFacts } from "./lostFacts.ts"
import { chargeKey, paymentKey, shortName } from "./names.ts"
import { mayBeAdopted } from "./paymentRules.ts"
import type { Rule } from "./rules.ts"
import type { Standings } from "./Standings.ts"

interface Judging {
  readonly evidence: Evidence
  readonly charges: Standings<Charge>
  readonly exceptions: Standings<PaymentException>
  readonly report: (rule: Rule, what: string) => void
}

export class RecordedFacts {
  readonly #judging: Judging

  constructor(judging: Judging) {
    this.#judging = judging
  }

  /** The facts must be in the books of the company, or of another company of its account. */
  judge(facts: Facts, rule: Rule = "factsAreRecorded"): Effect.Effect<void, unknown> {
    const { evidence, report } = this.#judging
    return Effect.map(lostFacts(evidence.books, facts, this.#sharing(facts.issuer)), (missing) => {
      for (const what of missing) report(rule, `${what} is not in the books`)
    })
  }

  /** Compared payments must be in the books, and their charges in the state that follows from them. */
  judgeCompared(facts: ComparedFacts): Effect.Effect<void, unknown> {
    const { evidence, charges, exceptions, report } = this.#judging
    const isFree = (endToEndId: string): boolean => {
      const states = exceptions.since(paymentKey({ issuer: facts.issuer, endToEndId }), facts.until)
      return states.length > 0 && states.every(mayBeAdopted)
    }
    return Effect.map(chargesBehind(evidence.books, facts, isFree), (behind) => {
      for (const behindIt of behind) {
        const { txid, _tag } = behindIt
        const states = charges.since(chargeKey(behindIt), facts.until)
        const isBehind = states.length > 0 && states.every((charge) => charge._tag === _tag)
        if (isBehind) report("comparedMeansRecorded", `${shortName(txid)} was compared with the bank, but is ${_tag}`)
      }
    })
  }

  #sharing(issuer: Cnpj): ReadonlyArray<Cnpj> {
    const { companies, accounts } = this.#judging.evidence
    return companies.filter((one) => accounts.holder(one) === accounts.holder(issuer))
  }
}
