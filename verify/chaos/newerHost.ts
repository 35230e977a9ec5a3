// A host of the release after this one: its schema has a step more.
import { root } from "../world/root.ts"
import { migrationsIn } from "./hosts/migrationsIn.ts"
import { nextStep } from "./hosts/nextStep.ts"
import type { Migration } from "./hosts/olderFlaws.ts"

const migrations = (await migrationsIn(root)) as Array<Migration>
migrations.push(nextStep(migrations))
await import("./host.ts")
