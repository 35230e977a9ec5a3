// A host of the next release, whose schema has one more step.
import { root } from "../world/root.ts"
import { migrationsIn } from "./hosts/migrationsIn.ts"
import { nextStep } from "./hosts/nextStep.ts"
import type { Migration } from "./hosts/olderFlaws.ts"

const migrations = (await migrationsIn(root)) as Array<Migration>
migrations.push(nextStep(migrations))
await import("./host.ts")
