/** Marks the classes of this project's errors, in every copy of this package that a process has loaded. */
export const mark: unique symbol = Symbol.for("@pixcharge/core/TaggedError")

/** Whether something is an error of this project's, made by any copy of it. */
export const isOfOurs = (value: unknown): value is Error & { readonly _tag: string; readonly code: string } =>
  typeof value === "object" && value !== null && mark in value

/** Whether something is our error of this tag, made by any copy: `instanceof` knows those of its own copy alone. */
export const hasTag = <E extends { readonly _tag: string }>(value: unknown, tag: E["_tag"]): value is E =>
  isOfOurs(value) && value._tag === tag
