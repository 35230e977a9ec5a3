/** How often pages poll that have no stream, in seconds. */
export const pollSeconds = 5

/** Why a payer's request gets no page. */
export interface Problem {
  readonly kind:
    /** The link is not signed by us, or has no such page below it (404). */
    | "unknown"
    /** The link has expired (410). */
    | "expired"
    /** The store or the directory can't be asked at the moment (503). */
    | "unavailable"
    /** The host issued no new charge (503). */
    | "renewalFailed"
    /** The path has no such method (405). */
    | "method"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

const retrySoon = { "retry-after": String(pollSeconds) }

export const problems = {
  unknown: { kind: "unknown", status: 404, headers: {} },
  expired: { kind: "expired", status: 410, headers: {} },
  unavailable: { kind: "unavailable", status: 503, headers: retrySoon },
  renewalFailed: { kind: "renewalFailed", status: 503, headers: retrySoon },
} as const satisfies Readonly<Record<string, Problem>>

export const wrongMethod = (allow: string): Problem => ({ kind: "method", status: 405, headers: { allow } })
