import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { install } from "../../release/install.ts"
import { startBank, startPostgres } from "../../world/index.ts"
import { root } from "../../world/root.ts"
import { run } from "../../world/run.ts"
import type { Row } from "./Row.ts"
import { runHost } from "./runHost.ts"

/** Combines each store with the sandbox and with banks that differ widely. */
const stores = [
  ["embedded", "sandbox"],
  ["postgres", "sandbox"],
  ["memory", "sandbox"],
  ["embedded", "standard"],
  ["postgres", "bancoDoBrasil"],
  ["embedded", "sicoob"],
  ["postgres", "efi"],
] as const

const projects = ["express", "fastify", "hono", "next", "none"].flatMap((framework) =>
  stores.map(([store, bank]) => ({ framework, store, bank, name: `${framework}-${store}-${bank}` })),
)

const command = join(root, "packages/cli/dist/bin/pixcharge.js")
const next = "../node_modules/next/dist/bin/next"

/**
 * Writes each project with `pixcharge init`, installs the packages that the command names, and compiles the project.
 */
export const writeProjects = async (folder: string, tarballs: Readonly<Record<string, string>>): Promise<void> => {
  const installed = new Map<string, string>()
  for (const { framework, store, bank, name } of projects) {
    const given = ["--framework", framework, "--store", store, "--bank", bank, "--dir", join(folder, name)]
    const said = await run(process.execPath, [command, "init", ...given])
    for (const [, names = ""] of said.matchAll(/^npm install (?:--save-dev )?(.+)$/gm)) {
      for (const one of names.split(" ")) installed.set(one, "*")
    }
    const pix = join(folder, name, framework === "next" ? "lib/pix.ts" : "src/pix.ts")
    // Changes the project: it calls a bank on this machine, and an integrator has a key to call it.
    const servers = '$&\n...JSON.parse(setting("PSP_SERVERS")),'
    const key = 'integratorKey: "chave-da-loja",'
    const text = readFileSync(pix, "utf8").replace(/psp: ".*",/, servers)
    writeFileSync(pix, text.replace(/\/\/ integratorKey.*/, key))
  }
  await install(folder, Object.fromEntries(installed), tarballs)
  for (const { framework, name } of projects) {
    const compile = framework === "next" ? [next, "build"] : ["../node_modules/typescript/bin/tsc"]
    await run(process.execPath, compile, join(folder, name))
  }
}

/** Starts a simulated bank for a project. `env` has the settings that connect the project with the bank. */
const openBank = async (psp: string, cwd: string) => {
  const bank = await startBank(["--psp", psp, "--dir", "certs"], { cwd })
  const { pixKey, connection } = (await bank.show()) as { pixKey: string; connection: Record<string, unknown> }
  const { baseUrl, tokenUrl, skipWebhookMtls, clientId, clientSecret, applicationKey } = connection
  const env = {
    PIX_KEY: pixKey,
    PSP_SERVERS: JSON.stringify({ baseUrl, tokenUrl, skipWebhookMtls }),
    PSP_URL: baseUrl,
    PSP_CLIENT_ID: clientId,
    PSP_CLIENT_SECRET: clientSecret,
    PSP_APPLICATION_KEY: applicationKey,
    PIX_NOTICE_SECRET: "a secret of the webhook's address, which is long",
    NODE_EXTRA_CA_CERTS: join(cwd, "certs/bank-ca.pem"),
  }
  return { env, pay: () => bank.command("pay"), end: () => bank.end() }
}

const paid = async (chargeId: string, readLog: () => string): Promise<void> => {
  while (!readLog().includes(`paid: ${chargeId}`)) await setTimeout(20, undefined, { ref: false })
}

/**
 * Runs each project's test. Then runs its script, or starts its server and takes a charge through its life. Rejects at
 * the first fault.
 */
export const runProjects = async (row: Row, folder: string, [node = ""]: ReadonlyArray<string>): Promise<void> => {
  const postgres = await startPostgres()
  for (const { framework, bank: psp, name } of projects) {
    const cwd = join(folder, name)
    const bank = psp === "sandbox" ? undefined : await openBank(psp, cwd)
    const env = { ...bank?.env, DATABASE_URL: `${postgres.url}/postgres` }
    const host =
      framework === "next"
        ? {
            ...row,
            prefix: "/api/payments",
            start: [next, "start", "--hostname", "127.0.0.1"],
            ends: { SIGTERM: 143 },
          }
        : { ...row, prefix: "/payments", start: ["dist/server.js"] }
    try {
      await run(node, ["--test", framework === "next" ? "lib/pix.test.mjs" : "src/pix.test.mjs"], cwd)
      if (framework === "none") assert.match(await run(node, ["dist/issue.js"], cwd, env), /^pending\n000201/)
      else await runHost(host, cwd, [node], { ...bank, env, paid })
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
    } finally {
      await bank?.end()
    }
  }
  await postgres.remove()
}
