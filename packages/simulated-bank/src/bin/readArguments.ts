import { closestName } from "@pixcharge/core/internal"
import { parseArgs } from "node:util"
import { bankWays } from "../ways/bankWays.ts"

export type BankName = keyof typeof bankWays

const bankNames = Object.keys(bankWays) as ReadonlyArray<BankName>

export interface BankArguments {
  readonly psp: BankName
  readonly dir: string
  /** The bank's port. The commands use the next port. With 0, both use free ports. */
  readonly port: number
  readonly help: boolean
}

const guess = (written: string): string => {
  const suggestion = closestName(written, bankNames)
  return suggestion === undefined ? "" : ` (did you mean ${suggestion}?)`
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

/** Throws an error that names the fault and its correction. */
export const readArguments = (args: ReadonlyArray<string>): BankArguments => {
  const { values, positionals } = parse(args)
  for (const word of positionals) throw refuseWord(word)
  const { psp, dir, port, help } = values
  return { psp: readBank(psp), dir, port: readPort(port), help }
}

export const writeCommands = (controlUrl: string): string => `curl -X POST ${controlUrl}/pay
  pays the last charge; a second call pays it twice. "?charge=<id>" names another, "&amountCents=<n>" pays another amount
curl -X POST ${controlUrl}/refund
  returns the last payment without your host, like a bank's portal; "?charge=" and "&amountCents=" work here, too
curl -X POST ${controlUrl}/approve
  the payer authorises the last recurrence; /decline, /cancel and /expire end it. "?recurrence=<id>" names another, by idRec or contract
curl -X POST ${controlUrl}/maximum?amountCents=<n>
  sets the payer's limit for a cycle; /balance?amountCents=<n> sets their balance, unlimited without an amount
curl -X POST ${controlUrl}/day
  runs the next day with a due debit, ahead of the clock; "?date=2026-12-10" names another day
curl -X POST ${controlUrl}/down
  breaks every connection; /slow answers after five seconds ("?seconds=<n>"); /up ends both
curl ${controlUrl}
  shows charges, payments, recurrences, cycles, webhooks with the outcome of their calls, and how to connect, as JSON`

const listBanks = (): string => {
  const half = Math.ceil(bankNames.length / 2)
  return [bankNames.slice(0, half), bankNames.slice(half)].map((names) => names.join(", ")).join(",\n        ")
}

export const writeHelp = (): string => `npx -p @pixcharge/simulated-bank pixcharge-bank [options]

A bank on this machine to try payments without one: API Pix over mutual TLS, by certificates of its own. No money moves.
Any client can call it, in any language, with the printed URL and credentials and the certificates in its folder.

--psp   the bank that it imitates; "standard" by default:
        ${listBanks()}
--port  its port; the next port takes commands. 8443 by default; 0 takes two free ports
--dir   the folder of its certificates and keys, made at the first start and kept for the next: pixcharge-bank by default
--help  shows this

It prints the settings of the host, and ends with Ctrl+C. These commands go to 127.0.0.1 alone:

${writeCommands("http://127.0.0.1:8444")}

The bank calls an https webhook with its certificate, which your proxy can demand (bank-ca.pem). Make Node trust the proxy's
certificate by NODE_EXTRA_CA_CERTS.`
