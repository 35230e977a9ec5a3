import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, root, startBank, startPostgres } from "@pixcharge/verify/world"
import { promisify } from "node:util"
import { readText } from "./pages.ts"
import type { Surroundings } from "./runPage.ts"

const page = readText("docs/first-real-payment.md")

/** The page's command that starts the bank, with the ports of this test. */
const [, starting = ""] = /^npx -p @pixcharge\/simulated-bank pixcharge-bank (.+)$/m.exec(page) ?? []
const [, paying = ""] = /^curl -X POST http:\/\/127\.0\.0\.1:8444\/(.+)$/m.exec(page) ?? []
const [, asking = ""] = /^npx @pixcharge\/cli (doctor .+)$/m.exec(page) ?? []
const certificates = ["certs/client.pem", "certs/client.key", "certs/bank-ca.pem"]

/** Runs the page's doctor and returns what it prints. Rejects if the doctor finds a fault. */
const askDoctor = async (cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<string> => {
  const args = asking
    .replace("./dist/", "./")
    .replace("$PIX_KEY", env["PIX_KEY"] ?? "")
    .split(" ")
  const doctor = join(root, "packages/cli/dist/bin/pixcharge.js")
  return (await promisify(execFile)(process.execPath, [doctor, ...args], { cwd, env })).stdout
}

/**
 * Opens what the pages about real money need: a bank over mutual TLS, whose payer pays each printed code, a database
 * and the settings. At the line that begins with `lastLine`, the operator runs the doctor and ends the program.
 */
export const openSurroundings = async () => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-page-"))
  const [bank, postgres, port] = await Promise.all([
    startBank(starting.split(" "), { cwd: folder }),
    startPostgres(["-c", "fsync=off"]),
    freePort(),
  ])
  const printed = [...bank.printed.matchAll(/^(PIX_KEY|PSP_\w+)=(.+)$/gm)].map(([, name = "", value]) => [name, value])
  const env = {
    ...Object.fromEntries(printed),
    DATABASE_URL: `${postgres.url}/postgres`,
    INTEGRATOR_KEY: "the key of the shop's integrators",
    PIX_NOTICE_SECRET: "a secret of at least thirty-two bytes too",
    PIX_PEPPER: "a pepper of at least thirty-two bytes",
    PIX_SEALING_KEY: "a sealing key of thirty-two bytes or more",
    PIX_TOKEN_SECRET: "a secret of at least thirty-two bytes",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}/payments`,
  }
  const diagnoses: Array<string> = []
  const surroundings = (lastLine: string): Surroundings => ({
    env,
    files: Object.fromEntries(certificates.map((file) => [file, readFileSync(join(folder, file), "utf8")])),
    onLine: (line, signal, programFolder) => {
      if (line.startsWith("000201")) void bank.command(paying)
      if (!line.startsWith(lastLine)) return
      void askDoctor(programFolder, env)
        .then(
          (said) => diagnoses.push(said),
          (fault: unknown) => diagnoses.push(String(fault)),
        )
        .finally(signal)
    },
  })
  const close = async (): Promise<void> => {
    await bank.end()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  return { bank, diagnoses, surroundings, close }
}
