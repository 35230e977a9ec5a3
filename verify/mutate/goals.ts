export interface Goal {
  readonly share: number
  /** Tests to leave out, because they measure or read the sources, which contain every mutant. */
  readonly exceptTests?: ReadonlyArray<string>
  /** Sources to leave out, because they run only in a browser, where no mutant is active. */
  readonly exceptFiles?: ReadonlyArray<string>
}

export const goals: Readonly<Record<string, Goal>> = {
  core: { share: 0.9, exceptTests: ["docs.test.ts", "brcode/rules.test.ts"] },
  http: { share: 0.9 },
  "store-memory": { share: 0.9 },
  "store-postgres": { share: 0.9 },
  "store-citus": { share: 0.9 },
  "processor-api-pix": { share: 0.9 },
  "callback-fetch": { share: 0.9 },
  cli: { share: 0.85 },
  embed: { share: 0.85, exceptTests: ["methodErrors.test.ts"] },
  portal: { share: 0.85 },
  checkout: { share: 0.85, exceptFiles: ["element/{PixCheckout,openLiveView}.ts"] },
  web: { share: 0.85 },
  client: { share: 0.85, exceptTests: ["bundle.test.ts"] },
  express: { share: 0.85 },
  fastify: { share: 0.85 },
  hono: { share: 0.85 },
}

/**
 * The share that a sample must reach. A sample can miss the goal by chance, so it may be three standard deviations
 * below: a sound package fails once in a thousand runs.
 */
export const leastShare = (goal: number, size: number): number => goal - 3 * Math.sqrt((goal * (1 - goal)) / size)
