import * as DateTime from "effect/DateTime"

type Instant = `${string}At` | `${string}Until`

/** A value with each instant (epoch milliseconds) also in ISO 8601, in UTC: `paidAt`, `paidAtIso`. */
export type WithIso<T> = T extends string | number | boolean | undefined
  ? T
  : T extends ReadonlyArray<unknown>
    ? { readonly [K in keyof T]: WithIso<T[K]> }
    : { readonly [K in keyof T]: WithIso<T[K]> } & {
        readonly [K in keyof T as K extends Instant ? `${K}Iso` : never]: string
      }

const isInstant = (name: string, value: unknown): value is number =>
  typeof value === "number" && (name.endsWith("At") || name.endsWith("Until"))

export const addIso = <T>(value: T): WithIso<T> => {
  if (typeof value !== "object" || value === null) return value as WithIso<T>
  if (Array.isArray(value)) return value.map(addIso) as WithIso<T>
  const fields = Object.entries(value).flatMap(([name, field]): Array<[string, unknown]> =>
    isInstant(name, field)
      ? [
          [name, field],
          [`${name}Iso`, DateTime.formatIso(DateTime.makeUnsafe(field))],
        ]
      : [[name, addIso(field)]],
  )
  return Object.fromEntries(fields) as WithIso<T>
}
