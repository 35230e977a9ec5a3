import { classicalFaults } from "./classicalFaults.ts"
import { moneyFaults } from "./moneyFaults.ts"
import type { PlantedFault } from "./PlantedFault.ts"

/** All faults, by name. */
export const plantedFaults: ReadonlyArray<PlantedFault> = [...moneyFaults, ...classicalFaults]
