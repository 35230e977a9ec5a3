import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Action } from "./Action.ts"
import type { Making } from "./actionKinds.ts"

/** Milliseconds since the previous action, the action, and its process, if fixed. */
export type Timed = readonly [afterMs: number, action: Action, host?: number]

export type Scenario = (making: Making) => ReadonlyArray<Timed>

/** At that time the bank has made the charge and a notice has arrived. Earlier actions usually fail. */
export const pickAftermathMs = (random: SeededRandom): number => random.between(300, 3_000)
