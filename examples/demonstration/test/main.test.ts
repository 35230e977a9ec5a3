import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readSettings } from "../src/settings.ts"
import { openRequest } from "./openRequest.ts"
import { startReceiver } from "./receiver.ts"
import { killHosts, type RunningHost, startHost } from "./startHost.ts"

const main = `${import.meta.dirname}/../dist/main.js`
const receiver = await startReceiver()
const secret = `whsec_${Buffer.from("a secret that signs callbacks 32b").toString("base64")}`

const folder = mkdtempSync(join(tmpdir(), "pixcharge-"))
const database = join(folder, ".pixcharge")

/** Makes a database like an unreleased version: its migrations have no digest. Returns the inode of its folder. */
const makeUnreleased = async (): Promise<number> => {
  const { db, close } = await embeddedDatabase(database)
  await migrate(db)
  const insertion = "INSERT INTO pixcharge.resellers VALUES ('made before', 'Revenda', true)"
  for (const text of [insertion, "ALTER TABLE pixcharge.migrations DROP COLUMN digest"])
    await db.query({ text, values: [] })
  await close()
  return statSync(database).ino
}

const startEmbedded = (env: Readonly<Record<string, string>> = {}) =>
  startHost(main, { DATABASE_URL: "", ...env }, folder)

/** Authenticates the demonstration company at a host. */
const authenticate = async (baseUrl: string) => {
  const identity = Buffer.from("12345678000195|chave-de-demonstracao").toString("base64url")
  const token = await fetch(`${baseUrl}/api/token/${identity}`)
  const { data } = (await token.json()) as { data: string }
  const headers = { authorization: `Bearer ${data}`, "content-type": "application/json" }
  const call = (method: string, path: string, body?: object) =>
    fetch(`${baseUrl}/api/pix${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return {
    issue: (idFaturaPag: string, valorPagamento: number) =>
      call("POST", "", { formaPagamento: { tpTransacao: 11, idFaturaPag, modPagamento: 18, valorPagamento } }),
    simulate: (id: string) => call("POST", `/simular-pagamento/${id}`),
    status: (id: string) => call("GET", `/${id}`),
  }
}

let unreleased: number
let host: RunningHost
/** A host on the embedded database. It starts while the tests use `host`. */
let embedded: Promise<RunningHost>
beforeAll(async () => {
  unreleased = await makeUnreleased()
  host = await startHost(main, { PIX_CALLBACK_URL: receiver.url, PIX_CALLBACK_SECRET: secret })
  embedded = startEmbedded({ PORT: new URL(host.baseUrl).port })
  embedded.catch(() => undefined)
})
afterAll(async () => {
  killHosts()
  rmSync(folder, { recursive: true, force: true })
  await receiver.close()
})

describe("pnpm start", () => {
  it("prints commands that issue, pay and refund a charge when pasted", () => {
    // With these options bash behaves like zsh: it knows no comments, and a pattern that matches no file is an error.
    const asZsh = ["--norc", "+m", "+O", "interactive_comments", "-O", "failglob", "-i"]
    const { stdout: output, stderr } = spawnSync("bash", [...asZsh, "-c", host.tries()], { encoding: "utf8" })
    expect(stderr).not.toMatch(/not found|no match/)
    expect(output).toContain('"retUrl":"000201')
    expect(output).toContain("HTTP/1.1 410")
    expect(output).toContain("Pagamento pendente.")
    expect(output).toContain("R$ 19,90")
    expect(output).toContain("Estorno realizado com sucesso.")
  })

  it("serves console, portal and a charge's page at the printed addresses", async () => {
    for (const address of [`${host.baseUrl}/`, `${host.baseUrl}/portal/`]) {
      expect(host.logs()).toMatch(new RegExp(`: ${address}$`, "m"))
      const page = await fetch(address)
      expect(page.status).toBe(200)
      expect(page.headers.get("content-type")).toContain("text/html")
    }
    const shop = await authenticate(host.baseUrl)
    const idFaturaPag = crypto.randomUUID()
    await shop.issue(idFaturaPag, 12.34)
    const charge = await (await fetch(`${host.baseUrl}/console/charges/${idFaturaPag}`)).text()
    const [, payerPage = ""] = /href="\.\.\/\.\.\/(pagar\/[^"]+)"/.exec(charge) ?? []
    expect(await (await fetch(`${host.baseUrl}/${payerPage}`)).text()).toContain("000201")
    const [, inPortal = ""] = /href="\.\.\/\.\.\/(portal\/[^"]+)"/.exec(charge) ?? []
    expect((await fetch(`${host.baseUrl}/${inPortal}`)).status).toBe(200)
  })

  it("prints the payer's page of an open charge, and the console's page that pays it", async () => {
    const [, page = "", charge = ""] = /^A payer's page: (\S+)\nPay it here.*: (\S+)$/m.exec(host.logs()) ?? []
    const readPage = async (): Promise<string> => (await fetch(page)).text()
    expect(await readPage()).toContain("000201")
    const inConsole = await (await fetch(charge)).text()
    const [form = ""] = /<form[^>]*\/pay"[^]*?<\/form>/.exec(inConsole) ?? []
    const hidden = [...form.matchAll(/type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ])
    const body = new URLSearchParams([...hidden, ["outcome", "approved"]] as Array<[string, string]>)
    const paid = await fetch(`${charge}/pay`, { method: "POST", body, headers: { origin: host.baseUrl } })
    expect(paid.status).toBe(200)
    await expect.poll(readPage).toContain("Pagamento confirmado</h1>")
  })

  it("serves console and portal only to this machine", async () => {
    for (const path of ["/", "/portal/"]) {
      const answer = await fetch(`${host.baseUrl}${path}`, { headers: { "x-forwarded-host": "evil.example" } })
      expect(answer.status, path).toBeGreaterThanOrEqual(401)
    }
  })

  it("sends events to the console's receiver", async () => {
    const shop = await authenticate(host.baseUrl)
    const idFaturaPag = crypto.randomUUID()
    await shop.issue(idFaturaPag, 12.34)
    await shop.simulate(idFaturaPag)
    await expect
      .poll(async () => (await fetch(`${host.baseUrl}/console/charges/${idFaturaPag}`)).text())
      .toMatch(/callback-12345678000195[^]*?>delivered</)
  })

  it("sends a signed event of a paid charge to the callback", async () => {
    const shop = await authenticate(host.baseUrl)
    const idFaturaPag = crypto.randomUUID()
    await shop.issue(idFaturaPag, 12.34)
    await shop.simulate(idFaturaPag)
    const event = await receiver.next(({ dados }) => dados.pagamento.idFaturaPag === idFaturaPag, secret)
    expect(event).toMatchObject({
      tipo: "pix.pago",
      dados: { empresa: { cnpj: "12345678000195" }, pagamento: { idFaturaPag, valor: 12.34 } },
    })
  })

  it("uses another port if the requested port is taken, and reports it", async () => {
    const { port } = new URL(host.baseUrl)
    const second = await embedded
    expect(second.baseUrl).not.toBe(host.baseUrl)
    expect(second.logs()).toContain(`Port ${port} is taken, so ${new URL(second.baseUrl).port} is used.`)
  })

  it("ends cleanly and soon although a receiver hangs and a client's request is incomplete", async () => {
    receiver.hang()
    const shop = await authenticate(host.baseUrl)
    const idFaturaPag = crypto.randomUUID()
    await shop.issue(idFaturaPag, 5)
    await shop.simulate(idFaturaPag)
    await receiver.next(({ dados }) => dados.pagamento.idFaturaPag === idFaturaPag, secret)
    await openRequest(host.baseUrl, "/api/pix")
    const { code, tookMs } = await host.stop()
    expect(code).toBe(0)
    // Waiting for the receiver would take 15 s, for the client even longer.
    expect(tookMs).toBeLessThan(10_000)
  })

  it.each([
    ["PORT", { PORT: "http" }],
    ["PIX_CALLBACK_URL", { PIX_CALLBACK_URL: "nonsense" }],
    ["PIX_CALLBACK_SECRET", { PIX_CALLBACK_URL: "http://127.0.0.1/" }],
    ["DATABASE_URL", { DATABASE_URL: "mysql://x" }],
  ])("names a wrong %s", (name, env) => {
    expect(() => readSettings(env)).toThrow(name)
  })

  it("ends with one sentence for an invalid setting", async () => {
    await expect(startHost(main, { DATABASE_URL: "postgres://127.0.0.1:1/nothing" })).rejects.toThrow(
      /^the host ended with 1: the database of DATABASE_URL can't be used: .+\n$/,
    )
  })
})

describe("the embedded database", () => {
  it("asks for DATABASE_URL if it can't write to its folder", async () => {
    // Root can write despite any mode, but can't make a folder in /sys.
    const readOnly = process.getuid?.() === 0 ? "/sys" : mkdtempSync(join(folder, "read-only-"))
    if (readOnly !== "/sys") chmodSync(readOnly, 0o500)
    await expect(startHost(main, { DATABASE_URL: "" }, readOnly)).rejects.toThrow(
      `in ${readOnly}/.pixcharge, which can't be written to: choose another folder, or a Postgres server. Set DATABASE_URL to memory: or a Postgres URL.`,
    )
  })

  it("is kept aside whole and replaced by a new database if an unreleased version made it", async () => {
    const { logs } = await embedded
    const keptFolders = readdirSync(folder).filter((name) => name.startsWith(".pixcharge-"))
    expect(keptFolders).toEqual([expect.stringMatching(/^\.pixcharge-kept-\d/)])
    const aside = join(folder, String(keptFolders[0]))
    expect(logs()).toContain(
      `The database was made by an unreleased version of pixcharge: it is kept in ${aside}, and a new one is made.\n`,
    )
    expect(statSync(aside).ino).toBe(unreleased)
    expect(statSync(database).ino).not.toBe(unreleased)
    const { db, close } = await embeddedDatabase(aside)
    const text = "SELECT name FROM pixcharge.resellers WHERE cnpj = 'made before'"
    expect((await db.query({ text, values: [] })).rows).toEqual([{ name: "Revenda" }])
    await close()
  })

  it("admits only one process", async () => {
    const { child } = await embedded
    await expect(startEmbedded()).rejects.toThrow(`${folder}/.pixcharge is in use by process ${child.pid}`)
  })

  it("keeps its data, even if the process is killed", async () => {
    const paid = crypto.randomUUID()
    const { child, baseUrl } = await embedded
    const shop = await authenticate(baseUrl)
    const issued = await (await shop.issue(paid, 5)).text()
    expect((await shop.simulate(paid)).status).toBe(200)
    child.kill("SIGKILL")
    await once(child, "exit")

    const second = await startEmbedded()
    const again = await authenticate(second.baseUrl)
    expect((await again.status(paid)).status).toBe(200)
    expect(await (await again.issue(paid, 5)).text()).toBe(issued)
    expect(await second.stop()).toMatchObject({ code: 0 })
  })
})
