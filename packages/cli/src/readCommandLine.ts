import { parseArgs, type ParseArgsConfig } from "node:util"

export interface Output {
  readonly text: string
  /** Whether the process ends with 0. */
  readonly isSound: boolean
}

/** Throws if the arguments are invalid; the message ends with the command's usage. */
export const readCommandLine = <Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`, { cause: error })
  }
}
