import { hostileTexts, type HostileText } from "./hostileTexts.ts"

/** The maximum length of headers and of bodies. */
const maxLength = 16 * 1_024
/**
 * The time at which an expression counts as slow. An expression that reads each character once takes less than a hundredth of it.
 */
const maxMs = 10

const grow = ({ before, repeated, after }: HostileText, length: number): string =>
  before + repeated.repeat(Math.ceil(length / repeated.length)) + after

const run = (expression: RegExp, text: string): void => {
  expression.lastIndex = 0
  if (expression.global) text.replaceAll(expression, "")
  else expression.exec(text)
}

/** True if the expression is slow by the clock, which also counts the time of other processes. */
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

/** True if the expression is slow in every try. One try isn't enough, because other work of this process counts too. */
const isSlow = (expression: RegExp, text: string): boolean =>
  [1, 2, 3, 4, 5].every(() => usedMs(expression, text) > maxMs)

/** The lengths to try first, in order. A short string already reveals an expression that would never end. */
const lengths = [12, 24, 2_048]
/** Tried before the maximum length: a quadratic expression is slow here already, and takes a quarter of the time. */
const longLength = 8_192

export const worstText = (expression: RegExp): HostileText | undefined =>
  hostileTexts(expression).find(
    (text) =>
      lengths.some((length) => mayBeSlow(expression, grow(text, length))) &&
      [...lengths, longLength, maxLength].some((length) => isSlow(expression, grow(text, length))),
  )
