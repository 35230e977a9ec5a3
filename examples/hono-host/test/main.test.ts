import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, it, onTestFinished } from "vitest"

/** Starts the host in its own process on a free port. `printed` returns its output so far. */
const startHost = async (env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [`${import.meta.dirname}/../dist/main.js`], {
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  let printed = ""
  child.stdout.on("data", (chunk) => (printed += String(chunk)))
  await expect.poll(() => printed).toContain("listening on")
  const url = /http:\S+/.exec(printed)?.[0] ?? ""
  return { child, url, printed: () => printed }
}

it("issues, pays and refunds an order, gets its events, and ends at SIGTERM", async () => {
  const key = "a key of the test's integrator"
  const { child, url, printed } = await startHost({ PIX_INTEGRATOR_KEY: key, OPERATOR_KEY: "operator" })
  const call = async (method: string, path: string, authorization = "", body?: object) => {
    const headers = { authorization, "content-type": "application/json" }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: response.status, body: JSON.parse(await response.text()) as Record<string, string> }
  }
  const order = await call("POST", "/orders")
  expect(order).toMatchObject({ status: 201, body: { brCode: expect.stringMatching(/^000201/) } })
  const path = `/orders/${order.body["id"]}`
  expect((await call("GET", path)).body).toEqual({ status: "pending" })
  expect(await call("POST", `${path}/refund`, "Bearer operator")).toMatchObject({
    status: 409,
    body: { error: "PIX_CHARGE_NOT_PAID" },
  })

  const token = await call("POST", "/payments/api/token", "", { cnpj: "12345678000195", chave: key })
  const payment = `/payments/api/pix/simular-pagamento/${order.body["id"]}`
  expect(await call("POST", payment, `Bearer ${token.body["data"]}`)).toMatchObject({ status: 200 })
  expect((await call("GET", path)).body).toEqual({ status: "paid" })

  expect((await fetch(`${url}${path}/refund`, { method: "POST" })).status).toBe(401)
  expect(await call("POST", `${path}/refund`, "Bearer operator")).toEqual({ status: 200, body: { status: "refunded" } })
  expect((await fetch(`${url}/orders/unknown`)).status).toBe(404)
  await expect.poll(printed).toContain(`paid ${order.body["id"]}\nrefunded ${order.body["id"]}\n`)

  child.kill("SIGTERM")
  expect(await once(child, "exit")).toEqual([0, null])
})
