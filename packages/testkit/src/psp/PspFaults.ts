/** How one call goes wrong. */
export type PspFault =
  /** The connection breaks before anything is done. */
  | { readonly _tag: "RequestLost" }
  /** It is carried out, and the connection breaks. */
  | { readonly _tag: "AnswerLost" }
  /** Nothing is done, and no answer ever comes. */
  | { readonly _tag: "Hangs" }
  /** It is carried out, and no answer ever comes. */
  | { readonly _tag: "HangsAfter" }
  /** A status instead of the answer; nothing is done, or it is all the same. */
  | { readonly _tag: "Status"; readonly status: number; readonly retryAfter?: string; readonly applied?: boolean }
  /** It is carried out, and the answer is a page for people. */
  | { readonly _tag: "Garbage" }
  /** It is carried out and answered once it is let go; until then the same call again gets `meanwhile`, if that is given. */
  | { readonly _tag: "Held"; readonly released: Promise<void>; readonly meanwhile?: number }

/** A call as a fault sees it. */
export interface FaultedCall {
  readonly method: string
  /** Below the API's root; `/oauth/token` for tokens. */
  readonly path: string
}

interface Rule {
  readonly fault: PspFault
  readonly hits: (call: FaultedCall) => boolean
  times: number
}

/** The faults that the bank has for now. */
export interface PspFaults {
  /** The next `times` calls that it hits go wrong in this way; all of them unless told. Returns what ends it. */
  readonly add: (fault: PspFault, hits?: (call: FaultedCall) => boolean, times?: number) => () => void
  /**
   * The next call that it hits is under way until the function that this returns is called. Without `meanwhile`, the same
   * call again is carried out beside it; with it, it is refused with that status.
   */
  readonly hold: (hits: (call: FaultedCall) => boolean, meanwhile?: number) => () => void
  /** Takes the fault that hits a call. */
  readonly take: (call: FaultedCall) => PspFault | undefined
}

const isApi = ({ path }: FaultedCall): boolean => path !== "/oauth/token"

export const makeFaults = (): PspFaults => {
  const rules = new Set<Rule>()
  const add: PspFaults["add"] = (fault, hits = isApi, times = Number.POSITIVE_INFINITY) => {
    const rule = { fault, hits, times }
    rules.add(rule)
    return () => rules.delete(rule)
  }
  return {
    add,
    hold: (hits, meanwhile) => {
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      add({ _tag: "Held", released, ...(meanwhile !== undefined && { meanwhile }) }, hits, 1)
      return release
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
