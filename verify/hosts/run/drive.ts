import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { Row } from "./Row.ts"

const limitMs = 60_000

/** A part of a request's path that must not appear in any log. */
export const wrongSecret = "bm8gc3VjaCBrZXk"

/** Rejects with `what` unless the promise settles in time. */
const within = async <A>(what: string, promise: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing within ${limitMs / 1_000} s`)), limitMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

interface Request {
  readonly token?: string
  readonly body?: unknown
}

const askAt =
  (origin: string) =>
  async (method: string, path: string, { token, body }: Request = {}) => {
    const response = await within(
      `${method} ${path}`,
      fetch(origin + path, {
        method,
        headers: {
          connection: "close",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return { status: response.status, text, is: `${method} ${path}: ${response.status} ${text.slice(0, 300)}` }
  }

export interface Surroundings {
  /** Resolves once the host has published the `paid` event of this charge. */
  readonly paid: (chargeId: string, readLog: () => string) => Promise<void>
  /** Pays the charge at the bank. By default a sandbox payment pays it. */
  readonly pay?: () => Promise<unknown>
}

/**
 * Takes a charge through its life over HTTP, as an integrator and the host's visitors do. Rejects at the first fault.
 */
export const drive = async (
  origin: string,
  { prefix, hasOwnRoutesBelow, hasHome, hasShop }: Row,
  { paid, pay }: Surroundings,
  readLog: () => string,
  midway: () => Promise<void>,
): Promise<void> => {
  const ask = askAt(origin)
  const ours = async (expected: number, method: string, path: string, request?: Request): Promise<unknown> => {
    const { status, text, is } = await ask(method, `${prefix}/api/${path}`, request)
    assert.equal(status, expected, is)
    const json = JSON.parse(text) as { readonly sucesso: boolean; readonly data?: unknown }
    assert.equal(json.sucesso, expected < 300, is)
    return json.data
  }

  const token = String(await ours(200, "POST", "token", { body: { cnpj: "12345678000195", chave: "chave-da-loja" } }))
  await ours(401, "GET", `token/${wrongSecret}`)
  const unreadable = await ask("GET", `${prefix}/api/token/${wrongSecret}%E0%A4%A`)
  assert.ok(unreadable.status >= 400 && !unreadable.text.includes(wrongSecret), unreadable.is)
  const id = randomUUID()
  const formaPagamento = { tpTransacao: 11, idFaturaPag: id, modPagamento: 18, valorPagamento: 19.9 }
  await ours(401, "POST", "pix", { body: { formaPagamento } })
  await ours(400, "POST", "pix", { token, body: "{" })
  await ours(413, "POST", "pix", { token, body: `"${"x".repeat(17 * 1_024)}"` })
  await ours(200, "POST", "pix", { token, body: { formaPagamento } })
  await midway()
  await ours(410, "GET", `pix/${id}`, { token })
  await (pay === undefined ? ours(200, "POST", `pix/simular-pagamento/${id}`, { token }) : pay())
  await within("the paid event", paid(id, readLog))
  await ours(200, "GET", `pix/${id}`, { token })
  // A real bank makes the refund later.
  await ours(pay === undefined ? 200 : 202, "DELETE", `pix/${id}`, { token })

  for (const path of ["/none", ...(hasOwnRoutesBelow ? [`${prefix}/none`] : [])]) {
    const { status, text, is } = await ask("GET", path)
    assert.equal(status, 404, is)
    assert.ok(!text.includes("sucesso"), is)
  }
  if (hasShop) {
    const { status, headers } = await fetch(`${origin}/buy`, { redirect: "manual", headers: { connection: "close" } })
    const { pathname } = new URL(headers.get("location") ?? "", origin)
    assert.ok(status === 302 && pathname.startsWith(`${prefix}/pagar/`), `/buy: ${status} ${pathname}`)
    const page = await ask("GET", pathname)
    assert.ok(page.status === 200 && page.text.includes("000201"), page.is)
  }
  if (!hasHome) return
  const home = await ask("GET", "/")
  assert.ok(home.status === 200 && home.text.includes("a shop"), home.is)
}
