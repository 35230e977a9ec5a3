/** A regular expression that code made from strings, and its place, such as `core/src/brcode/PixKey.ts:11`. */
export interface MadeExpression {
  readonly place: string
  readonly expression: RegExp
}

/**
 * The place of the code that made the expression, as a package's file and line; undefined if it is outside the
 * packages.
 */
const callerPlace = (): string | undefined =>
  /\/packages\/(\S+:\d+):\d+\)?$/.exec(new Error().stack?.split("\n")[4] ?? "")?.[1]

export const recordMade = async (work: () => Promise<unknown>): Promise<ReadonlyArray<MadeExpression>> => {
  const made: Array<MadeExpression> = []
  const plain = globalThis.RegExp
  const record = (expression: RegExp): RegExp => {
    const place = callerPlace()
    if (place !== undefined) made.push({ place, expression })
    return expression
  }
  globalThis.RegExp = new Proxy(plain, {
    construct: (target, given, newTarget) => record(Reflect.construct(target, given, newTarget) as RegExp),
    apply: (target, self, given) => record(Reflect.apply(target, self, given) as RegExp),
  })
  try {
    await work()
  } finally {
    globalThis.RegExp = plain
  }
  return made
}
