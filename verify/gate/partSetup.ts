import type { TestProject } from "vitest/node"

type End = () => unknown

declare module "vitest" {
  export interface ProvidedContext {
    partSetup?: string
  }
}

export const provideSetup = (file: string) => ({ partSetup: file })

const limitTime = async (end: End, limitMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it hasn't ended after ${limitMs / 1_000} s`)), limitMs)
  })
  try {
    await Promise.race([end(), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs a project's set-up. If its end fails or never returns, the run fails; Vitest alone would only log that or wait.
 */
export default async (project: TestProject): Promise<End | undefined> => {
  const file = project.getProvidedContext().partSetup ?? ""
  const { default: setUp } = (await import(file)) as {
    readonly default: (project: TestProject) => Promise<End | undefined>
  }
  const end = await setUp(project)
  if (end === undefined) return undefined
  return async () => {
    try {
      await limitTime(end, project.vitest.config.teardownTimeout)
    } catch (cause) {
      process.exitCode = 1
      throw new Error(`The end of ${file} failed`, { cause })
    }
  }
}
