import * as Redacted from "effect/Redacted"

/**
 * A matcher for `expect`: redacted prose that includes `part`. Without it, `expect` treats all `Redacted` values as
 * equal.
 */
export const saying = (part: string) => ({
  $$typeof: Symbol.for("jest.asymmetricMatcher"),
  asymmetricMatch: (prose: unknown): boolean =>
    Redacted.isRedacted(prose) && String(Redacted.value(prose)).includes(part),
  toString: () => "saying",
  toAsymmetricMatcher: () => `saying ${part}`,
})
