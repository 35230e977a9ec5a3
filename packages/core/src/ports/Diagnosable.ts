/** Result of one check of an adapter. */
export interface Finding {
  /** Name of the check in a word or two, such as `database`. */
  readonly check: string
  /** `skipped`: the check was impossible, or runs only on request. */
  readonly status: "ok" | "failed" | "skipped"
  /** One line: the state, and its remedy. Contains no secret, name, tax id or key. */
  readonly message: string
  /** A change to the adapter's configuration that corrects it. */
  readonly patch?: object
}

export interface DiagnosisOrder {
  /** Companies to check, by CNPJ, each with the Pix key whose webhook should be registered. */
  readonly companies?: Readonly<Record<string, string | undefined>>
  /**
   * Walks the bank of each company that has a key: makes charges of a few reais and cancels the unpaid ones. By default the
   * diagnosis writes to no bank.
   */
  readonly walk?: {
    /** Allows a walk of a bank's production, not only of its sandbox. */
    readonly inProduction: boolean
    /** A public https URL, registered as the webhook of a key without one, and removed afterwards. */
    readonly webhookUrl?: string
    /** Milliseconds to wait for a payment. Without one, the return isn't checked. */
    readonly waitMs: number
  }
}

/**
 * An optional part of an adapter's Layer that reports to `pix.diagnose` and `pixcharge doctor`, without booting, whether the
 * adapter could work.
 */
export interface Diagnosable {
  /** Doesn't migrate, register or send, unless a `walk` is requested. Reports problems as findings instead of rejecting. */
  readonly diagnose?: (order: DiagnosisOrder) => Promise<ReadonlyArray<Finding>>
}

/** An optional mark of a store's Layer: its data ends with the process, and the host hasn't accepted that. */
export interface Volatile {
  readonly isVolatile?: true
}
