import { chargeTxid } from "@pixcharge/core/plain"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { once } from "node:events"
import { type AddressInfo, connect } from "node:net"
import { startSimulatedBank } from "@pixcharge/simulated-bank"
import { expect, it, onTestFinished } from "vitest"
import { account } from "../src/bin/writeInstructions.ts"
import { startControls } from "../src/bin/startControls.ts"

const {
  cnpj,
  pixKeys: [pixKey],
  clientId,
  clientSecret,
} = account

const open = async () => {
  const bank = await startSimulatedBank({ accounts: [account] })
  const controls = await startControls(bank, cnpj, { fact: 1 }, 0)
  onTestFinished(async () => void (await Promise.all([bank.close(), controls.close()])))

  const call = async (method: string, path: string, headers: Record<string, string>, body: object) => {
    const sent = { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) }
    return (await fetch(`${bank.baseUrl}${path}`, sent)).json().catch(() => undefined)
  }
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`
  const authorize = async (): Promise<string> => {
    const tokenAnswer = await call(
      "POST",
      "/oauth/token",
      { authorization: basic },
      { grant_type: "client_credentials" },
    )
    return `Bearer ${(tokenAnswer as { readonly access_token: string }).access_token}`
  }
  const issue = async (): Promise<string> => {
    const id = randomUUID()
    const terms = { calendario: { expiracao: 600 }, valor: { original: "1.00" }, chave: pixKey }
    await call("PUT", `/api/v2/cob/${chargeTxid(cnpj, id)}`, { authorization: await authorize() }, terms)
    return id
  }
  const register = async (webhookUrl: string): Promise<void> => {
    await call("PUT", `/api/v2/webhook/${pixKey}`, { authorization: await authorize() }, { webhookUrl })
  }
  const command = async (path: string, method = "POST") => {
    const response = await fetch(`${controls.url}/${path}`, { method })
    return [response.status, await response.json()] as const
  }
  const show = async () => (await command("", "GET"))[1] as Readonly<Record<string, ReadonlyArray<unknown>>>
  return { bank, controls, authorize, issue, register, command, show }
}

const exchangeLines = async (url: string, ...lines: ReadonlyArray<string>): Promise<string> => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8")
  let answer = ""
  socket.on("data", (text: string) => (answer += text))
  socket.write([...lines, "Connection: close", "", ""].join("\r\n"))
  await once(socket, "close")
  return answer
}

it("pays the last charge, even a second time", async () => {
  const { issue, command, show } = await open()
  await issue()
  const last = await issue()
  for (const times of [1, 2]) {
    const [status, paid] = await command("pay")
    expect({ status, paid }).toMatchObject({ status: 200, paid: { txid: chargeTxid(cnpj, last), amountCents: 100 } })
    const { payments, charges, fact } = await show()
    expect([payments?.length, charges?.length, fact]).toEqual([times, 2, 1])
  }
})

it("pays the charge in the query with a different amount", async () => {
  const { issue, command } = await open()
  const first = await issue()
  await issue()
  const txid = chargeTxid(cnpj, first)
  expect(await command(`pay?charge=${first}&amountCents=99`)).toMatchObject([200, { txid, amountCents: 99 }])
  await command("pay")
  expect(await command(`refund?charge=${txid}`)).toMatchObject([200, { txid, returnedCents: 99 }])
})

it("returns the last payment in parts, until no money is left", async () => {
  const { issue, command } = await open()
  await issue()
  await command("pay")
  expect(await command("refund?amountCents=40")).toMatchObject([200, { amountCents: 100, returnedCents: 40 }])
  expect(await command("refund?amountCents=61")).toEqual([400, { error: "60 centavos of the payment are left" }])
  expect(await command("refund")).toMatchObject([200, { returnedCents: 100 }])
  expect(await command("refund")).toEqual([400, { error: "0 centavos of the payment are left" }])
})

it("doesn't pay a removed charge", async () => {
  const { bank, issue, command } = await open()
  bank.remove(cnpj, chargeTxid(cnpj, await issue()))
  const error = "the charge can't be paid any more: it has expired or was removed"
  expect(await command("pay")).toEqual([400, { error }])
})

it("reports the outcome of the webhook's call", async () => {
  const { issue, register, command, show } = await open()
  await issue()
  expect(await command("pay")).toMatchObject([200, { webhook: "none is registered: call registerWebhook" }])
  const host = createServer((_, response) => response.writeHead(503).end()).listen(0, "127.0.0.1")
  await once(host, "listening")
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  await register(`${url}/hook`)
  expect(await command("pay")).toMatchObject([200, { webhook: "HTTP 503" }])
  await new Promise((resolve) => host.close(resolve))
  expect(await command("refund")).toMatchObject([200, { webhook: `no answer from ${url}` }])
  expect((await show())["notices"]).toEqual([503, 0].map((status) => ({ url: `${url}/hook/pix`, status })))
})

it("takes the bank down, slows it, and brings it up again", async () => {
  const { authorize, command } = await open()
  await command("down")
  await expect(authorize()).rejects.toThrow()
  await command("slow?seconds=0.3")
  const before = performance.now()
  await authorize()
  expect(performance.now() - before).toBeGreaterThan(290)
  await command("slow?seconds=600")
  await command("up")
  await authorize()
})

it.each([
  ["pay", "there is no charge yet: issue one first"],
  ["pay?charge=0", "there is no such charge: GET / lists them"],
  ["refund", "there is no payment yet: pay first"],
  ["slow?seconds=0", "seconds takes a number from 0 to 600"],
  [
    "pays",
    "there is no /pays (did you mean /pay?): the commands are /pay, /refund, /down, /slow, /up, /approve, /decline, /cancel, /expire, /maximum, /balance, /day",
  ],
  ["approve", "there is no recurrence yet: offer one first"],
  ["balance?recurrence=R", "there is no such recurrence: GET / lists them"],
  ["day", "no debit is scheduled: charge a cycle first"],
  ["day?date=10/12/2026", "date takes a day like 2026-12-10, not 10/12/2026"],
])("refuses the command /%s at a new bank", async (path, error) => {
  expect(await (await open()).command(path)).toEqual([400, { error }])
})

it("rejects wrong amounts, and commands sent by GET", async () => {
  const { issue, command, show } = await open()
  await issue()
  expect(await command("pay?amountCents=0.5")).toMatchObject([400, { error: expect.stringContaining("amountCents") }])
  expect(await command("pay", "GET")).toEqual([400, { error: "/pay is a POST: curl -X POST" }])
  expect((await show())["payments"]).toEqual([])
})

const strangeTargets = [
  "//",
  "///",
  "/%",
  "/%ff?%",
  "//pay",
  "/\\",
  "/?a=b?c",
  "*",
  "http://",
  "http://127.0.0.1/",
  "x:y",
]

it("survives any request target, and refuses an absolute target", async () => {
  const { controls, show } = await open()
  for (const target of strangeTargets) {
    const method = target === "*" ? "OPTIONS" : "GET"
    const answer = await exchangeLines(controls.url, `${method} ${target} HTTP/1.1`, "Host: localhost")
    expect([target, answer.split(" ", 2)[1]]).toEqual([
      target,
      target === "/?a=b?c" ? "200" : expect.stringMatching(/^40/),
    ])
  }
  expect((await show())["fact"]).toBe(1)
})

it.each(strangeTargets)("answers the target %s at the bank, without a token and with one", async (target) => {
  const { bank, authorize } = await open()
  const token = `Authorization: ${await authorize()}`
  const method = target === "*" ? "OPTIONS" : "GET"
  const inApi = `${method} ${target.startsWith("/") ? "/api/v2/cob" : ""}${target} HTTP/1.1`
  for (const lines of [[`${method} ${target} HTTP/1.1`], [inApi, token], [`GET /api/v2/cob/1 HTTP/1.1`, token]])
    expect(await exchangeLines(bank.baseUrl, ...lines, "Host: localhost")).toMatch(/^HTTP\/1.1 40/)
  expect(await exchangeLines(bank.baseUrl, "GET / HTTP/1.1", "Host: [")).toMatch(/^HTTP\/1.1 40/)
})

it("answers 400 to a body that isn't JSON", async () => {
  const { bank, authorize } = await open()
  const sent = { method: "PUT", headers: { authorization: await authorize() }, body: "{" }
  const { status } = await fetch(`${bank.baseUrl}/api/v2/cob/${randomUUID().replaceAll("-", "")}`, sent)
  expect(status).toBe(400)
  expect((await fetch(`${bank.baseUrl}/oauth/token`, { method: "POST", body: "{" })).status).toBe(400)
})

it.each([
  ["another name", "Host: evil.example"],
  ["a name that begins with localhost", "Host: localhost.evil.example"],
  ["a user before the name", "Host: localhost@evil.example"],
  ["no name", "Host:"],
  ["a proxy's caller", "Host: localhost", "X-Forwarded-For: 127.0.0.1"],
  ["a page of another site", "Host: localhost", "Origin: https://evil.example"],
  ["a page with an opaque origin", "Host: localhost", "Origin: null"],
])("runs no command and shows nothing for %s", async (_, ...headers) => {
  const { controls, issue, show } = await open()
  await issue()
  for (const line of ["GET / HTTP/1.1", "POST /pay HTTP/1.1"]) {
    const answer = await exchangeLines(controls.url, line, ...headers, "Content-Length: 0")
    expect(answer).toMatch(/^HTTP\/1.1 403/)
    expect(answer).not.toContain("fact")
  }
  expect((await show())["payments"]).toEqual([])
})

it.each(["127.0.0.1", "localhost:1234", "[::1]:1"])("serves commands at %s", async (name) => {
  const { controls } = await open()
  expect(await exchangeLines(controls.url, "GET / HTTP/1.1", `Host: ${name}`)).toMatch(/^HTTP\/1.1 200/)
})
