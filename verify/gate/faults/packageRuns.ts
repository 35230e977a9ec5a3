import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { root } from "../../world/root.ts"
import { packages } from "./packages.ts"
import { environment, planted, type Run, vitest } from "./Run.ts"

/**
 * Faults are planted in packages with and without a global set-up. The imports of a set-up run in the process that sets
 * the exit code. Without a set-up, tests share workers with other packages, and the check of test files runs.
 */
interface Plant {
  readonly name: string
  readonly hasSetup: boolean
}

const plantFolder = ({ name, hasSetup }: Plant): string => join(planted, "packages", hasSetup ? `${name}-setup` : name)

const plantProject = (plant: Plant): string => {
  if (plant.name === "failingAlone") return "unshared"
  return plant.hasSetup ? `${plant.name}-setup` : "shared"
}

const writeSetup = ({ name }: Plant): string => {
  const { setUp = "", end = "" } = packages[name] ?? {}
  return `export default () => {\n  ${setUp}\n  return () => {\n    ${end}\n  }\n}\n`
}

const write = (plant: Plant): void => {
  const setup = plant.hasSetup ? { "test/globalSetup.ts": writeSetup(plant) } : {}
  for (const [file, text] of Object.entries({ ...packages[plant.name]?.files, ...setup })) {
    const path = join(plantFolder(plant), file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

const makeRun = (plants: ReadonlyArray<Plant>, expected: number): Run => ({
  what: plants.map((plant) => relative(planted, plantFolder(plant))).join(", "),
  args: [
    ...vitest,
    ...plants.flatMap(({ name }) => packages[name]?.flags ?? []),
    ...[...new Set(plants.map(plantProject))].flatMap((project) => ["--project", project]),
    ...plants.map((plant) => join(plantFolder(plant), "/")),
  ],
  env: { ...environment, PLANTED_PACKAGES: join(planted, "packages") },
  expected,
  says: plants.flatMap((plant) => {
    const { fails, says } = packages[plant.name] ?? {}
    if (fails === undefined) return says ?? []
    return `FAIL  |${plantProject(plant)}| ${relative(root, join(plantFolder(plant), fails))}`
  }),
})

export const packageRuns = (): ReadonlyArray<Run> => {
  const inBothWays = (name: string) => [true, false].map((hasSetup): Plant => ({ name, hasSetup }))
  const named = Object.entries(packages)
  const counted = named
    .filter(([, { fails }]) => fails !== undefined)
    .flatMap(([name, { isFile }]) => (isFile === true ? [{ name, hasSetup: false }] : inBothWays(name)))
  const apart = named
    .filter(([, { says }]) => says !== undefined)
    .map(([name]): Plant => ({ name, hasSetup: name !== "skipped" }))
  for (const plant of [...inBothWays("sound"), ...counted, ...apart]) write(plant)
  symlinkSync(join(root, "node_modules"), join(planted, "node_modules"))
  return [makeRun(inBothWays("sound"), 0), makeRun(counted, 1), ...apart.map((plant) => makeRun([plant], 1))]
}
