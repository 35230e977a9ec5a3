import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Pix } from "@pixcharge/embed"
import * as embed from "@pixcharge/embed"
import * as processor from "@pixcharge/processor-api-pix"
import * as memory from "@pixcharge/store-memory"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect, it as test } from "vitest"
import { account, certificates, company, connectionTo, openPsp } from "./bank/openBank.ts"
import { noCallbacks } from "./bank/openShop.ts"
import { banksTable, banksTableInPortuguese, refusedTable, sourcesTable } from "./bankTables.ts"

const openPage = (name: string) => {
  const url = new URL(`../../../docs/${name}`, import.meta.url)
  return { path: fileURLToPath(url), text: readFileSync(url, "utf8") }
}
const page = openPage("api-pix.md")
const profilePage = openPage("bank-profiles.md")
const portuguesePage = openPage("pt-BR/bancos.md")
const sourcesPage = openPage("internals/api-pix.md")

type Names = Readonly<Record<string, unknown>>

const codeBlocks = (language: string, { text } = page): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code = ""]) => code)

/** Turns imports into look-ups in `modules`, and removes exports and types. */
const runnable = (code: string): string =>
  code
    .replaceAll(/^import \{([^}]+)\} from ("[^"]+")$/gm, (_, names: string, from: string) => {
      return `var {${names.replaceAll(/\btype \w+,?/g, "")}} = modules[${from}]`
    })
    .replaceAll(/^export const (\w+)(?:: \w+)? =/gm, "var $1 =")

/** Runs all blocks of both pages in order, as one program. Calls `after` after each block. */
const runPage = async (
  modules: Record<string, object>,
  env: Record<string, string>,
  after: (block: number, names: Names) => Promise<void>,
) => {
  const names = "{ bank, pix, shop, myBank, charge, code, found, refund, banks }"
  const blocks = [...codeBlocks("ts"), ...codeBlocks("ts", profilePage)]
  const program = blocks.map((code, n) => `${runnable(code)}\nawait after(${n}, ${names})`)
  const declared = "var bank, pix, shop, myBank, banks, charge, code, found, refund\n"
  // `after` reads the names of all blocks after each block. A `const` of a later block would not be initialized yet.
  const source = declared + program.join("\n").replaceAll(/^const /gm, "var ")
  const AsyncFunction = Object.getPrototypeOf(runPage).constructor as FunctionConstructor
  await new AsyncFunction("modules", "process", "after", source)(modules, { env }, after)
}

describe("docs/api-pix.md", () => {
  it.live("leads a reader from a bank's credentials to the first charge, its payment and its refund", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp({ accounts: [{ ...account, cnpj: "12345678000195" }] })
      const { authority, clients } = yield* Effect.promise(certificates)
      const files: Record<string, string> = {
        "certs/client.pem": clients[company.cnpj]?.cert ?? "",
        "certs/client.key": clients[company.cnpj]?.key ?? "",
        "certs/bank-ca.pem": authority.ca,
      }
      const connection = yield* Effect.promise(() => connectionTo(psp, company))
      const modules = {
        "node:fs": { readFileSync: (path: string) => files[path] },
        pg: { Pool: Object },
        "@pixcharge/callback-fetch": { callbackFetch: () => noCallbacks },
        "@pixcharge/embed": embed,
        "@pixcharge/processor-api-pix": processor,
        "@pixcharge/store-memory": memory,
        "@pixcharge/store-postgres": { postgresStore: () => memory.memoryStore({ inProduction: true }) },
        "./vault.js": { vault: { connection: () => connection } },
      }
      const env = {
        PIX_KEY: company.pixKey,
        INTEGRATOR_KEY: "chave da loja",
        PSP_URL: psp.baseUrl,
        PSP_CLIENT_ID: account.clientId,
        PSP_CLIENT_SECRET: account.clientSecret,
        PIX_TOKEN_SECRET: "a secret of at least thirty-two bytes",
        PIX_NOTICE_SECRET: "a secret of at least thirty-two bytes too",
        PUBLIC_URL: "https://shop.invalid/payments",
      }
      const registered = () => psp.ledger.webhooks.get(company.pixKey)?.url ?? ""
      let pix: Pix | undefined
      let last: Names = {}
      yield* Effect.addFinalizer(() => Effect.promise(async () => pix?.dispose()))
      yield* Effect.promise(() =>
        runPage(modules, env, async (_, names: Names) => {
          pix = names["pix"] as Pix | undefined
          last = names
          const { charge, found } = names as { charge?: { txid: string; id: string }; found?: unknown }
          if (charge === undefined || found !== undefined) return
          const { endToEndId, txid } = psp.pay(company.cnpj, charge.txid)
          const notice = { pix: [{ endToEndId, txid, chave: company.pixKey }] }
          const answer = await (names["pix"] as Pix).fetch(
            new Request(`${registered().replace("/payments", "")}/pix`, {
              method: "POST",
              body: JSON.stringify(notice),
            }),
          )
          expect(answer.status).toBe(200)
        }),
      )
      expect(registered()).toMatch(
        /^https:\/\/shop\.invalid\/payments\/webhooks\/api-pix\/12345678000195\/[0-9a-f]{32}$/,
      )
      expect(last).toMatchObject({ found: { _tag: "Paid" }, refund: { _tag: "Refunding" } })
      expect(last["code"]).toBe((last["charge"] as unknown as { brCode: string }).brCode)
      const fields = ["production", "sandbox", ...Object.keys(processor.standardProfile)]
      expect(Object.keys(last["myBank"] ?? {}).toSorted()).toEqual(fields.toSorted())
    }),
  )

  test.each([
    { name: "banks", table: banksTable(), ofPage: page },
    { name: "banks", table: banksTableInPortuguese(), ofPage: portuguesePage },
    { name: "refused", table: refusedTable(), ofPage: page },
    { name: "sources", table: sourcesTable(), ofPage: sourcesPage },
  ])("has a table of $name that matches the profiles (`pnpm exports` rewrites it)", async (shown) => {
    const { name, table, ofPage } = shown
    const whole = readFileSync(ofPage.path, "utf8").replace(
      new RegExp(`(<!-- ${name}:begin -->\n).*?(<!-- ${name}:end -->)`, "s"),
      (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`,
    )
    expect(whole).toContain(table)
    await expect(whole).toMatchFileSnapshot(ofPage.path)
  })

  test("points to docs/bank-profiles.md, which explains each field of a profile", () => {
    const rows = new Set(
      [...profilePage.text.matchAll(/^\| (`\w+`(?:, `\w+`)*) +\| /gm)].flatMap(
        ([, names = ""]) => names.match(/\w+/g) ?? [],
      ),
    )
    const fields = [...Object.keys(processor.standardProfile), "production", "sandbox", "tokenUrl"]
    expect(fields.filter((field) => !rows.has(field))).toEqual([])
  })

  const [request = ""] = codeBlocks("sh")

  test("has a certificate request that openssl accepts", () => {
    const [command = "", ...args] = [...request.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    )
    const folder = mkdtempSync(join(tmpdir(), "csr-"))
    execFileSync(command, args, { cwd: folder, stdio: "ignore" })
    expect(readFileSync(join(folder, "client.csr"), "utf8")).toContain("BEGIN CERTIFICATE REQUEST")
    rmSync(folder, { recursive: true })
  })
})
