import { classicalFaults } from "./classicalFaults.ts"
import { moneyFaults } from "./moneyFaults.ts"
import { partFaults } from "./partFaults.ts"
import type { PlantedFault } from "./PlantedFault.ts"

/** All faults, by name. */
export const plantedFaults: ReadonlyArray<PlantedFault> = [...moneyFaults, ...partFaults, ...classicalFaults]
