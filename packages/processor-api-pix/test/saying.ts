import * as Redacted from "effect/Redacted"

/** For `expect`: an error's prose that has this in it. All values of `Redacted` look equal to `expect`. */
export const saying = (part: string) => ({
  $$typeof: Symbol.for("jest.asymmetricMatcher"),
  asymmetricMatch: (prose: unknown): boolean =>
    Redacted.isRedacted(prose) && String(Redacted.value(prose)).includes(part),
  toString: () => "saying",
  toAsymmetricMatcher: () => `saying ${part}`,
})
