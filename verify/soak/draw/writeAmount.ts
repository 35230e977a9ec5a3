import type { Unit } from "../judge/rules.ts"

const writeBytes = (bytes: number): string => {
  if (Math.abs(bytes) < 10_240) return `${Math.round(bytes)} B`
  return Math.abs(bytes) < 10 * 1_048_576 ? `${Math.round(bytes / 1_024)} KB` : `${Math.round(bytes / 1_048_576)} MB`
}

const writeCount = (count: number): string =>
  String(Math.abs(count) < 10 ? Math.round(count * 10) / 10 : Math.round(count))

/** How an amount of each unit is written. */
export const writeAmount: Readonly<Record<Unit, (amount: number) => string>> = {
  bytes: writeBytes,
  count: writeCount,
  ratio: (ratio) => ratio.toFixed(2),
}
