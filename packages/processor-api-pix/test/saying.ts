import * as Redacted from "effect/Redacted"

/** For `expect`: an error whose prose includes `part`. `expect` takes all values of `Redacted` for equal. */
export const saying = (part: string) => ({
  $$typeof: Symbol.for("jest.asymmetricMatcher"),
  asymmetricMatch: (prose: unknown): boolean =>
    Redacted.isRedacted(prose) && String(Redacted.value(prose)).includes(part),
  toString: () => "saying",
  toAsymmetricMatcher: () => `saying ${part}`,
})
