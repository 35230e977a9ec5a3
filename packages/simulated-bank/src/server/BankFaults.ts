export type BankFault =
  /** The connection breaks before the call is executed. */
  | { readonly _tag: "RequestLost" }
  /** The call is executed, then the connection breaks. */
  | { readonly _tag: "AnswerLost" }
  /** The call is not executed, and no answer comes. */
  | { readonly _tag: "Hangs" }
  /** The call is executed, but no answer comes. */
  | { readonly _tag: "HangsAfter" }
  /** The caller gets this status instead of the answer. The call is executed only if `applied`. */
  | { readonly _tag: "Status"; readonly status: number; readonly retryAfter?: string; readonly applied?: boolean }
  /** The call is executed, but the answer is an HTML page. */
  | { readonly _tag: "Garbage" }
  | LateAnswer

export type LateAnswer =
  | SlowFault
  /** The call is executed and answered once it is released. */
  | HeldFault

/** The call is executed, and its answer comes after `ms` milliseconds. */
export interface SlowFault {
  readonly _tag: "Slow"
  readonly ms: number
  /** The bank works on only this many of these calls at a time. Default: all. */
  readonly atOnce?: number
}

export interface Holding {
  /** The status of repeats until the release; by default they are executed as well. */
  readonly meanwhile?: number
  /** The connection breaks immediately, as if the caller gave up. */
  readonly isCut?: true
}

/** A call that stays under way until its release. */
export interface HeldFault extends Holding {
  readonly _tag: "Held"
  readonly released: Promise<void>
  readonly arrive: () => void
}

export interface FaultedCall {
  /** `NOTICE` for a notice of a recurrence or of a cycle's charge. */
  readonly method: string
  /** The path below the API's root; `/oauth/token` for tokens; `/notice/rec` and `/notice/cobr` for notices. */
  readonly path: string
}

interface Rule {
  readonly fault: BankFault
  readonly hits: (call: FaultedCall) => boolean
  times: number
}

export interface BankFaults {
  /** Makes the next `times` matching calls fail, by default all. Returns a function that removes the fault. */
  readonly add: (fault: BankFault, hits?: (call: FaultedCall) => boolean, times?: number) => () => void
  /** Holds the next matching call. `arrived` resolves when the call comes; `release` lets it continue. */
  readonly hold: (
    hits: (call: FaultedCall) => boolean,
    how?: Holding,
  ) => { readonly arrived: Promise<void>; readonly release: () => void }
  /** Uses up the fault that hits a call. */
  readonly take: (call: FaultedCall) => BankFault | undefined
}

const isApi = ({ method, path }: FaultedCall): boolean => path !== "/oauth/token" && method !== "NOTICE"

const makeSignal = (): readonly [promise: Promise<void>, fulfil: () => void] => {
  let fulfil = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    fulfil = resolve
  })
  return [promise, fulfil]
}

export const makeFaults = (): BankFaults => {
  const rules = new Set<Rule>()
  const add: BankFaults["add"] = (fault, hits = isApi, times = Number.POSITIVE_INFINITY) => {
    const rule = { fault, hits, times }
    rules.add(rule)
    return () => rules.delete(rule)
  }
  return {
    add,
    hold: (hits, how) => {
      const [arrived, arrive] = makeSignal()
      const [released, release] = makeSignal()
      add({ ...how, _tag: "Held", released, arrive }, hits, 1)
      return { arrived, release }
    },
    take: (call) => {
      for (const rule of rules) {
        if (rule.times > 0 && rule.hits(call)) {
          rule.times -= 1
          return rule.fault
        }
      }
      return undefined
    },
  }
}
