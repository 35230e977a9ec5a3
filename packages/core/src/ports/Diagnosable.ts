/** What was found when something was checked that a service needs. */
export interface Finding {
  /** What was checked, in a word or two: `database`. */
  readonly check: string
  /** `skipped`: it could not be checked, or only by what somebody has to ask for. */
  readonly status: "ok" | "failed" | "skipped"
  /** One line: what is so, and what to do where it is wrong. No secret, name, document or key is in it. */
  readonly message: string
  /** What the adapter's configuration should have in place of what it has, where the check shows it. */
  readonly patch?: object
}

/** What a diagnosis is told, since nothing but the host knows it. */
export interface DiagnosisOrder {
  /** Companies to look at, by CNPJ, with the Pix key whose webhook is to be registered; undefined if none is to be. */
  readonly companies?: Readonly<Record<string, string | undefined>>
  /**
   * Walks the bank of each company that is named with a key: it makes charges of a few reais, and cancels what isn't paid. Absent,
   * nothing is made anywhere.
   */
  readonly walk?: {
    /** Whether a bank's production may be walked: otherwise only its sandbox. */
    readonly inProduction: boolean
    /** A public https URL: it is registered as the key's webhook if the key has none, and removed again. */
    readonly webhookUrl?: string
    /** How long to wait for a payment of the charge, in milliseconds: the return needs one. */
    readonly waitMs: number
  }
}

/**
 * What an adapter's Layer may have besides: it says whether it could work, and changes nothing. `pix.diagnose` and
 * `pixcharge doctor` ask for it without booting; `postgresStore`, `postgresDirectory`, `citusStore` and `apiPix` have it.
 */
export interface Diagnosable {
  /** Neither migrates nor registers nor sends anything, unless a `walk` is ordered; never rejects for what it looks for. */
  readonly diagnose?: (order: DiagnosisOrder) => Promise<ReadonlyArray<Finding>>
}

/** What a store's Layer may have besides: what it holds ends with the process, and its host hasn't said that it may. */
export interface Volatile {
  readonly isVolatile?: true
}
