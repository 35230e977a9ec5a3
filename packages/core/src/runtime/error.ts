import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import type * as Redacted from "effect/Redacted"
import type * as Types from "effect/Types"

/**
 * A processor's text for people, which can quote a payer's name or tax id. Logs print it as `<redacted>`; `Redacted.value`
 * reads it.
 */
export type Prose = Redacted.Redacted<string>

/** Hides a field that repeats a caller's input from inspection, JSON and other listings. */
export const hideField = (error: Error, name: string): void => {
  Object.defineProperty(error, name, { enumerable: false })
}

const mark: unique symbol = Symbol.for("@pixcharge/core/TaggedError")

/** Recognises errors of any copy of the package. */
export const isOfOurs = (value: unknown): value is Error & { readonly _tag: string; readonly code: string } =>
  typeof value === "object" && value !== null && mark in value

/** Recognises one error of any copy. */
export const hasTag = <E extends { readonly _tag: string }>(value: unknown, tag: E["_tag"]): value is E =>
  isOfOurs(value) && value._tag === tag

type Upper<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? "" : "_"}${Uppercase<First>}${Upper<Rest>}`
  : ""

/** Stable code of an error, in Node's form: `ChargeConflict` is `PIX_CHARGE_CONFLICT`, `PixDisposed` is `PIX_DISPOSED`. */
export type ErrorCode<Tag extends string> = `PIX${Upper<Tag extends `Pix${infer Rest}` ? Rest : Tag>}`

const errorCode = <Tag extends string>(tag: Tag) =>
  `PIX${tag.replace(/^Pix/, "").replaceAll(/[A-Z]/g, "_$&").toUpperCase()}` as ErrorCode<Tag>

type Fields<A> = Types.VoidIfEmpty<{ readonly [Name in keyof A as Exclude<Name, "_tag" | "code">]: A[Name] }>

type Say<A> = string | ((error: A) => string)

/** The message is problem and remedy; `docs/errors.md` shows the remedy too. */
export interface ErrorTexts<A> {
  readonly problem: Say<A>
  readonly remedy: Say<A>
  /** Fields that repeat a caller's input: hidden from every listing of the error. */
  readonly hidden?: ReadonlyArray<string>
}

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
 * Effect's `Data.TaggedError` for errors that hosts read. It has a `code`, and prints like any error of Node: name, message,
 * stack and fields. Its fields must be safe to log. A class without texts has its own `message`.
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
  // Not enumerable, because loggers copy enumerable properties: Effect's inspection methods would then replace Node's inspection.
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
