import { closestName } from "@pixcharge/core/internal"
import { parseArgs } from "node:util"
import { bankWays } from "../bankWays.ts"

/** A bank whose ways are known. */
export type BankName = keyof typeof bankWays

export const bankNames = Object.keys(bankWays) as ReadonlyArray<BankName>

/** What is to be started, and where. */
export interface BankArguments {
  readonly psp: BankName
  readonly dir: string
  /** The bank's; the next one is that of the commands. 0 takes two that are free. */
  readonly port: number
  readonly help: boolean
}

const guess = (written: string): string => {
  const meant = closestName(written, bankNames)
  return meant === undefined ? "" : ` (did you mean ${meant}?)`
}

const readBank = (written: string): BankName => {
  if (Object.hasOwn(bankWays, written)) return written as BankName
  throw new Error(
    `there is no bank "${written}"${guess(written)}: --psp takes ${bankNames.join(", ")}; any other bank is "standard"`,
  )
}

const readPort = (written: string): number => {
  if (/^\d{1,5}$/.test(written) && Number(written) < 65_535) return Number(written)
  throw new Error(`--port takes a number from 0 to 65534, not ${written}: the next port takes the commands`)
}

const refuseWord = (word: string): Error => {
  const bank = closestName(word, bankNames)
  return new Error(
    bank === undefined ? `"${word}" belongs to no option: see --help` : `a bank is named by --psp: --psp ${bank}`,
  )
}

const parse = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        psp: { type: "string", default: "standard" },
        port: { type: "string", default: "8443" },
        dir: { type: "string", default: "pixcharge-bank" },
        help: { type: "boolean", short: "h", default: false },
      },
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}\nThe options are in --help.`, { cause: error })
  }
}

/** Reads a command line. Throws what is wrong with it, and what to write instead. */
export const readArguments = (args: ReadonlyArray<string>): BankArguments => {
  const { values, positionals } = parse(args)
  for (const word of positionals) throw refuseWord(word)
  const { psp, dir, port, help } = values
  return { psp: readBank(psp), dir, port: readPort(port), help }
}
