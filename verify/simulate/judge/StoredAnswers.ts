import type { Charge, PaymentException } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Standing } from "./Answers.ts"
import type { Evidence } from "./Evidence.ts"
import { shortName } from "./names.ts"
import type { Rule } from "./rules.ts"

export interface Reading {
  readonly execute: <A, E>(doing: Effect.Effect<A, E>, onEnd: (exit: Exit.Exit<A, E>) => void) => void
}

/** Judges that the books contain each state that a client got, or a later version of it. */
export class StoredAnswers {
  readonly #books: Evidence["books"]
  readonly #reading: Reading
  readonly #report: (rule: Rule, what: string) => void

  constructor(books: Evidence["books"], reading: Reading, report: (rule: Rule, what: string) => void) {
    this.#books = books
    this.#reading = reading
    this.#report = report
  }

  readonly charge = ({ issuer, id, version, _tag }: Charge): void =>
    this.#judge(shortName(id), { version, _tag }, this.#books.charge(issuer, id))

  /** Accepts a missing exception, because its payment can have become a charge's. */
  readonly exception = ({ payment: { issuer, endToEndId }, version, state }: PaymentException): void => {
    const answered = { version, _tag: state._tag }
    const read = Effect.map(this.#books.exception(issuer, endToEndId), (stored) =>
      stored === undefined ? answered : { version: stored.version, _tag: stored.state._tag },
    )
    this.#judge(`exception ${shortName(endToEndId)}`, answered, read)
  }

  #judge(name: string, answered: Standing, read: Effect.Effect<Standing | undefined, unknown>): void {
    this.#reading.execute(read, (exit) => {
      if (Exit.isFailure(exit)) return
      const { version, _tag } = exit.value ?? { version: 0, _tag: "unknown" }
      if (version > answered.version || (version === answered.version && _tag === answered._tag)) return
      const what = `${name} was answered as ${answered._tag} v${answered.version}, but is ${_tag} v${version} in the books`
      this.#report("answersAreStored", what)
    })
  }
}
