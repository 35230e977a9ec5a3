import type * as Redacted from "effect/Redacted"

/**
 * What a processor says for people: a bank may quote the payer's name or document. It prints as `<redacted>` wherever an
 * error is logged; `Redacted.value` reads it.
 */
export type Prose = Redacted.Redacted<string>
