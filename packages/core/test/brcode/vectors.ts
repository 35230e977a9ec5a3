import { readFileSync } from "node:fs"
import type { BrCodeRule } from "@pixcharge/core/brcode"

/** A code from a manual, a bank or another library's tests, or made for a rule. `fields` are the texts in the code. */
export interface ReadableVector {
  readonly code: string
  readonly kind: "static" | "dynamic" | "recurrence-only" | "static+recurrence" | "dynamic+recurrence"
  readonly fields: Readonly<Record<string, string>>
  readonly source: string
  readonly note?: string
}

/** `forgiven` lists field and rule. */
export interface LenientVector extends ReadableVector {
  readonly forgiven: ReadonlyArray<string>
}

export interface InvalidVector {
  readonly code: string
  readonly field: string
  readonly rule: BrCodeRule
  readonly source: string
  readonly note: string
}

export const vectors: {
  readonly valid: ReadonlyArray<ReadableVector>
  readonly lenient: ReadonlyArray<LenientVector>
  readonly invalid: ReadonlyArray<InvalidVector>
} = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"))
