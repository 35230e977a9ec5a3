import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import type * as Types from "effect/Types"
import { mark } from "./isOfOurs.ts"

type Upper<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? "" : "_"}${Uppercase<First>}${Upper<Rest>}`
  : ""

/** The stable code of an error: its tag in the form that Node's own codes have. `ChargeConflict` is `PIX_CHARGE_CONFLICT`. */
export type ErrorCode<Tag extends string> = `PIX${Upper<Tag>}`

const errorCode = <Tag extends string>(tag: Tag) =>
  `PIX${tag.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}` as ErrorCode<Tag>

type Fields<A> = Types.VoidIfEmpty<{ readonly [Name in keyof A as Exclude<Name, "_tag" | "code">]: A[Name] }>

/** The base of one error class. */
export interface TaggedErrorClass<Tag extends string> {
  new <A extends object = Record<never, never>>(
    fields: Fields<A>,
  ): Cause.YieldableError & { readonly _tag: Tag; readonly code: ErrorCode<Tag> } & Readonly<A>
}

const inspected = Symbol.for("nodejs.util.inspect.custom")

/**
 * Effect's `Data.TaggedError` for errors that hosts read: with a `code`, and shown by `console.error`, loggers and a crash
 * as Node shows any error, by its name, its message, its stack and its fields. So no field holds what a log must not.
 *
 * A class adds its message as a getter: most errors are expected, and never read.
 *
 * @example
 * class ChargeConflict extends TaggedError("ChargeConflict")<{ readonly id: ChargeId }> {
 *   override get message() {
 *     return `The id ${this.id} is taken.`
 *   }
 * }
 */
export const TaggedError = <const Tag extends string>(tag: Tag): TaggedErrorClass<Tag> => {
  const code = errorCode(tag)
  class Base extends Data.TaggedError(tag) {
    readonly code = code
    override toJSON(): object {
      return { ...this, message: this.message }
    }
  }
  const prototype: object = Base.prototype
  // Loggers copy whatever can be enumerated; Effect's own ways to show itself would replace Node's.
  for (const name in prototype) {
    Object.defineProperty(prototype, name, { value: Reflect.get(prototype, name), enumerable: false, writable: true })
  }
  Object.defineProperty(prototype, inspected, { value: undefined })
  Object.defineProperty(prototype, mark, { value: true })
  return Base as unknown as TaggedErrorClass<Tag>
}
