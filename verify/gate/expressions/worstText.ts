import { hostileTexts, type HostileText } from "./hostileTexts.ts"

/** What a header may have; a body of a request has as much. */
const maxLength = 16 * 1_024
/** An expression that takes each character once needs less than a hundredth of it. */
const maxMs = 10

const grow = ({ before, repeated, after }: HostileText, length: number): string =>
  before + repeated.repeat(Math.ceil(length / repeated.length)) + after

const run = (expression: RegExp, text: string): void => {
  expression.lastIndex = 0
  if (expression.global) text.replaceAll(expression, "")
  else expression.exec(text)
}

/** Whether a text may be slow, by the clock, which also runs while others have the processor. */
const mayBeSlow = (expression: RegExp, text: string): boolean => {
  const began = performance.now()
  run(expression, text)
  return performance.now() - began > 0.2
}

const usedMs = (expression: RegExp, text: string): number => {
  const before = process.cpuUsage()
  run(expression, text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Each time, for what else the process does counts, too. */
const isSlow = (expression: RegExp, text: string): boolean =>
  [1, 2, 3, 4, 5].every(() => usedMs(expression, text) > maxMs)

/** Growing, so that what would take for ever is seen by a short text. */
const lengths = [12, 24, 2_048]
/** Between them and the longest: what is quadratic holds the loop there already, for a fourth of the time. */
const longLength = 8_192

/** The text on which an expression holds the loop for longer than it may on 16 KB; undefined for one that never does. */
export const worstText = (expression: RegExp): HostileText | undefined =>
  hostileTexts(expression).find(
    (text) =>
      lengths.some((length) => mayBeSlow(expression, grow(text, length))) &&
      [...lengths, longLength, maxLength].some((length) => isSlow(expression, grow(text, length))),
  )
