import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"

const limitMs = 60_000

/** It is in the path of a request, and must not be in any log. */
export const wrongSecret = "bm8gc3VjaCBrZXk"

/** Rejects, naming what didn't come, unless the promise settles in time. */
const within = async (what, promise) => {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing within ${limitMs / 1_000} s`)), limitMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/**
 * The life of a charge over HTTP, as an integrator and the host's own visitors see it; `midway` runs while the charge waits to
 * be paid. Rejects at the first thing wrong.
 */
export const drive = async ({ origin, prefix, hasOwnRoutesBelow }, receiver, midway) => {
  const ask = async (method, path, { token, body } = {}) => {
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
    const answer = await response.text()
    return {
      status: response.status,
      text: answer,
      is: `${method} ${path}: ${response.status} ${answer.slice(0, 300)}`,
    }
  }
  const ours = async (expected, ...call) => {
    const { status, text, is } = await ask(...call)
    assert.equal(status, expected, is)
    const json = JSON.parse(text)
    assert.equal(json.sucesso, expected < 300, is)
    return json
  }
  const at = (path) => `${prefix}/api/${path}`

  const { data: token } = await ours(200, "POST", at("token"), {
    body: { cnpj: "12345678000195", chave: "chave-da-loja" },
  })
  await ours(401, "GET", at(`token/${wrongSecret}`))
  const unreadable = await ask("GET", at(`token/${wrongSecret}%E0%A4%A`))
  assert.ok(unreadable.status >= 400 && !unreadable.text.includes(wrongSecret), unreadable.is)
  const id = randomUUID()
  const formaPagamento = { tpTransacao: 11, idFaturaPag: id, modPagamento: 18, valorPagamento: 19.9 }
  await ours(401, "POST", at("pix"), { body: { formaPagamento } })
  await ours(400, "POST", at("pix"), { token, body: "{" })
  await ours(413, "POST", at("pix"), { token, body: `"${"x".repeat(17 * 1_024)}"` })
  await ours(200, "POST", at("pix"), { token, body: { formaPagamento } })
  await midway()
  await ours(410, "GET", at(`pix/${id}`), { token })
  await ours(200, "POST", at(`pix/simular-pagamento/${id}`), { token })
  await ours(200, "GET", at(`pix/${id}`), { token })
  await within("the paid event", receiver.paid(id))
  await ours(200, "DELETE", at(`pix/${id}`), { token })

  for (const path of ["/none", ...(hasOwnRoutesBelow ? [`${prefix}/none`] : [])]) {
    const { status, text, is } = await ask("GET", path)
    assert.equal(status, 404, is)
    assert.ok(!text.includes("sucesso"), is)
  }
  const home = await ask("GET", "/")
  assert.ok(home.status === 200 && home.text.includes("a shop"), home.is)
}
