#!/usr/bin/env node
import { resolve } from "node:path"
import { startSimulatedBank } from "../SimulatedBank.ts"
import { openCertificates } from "./openCertificates.ts"
import { type BankArguments, readArguments, writeHelp } from "./readArguments.ts"
import { startControls } from "./startControls.ts"
import { account, describeConnection, findWays, writeInstructions } from "./writeInstructions.ts"

const explain = (error: unknown): string => {
  const { code, port, message } = Object(error) as { readonly [Name in "code" | "port" | "message"]?: unknown }
  if (code === "EADDRINUSE")
    return `port ${port} is in use: stop the program that listens there, or name another by --port`
  if (code === "EACCES") return `you can't listen at port ${port}: name another by --port`
  return String(message ?? error)
}

const start = async ({ psp, dir, port }: BankArguments): Promise<void> => {
  const folder = resolve(dir)
  const files = await openCertificates(folder, account.clientId)
  const tls = { key: files["bank.key"], cert: files["bank.pem"], ca: files["bank-ca.pem"] }
  const bank = await startSimulatedBank({ accounts: [account], tls, ways: findWays(psp), port })
  const connection = describeConnection(psp, bank.baseUrl, folder)
  const { cnpj, pixKeys } = account
  const facts = { cnpj, pixKey: pixKeys[0], connection }
  const controls = await startControls(bank, cnpj, facts, port === 0 ? 0 : port + 1).catch(async (error: unknown) => {
    await bank.close()
    throw error
  })
  const end = (): void => void Promise.all([bank.close(), controls.close()])
  // The handlers exist before the start is printed, because an early signal would kill the process.
  process.once("SIGINT", end).once("SIGTERM", end)
  console.log(writeInstructions(connection, folder, controls.url))
}

try {
  const args = readArguments(process.argv.slice(2))
  if (args.help) console.log(writeHelp())
  else await start(args)
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
