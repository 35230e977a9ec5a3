import type { Company } from "../../world/companies.ts"

const limitMs = 20_000

/** A company's program that calls a host. A call rejects unless it gets the expected status. */
export const makeIntegrator = (baseUrl: string, { cnpj, integratorKey: chave }: Company) => {
  const send = async (expected: number, path: string, body?: object, token?: string): Promise<string> => {
    const response = await fetch(`${baseUrl}${path}`, {
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    })
    const text = await response.text()
    if (response.status !== expected) throw new Error(`the host returned ${response.status}: ${text}`)
    return text
  }
  let known: Promise<string> | undefined
  const token = () =>
    (known ??= send(200, "/api/token", { cnpj, chave }).then((text) => (JSON.parse(text) as { data: string }).data))
  return {
    issue: async (id: string, amountCents: number, dataVencimento?: string): Promise<void> => {
      const formaPagamento = { tpTransacao: 11, modPagamento: 18, idFaturaPag: id, valorPagamento: amountCents / 100 }
      const cliente = { xNome: "Maria da Silva", documento: "12345678909" }
      const body = { formaPagamento: { ...formaPagamento, dataVencimento }, cliente }
      await send(200, "/api/pix", body, await token())
    },
    pendingStatus: async (id: string): Promise<void> =>
      void (await send(410, `/api/pix/${id}`, undefined, await token())),
  }
}

export type Integrator = ReturnType<typeof makeIntegrator>
