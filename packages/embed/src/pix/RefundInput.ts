/** What may be said about the refund of a whole payment. */
export interface RefundInput {
  /**
   * Why the money goes back: 1 to 140 characters of ISO 8859-1, trimmed. It is kept with the refund, and sent to the bank, which
   * may show it to the payer. A repeat changes none; a refund that failed and is asked for again has the reason given then.
   */
  readonly reason?: string | undefined
}
