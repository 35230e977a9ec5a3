import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import type * as Redacted from "effect/Redacted"
import type * as Types from "effect/Types"

/**
 * What a processor says for people: a bank may quote the payer's name or document. It prints as `<redacted>` wherever an
 * error is logged; `Redacted.value` reads it.
 */
export type Prose = Redacted.Redacted<string>

/** Keeps a field that repeats what a caller wrote out of inspection, JSON and all else that lists an error's fields. */
export const hideField = (error: Error, name: string): void => {
  Object.defineProperty(error, name, { enumerable: false })
}

/** Marks the classes of this project's errors, in every copy of this package that a process has loaded. */
const mark: unique symbol = Symbol.for("@pixcharge/core/TaggedError")

/** Whether something is an error of this project's, made by any copy of it. */
export const isOfOurs = (value: unknown): value is Error & { readonly _tag: string; readonly code: string } =>
  typeof value === "object" && value !== null && mark in value

/** Whether something is our error of this tag, made by any copy: `instanceof` knows those of its own copy alone. */
export const hasTag = <E extends { readonly _tag: string }>(value: unknown, tag: E["_tag"]): value is E =>
  isOfOurs(value) && value._tag === tag

type Upper<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? "" : "_"}${Uppercase<First>}${Upper<Rest>}`
  : ""

/** The stable code of an error: its tag in the form that Node's own codes have. `ChargeConflict` is `PIX_CHARGE_CONFLICT`, `PixDisposed` is `PIX_DISPOSED`. */
export type ErrorCode<Tag extends string> = `PIX${Upper<Tag extends `Pix${infer Rest}` ? Rest : Tag>}`

const errorCode = <Tag extends string>(tag: Tag) =>
  `PIX${tag.replace(/^Pix/, "").replaceAll(/[A-Z]/g, "_$&").toUpperCase()}` as ErrorCode<Tag>

type Fields<A> = Types.VoidIfEmpty<{ readonly [Name in keyof A as Exclude<Name, "_tag" | "code">]: A[Name] }>

type Say<A> = string | ((error: A) => string)

/** What the errors of a class say. Their message is the problem and the remedy; `docs/errors.md` has the remedy too. */
export interface ErrorTexts<A> {
  /** What is so, as a sentence. */
  readonly problem: Say<A>
  /** What to do about it, as a sentence. */
  readonly remedy: Say<A>
  /** The fields that repeat what a caller wrote: no listing of an error's fields has them. */
  readonly hidden?: ReadonlyArray<string>
}

/** The base of one error class, whose errors have at least the fields that its texts name. */
export interface TaggedErrorClass<Tag extends string, Named extends object = Record<never, never>> {
  new <A extends Named = Named>(
    fields: Fields<A>,
  ): Cause.YieldableError & {
    readonly _tag: Tag
    readonly code: ErrorCode<Tag>
    readonly remedy?: string
  } & Readonly<A>
}

const inspected = Symbol.for("nodejs.util.inspect.custom")

const write = <A>(text: Say<A>, error: A): string => (typeof text === "string" ? text : text(error))

/**
 * Effect's `Data.TaggedError` for errors that hosts read: with a `code`, and shown by `console.error`, loggers and a crash
 * as Node shows any error, by its name, its message, its stack and its fields. So no field holds what a log must not.
 *
 * Texts are written when they are read: most errors are expected, and never read. A class without texts has a `message` of
 * its own, as a field or as a getter.
 *
 * @example
 * class ChargeConflict extends TaggedError("ChargeConflict", {
 *   problem: ({ id }: { readonly id: ChargeId }) => `The id ${id} is taken.`,
 *   remedy: "Issue under a new UUID.",
 * }) {}
 */
export const TaggedError = <const Tag extends string, Named extends object = Record<never, never>>(
  tag: Tag,
  texts?: ErrorTexts<Named>,
): TaggedErrorClass<Tag, Named> => {
  const code = errorCode(tag)
  class Base extends (Data.TaggedError(tag) as new (fields: object) => Cause.YieldableError) {
    readonly code = code
    constructor(fields: object) {
      super(fields)
      for (const name of texts?.hidden ?? []) hideField(this, name)
    }
    override toJSON(): object {
      return { ...this, message: this.message }
    }
  }
  const prototype: object = Base.prototype
  // Loggers copy what can be enumerated; Effect's own ways to show itself would replace Node's.
  for (const name in prototype) {
    Object.defineProperty(prototype, name, { value: Reflect.get(prototype, name), enumerable: false, writable: true })
  }
  Object.defineProperty(prototype, inspected, { value: undefined })
  Object.defineProperty(prototype, mark, { value: true })
  if (texts !== undefined)
    Object.defineProperties(prototype, {
      remedy: {
        get(this: Named) {
          return write(texts.remedy, this)
        },
      },
      message: {
        get(this: Named) {
          return `${write(texts.problem, this)} ${write(texts.remedy, this)}`
        },
      },
    })
  return Base as unknown as TaggedErrorClass<Tag, Named>
}
