import type { DiagnosisOrder, Finding } from "@pixcharge/core"
import type { createPix, Pix, PixOptions } from "@pixcharge/embed"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Output, readCommandLine } from "../readCommandLine.ts"
import { checkEffect, checkNode, checkReceiver } from "./checks.ts"

const usage = `npx @pixcharge/cli doctor <module> [options]

<module>   the file that exports pix, or the options of createPix: ./dist/pix.js
--company  a company's CNPJ, then "=" and a Pix key to look up its webhook at the bank; may be repeated
--receiver the URL that gets events: doctor sends it one HEAD request, no event; may be repeated
--json     prints { ok, findings } instead of lines

--bank     walks through the calls of the bank's sandbox, for each company that has a key in --company: two charges, look-ups,
           a return, lists and a webhook. It prints a patch of the bank's profile if the bank differs from it, and removes
           the charges and the webhook that it made
--wait     how many seconds --bank waits for a payment of its charge, by default 10; without a payment, it makes no return
--webhook  a public URL that --bank may register as the key's webhook, if the key has none; it is removed again
--production  lets --bank call a bank's production, with charges of up to R$ 11.50

Without --bank it migrates, registers and sends nothing, and it never boots the host. The exit code is 1 if a check failed.`

const readMessage = (error: unknown): string => {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") return "Node can't load this file: build it, and name the built file"
  return String(message ?? error)
}

const checkModule = async (file: string, order: DiagnosisOrder): Promise<ReadonlyArray<Finding>> => {
  try {
    const pix = await loadPix(file)
    const findings = await pix.diagnose(order)
    await pix.dispose()
    return [{ check: "module", status: "ok", message: "it exports a pix with valid options" }, ...findings]
  } catch (error) {
    return [{ check: "module", status: "failed", message: readMessage(error) }]
  }
}

const skippedReceiver: Finding = {
  check: "receiver",
  status: "skipped",
  message: "--receiver <url> sends one HEAD request to the receiver of events",
}

const checkReceivers = (urls: ReadonlyArray<string>): Promise<ReadonlyArray<Finding>> =>
  Promise.all(urls.length === 0 ? [skippedReceiver] : urls.map(checkReceiver))

const readCompanies = (written: ReadonlyArray<string>): Required<Pick<DiagnosisOrder, "companies">> => ({
  companies: Object.fromEntries(
    written.map((text) => {
      const index = text.indexOf("=")
      return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)]
    }),
  ),
})

const formatLines = (findings: ReadonlyArray<Finding>): string => {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const formatLine = ({ status, check, message }: Finding) => `${status.padEnd(7)}  ${check.padEnd(width)}  ${message}`
  const patches = findings.flatMap(({ check, patch }) =>
    patch === undefined ? [] : [`\nThe patch for the ${check}:\n${JSON.stringify(patch, undefined, 2)}`],
  )
  return [...findings.map(formatLine), ...patches].join("\n")
}

const readArguments = (args: ReadonlyArray<string>) =>
  readCommandLine(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        company: { type: "string", multiple: true, default: [] },
        receiver: { type: "string", multiple: true, default: [] },
        bank: { type: "boolean" },
        wait: { type: "string", default: "10" },
        webhook: { type: "string" },
        production: { type: "boolean", default: false },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    },
    usage,
  )

type Values = ReturnType<typeof readArguments>["values"]

const refuse = (why: string): never => {
  throw new Error(`${why}\n\n${usage}`)
}

const readWalk = ({ bank, wait, webhook, production, company }: Values): DiagnosisOrder["walk"] => {
  if (!bank) return undefined
  if (!company.some((text) => text.includes("="))) refuse("--bank needs --company <cnpj>=<key> of a company")
  if (!/^\d{1,4}$/.test(wait)) refuse("--wait needs a number of seconds")
  if (webhook !== undefined && !webhook.startsWith("https://")) refuse("--webhook needs an https URL")
  const waitMs = Number(wait) * 1_000
  return { inProduction: production, waitMs, ...(webhook !== undefined && { webhookUrl: webhook }) }
}

export const runDoctor = async (args: ReadonlyArray<string>): Promise<Output> => {
  const {
    positionals: [module, ...surplus],
    values,
  } = readArguments(args)
  if (values.help) return { text: usage, isSound: true }
  if (module === undefined || surplus.length > 0) return refuse("doctor needs one module")
  const walk = readWalk(values)
  const file = resolve(module)
  const findings = [
    checkNode(),
    checkEffect(dirname(file)),
    ...(await checkModule(file, { ...readCompanies(values.company), ...(walk && { walk }) })),
    ...(await checkReceivers(values.receiver)),
  ]
  const isSound = findings.every(({ status }) => status !== "failed")
  return {
    text: values.json ? JSON.stringify({ ok: isSound, findings }, undefined, 2) : formatLines(findings),
    isSound,
  }
}

const isPix = (value: unknown): value is Pix => typeof (Object(value) as Partial<Pix>).diagnose === "function"

/** Recognises options by their required fields. */
const isOptions = (value: unknown): value is PixOptions => {
  const options = Object(value) as Partial<PixOptions>
  return options.store !== undefined && options.processor !== undefined
}

/**
 * Loads the host's `createPix`. The host's options come from the host's copy of Effect, so this process must not load another
 * copy.
 */
const requireCreatePix = (file: string): typeof createPix => {
  const embed = createRequire(file)("@pixcharge/embed") as { readonly createPix: typeof createPix }
  return embed.createPix
}

/**
 * Returns the `pix` that a module exports, or makes one from its exported options. Rejects with the module's own error, or a
 * `BootFailure`.
 */
const loadPix = async (file: string): Promise<Pix> => {
  if (!existsSync(file)) throw new Error(`there is no file ${file}: build it, or correct the path`)
  const loaded = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
  // A CommonJS module's exports are also the fields of its default.
  const exported = [...Object.values(loaded), ...Object.values(Object(loaded["default"]) as object)]
  const pix = exported.find(isPix)
  if (pix !== undefined) return pix
  const options = exported.find(isOptions)
  if (options !== undefined) return requireCreatePix(file)(options)
  throw new Error("it exports neither what createPix returns nor its options: write export const pix = createPix(...)")
}
