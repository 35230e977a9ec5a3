import { type Cents, centsFromReais, reaisFromCents } from "@pixcharge/core/money"
import * as Result from "effect/Result"

/** `added`: optional, and not in a brief body. */
type Presence = "optional" | "added"

type AnyField = readonly [name: string, codec: Codec<unknown>, presence?: Presence]

/** Writes a value as JSON and reads it back. */
export interface Codec<A> {
  /** A brief text has no `added` fields. */
  readonly encode: (value: A, isBrief: boolean) => string
  /** Reads a value from parsed JSON; undefined for an invalid value. */
  readonly decode: (json: unknown) => A | undefined
  /** An object's fields, for the table in docs/events.md. */
  readonly fields?: ReadonlyArray<AnyField>
}

type Field<A, Name extends keyof A> =
  object extends Pick<A, Name>
    ? readonly [name: string, codec: Codec<Exclude<A[Name], undefined>>, presence: Presence]
    : readonly [name: string, codec: Codec<A[Name]>]

/** Every field, in the order of its JSON. */
export type Fields<A> = { readonly [Name in keyof A]-?: Field<A, Name> }

/** A codec of an object with these fields. Decoding ignores unknown fields, and optional fields that are empty or malformed. */
export const object = <A extends object>(fields: Fields<A>): Codec<A> => {
  const all = Object.entries(fields as Readonly<Record<string, AnyField>>).map(([field, [name, codec, presence]]) => ({
    field: field as keyof A,
    name,
    prefix: `${JSON.stringify(name)}:`,
    codec,
    isNeeded: presence === undefined,
    isAdded: presence === "added",
  }))
  return {
    encode: (value, isBrief) => {
      let json = ""
      for (const { field, prefix, codec, isAdded } of all) {
        const fieldValue = isBrief && isAdded ? undefined : value[field]
        if (fieldValue !== undefined) json += `${json === "" ? "" : ","}${prefix}${codec.encode(fieldValue, isBrief)}`
      }
      return `{${json}}`
    },
    decode: (json) => {
      if (typeof json !== "object" || json === null) return undefined
      const value: { -readonly [Name in keyof A]?: unknown } = {}
      for (const { field, name, codec, isNeeded } of all) {
        const found = codec.decode((json as Readonly<Record<string, unknown>>)[name])
        if (found !== undefined && (isNeeded || found !== "")) value[field] = found
        else if (isNeeded) return undefined
      }
      return value as A
    },
    fields: Object.values(fields),
  }
}

export const text = <A extends string>(): Codec<A> => ({
  encode: (value) => JSON.stringify(value),
  decode: (json) => (typeof json === "string" ? (json as A) : undefined),
})

const isText = (value: unknown): value is string => typeof value === "string"

export const texts: Codec<Readonly<Record<string, string>>> = {
  encode: (value) => JSON.stringify(value),
  decode: (json) =>
    typeof json === "object" && json !== null && !Array.isArray(json) && Object.values(json).every(isText)
      ? (json as Readonly<Record<string, string>>)
      : undefined,
}

export const flag: Codec<boolean> = {
  encode: String,
  decode: (json) => (typeof json === "boolean" ? json : undefined),
}

export const number: Codec<number> = {
  encode: String,
  decode: (json) => (typeof json === "number" ? json : undefined),
}

/** Cents, written as reais. */
export const reais: Codec<Cents> = {
  encode: (cents) => String(reaisFromCents(cents)),
  decode: (json) => (typeof json === "number" ? Result.getOrUndefined(centsFromReais(json)) : undefined),
}

/** Epoch milliseconds, written as ISO 8601 in UTC. */
export const instant: Codec<number> = {
  encode: (moment) => `"${new Date(moment).toISOString()}"`,
  decode: (json) => {
    const moment = typeof json === "string" ? Date.parse(json) : Number.NaN
    return Number.isNaN(moment) ? undefined : moment
  },
}
