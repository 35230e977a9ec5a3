import type { Company } from "../../world/companies.ts"

const limitMs = 20_000

/** A company's program that calls a host. A call rejects unless it gets the expected status. */
export class Integrator {
  readonly #baseUrl: string
  readonly #company: Company
  #token: Promise<string> | undefined

  constructor(baseUrl: string, company: Company) {
    this.#baseUrl = baseUrl
    this.#company = company
  }

  async issue(id: string, amountCents: number, dataVencimento?: string): Promise<void> {
    const formaPagamento = { tpTransacao: 11, modPagamento: 18, idFaturaPag: id, valorPagamento: amountCents / 100 }
    const cliente = { xNome: "Maria da Silva", documento: "12345678909" }
    await this.#ask(200, "POST", "/api/pix", { formaPagamento: { ...formaPagamento, dataVencimento }, cliente })
  }

  async pendingStatus(id: string): Promise<void> {
    await this.#ask(410, "GET", `/api/pix/${id}`)
  }

  async #ask(expected: number, method: string, path: string, body?: object): Promise<void> {
    this.#token ??= this.#askToken()
    await this.#send(expected, method, path, body, { authorization: `Bearer ${await this.#token}` })
  }

  async #askToken(): Promise<string> {
    const { cnpj, integratorKey: chave } = this.#company
    return (JSON.parse(await this.#send(200, "POST", "/api/token", { cnpj, chave })) as { readonly data: string }).data
  }

  async #send(expected: number, method: string, path: string, body?: object, headers = {}): Promise<string> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    })
    const text = await response.text()
    if (response.status !== expected) throw new Error(`the host returned ${response.status}: ${text}`)
    return text
  }
}
