import { Judge } from "./Judge.ts"
import { learn } from "./learn.ts"
import { isKilled, type Judged, survivorText } from "./report.ts"
import type { Site } from "./Site.ts"
import type { Mutant } from "./switches.ts"
import { Tests } from "./Tests.ts"
import { Usage } from "./Usage.ts"

/** What to plant, and where its tests are. */
export interface Mutation {
  readonly root: string
  /** Vitest's configuration of all tests as one project. */
  readonly config: string
  readonly sites: ReadonlyArray<Site>
  readonly log: (text: string) => void
  /** Told of each step; worth no line in a log. */
  readonly progress: (text: string) => void
}

const mutantsBetweenControls = 50

/**
 * Plants each fault in turn and runs the tests that can notice it. Every now and then it runs those of a fault without the
 * fault: none may fail.
 */
export const mutate = async ({ root, config, sites, log, progress }: Mutation): Promise<ReadonlyArray<Judged>> => {
  const mutants: ReadonlyArray<Mutant> = sites.map((site, index) => ({ number: index + 1, site }))
  const usage = new Usage(root)
  const open = () => Tests.open(root, config, mutants, usage)
  const tests = await open()
  /** By three workers, for most of what is learned takes time and no work. */
  const learned = async () => {
    const others = [await open(), await open()]
    return learn(root, [tests, ...others], progress).finally(() => Promise.all(others.map((other) => other.close())))
  }
  try {
    const judge = new Judge(tests, usage, await learned())
    const judged: Array<Judged> = []
    for (const mutant of mutants) {
      const { number, site } = mutant
      if (number % mutantsBetweenControls === 1) await judge.control(mutant)
      const one = { site, verdict: await judge.judge(mutant) }
      judged.push(one)
      if (!isKilled(one)) log(survivorText(one))
      progress(`${number} of ${mutants.length}, ${judged.filter(isKilled).length} killed`)
    }
    return judged
  } finally {
    await tests.close()
  }
}
