/**
 * The required fields of a JSON object, by name. Effect's Schema would make a receiver start four times as slowly and handle
 * events half as fast.
 */
export interface JsonShape {
  readonly [name: string]: "string" | "number" | "unknown" | true | JsonShape
}

export type Shaped<S> = {
  readonly [K in keyof S]: S[K] extends "string"
    ? string
    : S[K] extends "number"
      ? number
      : S[K] extends "unknown"
        ? unknown
        : S[K] extends true
          ? true
          : Shaped<S[K]>
}

const isShaped = (value: unknown, expected: JsonShape[string]): boolean => {
  if (typeof expected === "object") return hasShape(value, expected)
  return expected === "unknown" || (expected === true ? value === true : typeof value === expected)
}

/** The value of a JSON text; undefined for invalid JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const hasShape = <const S extends JsonShape>(value: unknown, shape: S): value is Shaped<S> => {
  if (typeof value !== "object" || value === null) return false
  for (const name in shape) {
    if (!isShaped((value as Record<string, unknown>)[name], shape[name] as JsonShape[string])) return false
  }
  return true
}
