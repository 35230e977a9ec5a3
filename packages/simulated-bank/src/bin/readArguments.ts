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

const options = {
  psp: { type: "string" },
  port: { type: "string" },
  dir: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const

const guess = (written: string, known: ReadonlyArray<string>, prefix = ""): string => {
  const meant = closestName(written, known)
  return meant === undefined ? "" : ` (did you mean ${prefix}${meant}?)`
}

const readBank = (written: string): BankName => {
  if (Object.hasOwn(bankWays, written)) return written as BankName
  throw new Error(
    `there is no bank "${written}"${guess(written, bankNames)}: --psp takes ${bankNames.join(", ")}; any other bank is "standard"`,
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

/** Reads a command line. Throws what is wrong with it, and what to write instead. */
export const readArguments = (args: ReadonlyArray<string>): BankArguments => {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const given = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind === "positional") throw refuseWord(token.value)
    if (token.kind !== "option") continue
    const { name, rawName, value } = token
    if (!Object.hasOwn(options, name)) {
      const known = Object.keys(options)
      throw new Error(
        `there is no option ${rawName}${guess(name, known, "--")}: the options are --${known.join(", --")}`,
      )
    }
    if (name === "help" ? value !== undefined : value === undefined) {
      throw new Error(name === "help" ? "--help takes no value" : `${rawName} takes a value: see --help`)
    }
    given.set(name, value ?? "")
  }
  return {
    psp: readBank(given.get("psp") ?? "standard"),
    dir: given.get("dir") ?? "pixcharge-bank",
    port: readPort(given.get("port") ?? "8443"),
    help: given.has("help"),
  }
}
