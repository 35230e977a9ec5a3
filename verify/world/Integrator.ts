import type { Company } from "./companies.ts"

export interface HostAnswer {
  readonly status: number
  /** The value of the header `Pix-Erro`. */
  readonly error: string | null
  readonly text: string
}

const limitMs = 20_000

/** A company's program that calls a host. A call without an answer rejects. */
export class Integrator {
  readonly #baseUrl: string
  readonly #company: Company
  #token: Promise<string> | undefined

  constructor(baseUrl: string, company: Company) {
    this.#baseUrl = baseUrl
    this.#company = company
  }

  async issue(id: string, amountCents: number, dataVencimento?: string): Promise<HostAnswer> {
    const formaPagamento = { tpTransacao: 11, modPagamento: 18, idFaturaPag: id, valorPagamento: amountCents / 100 }
    return this.#ask("POST", "/api/pix", {
      formaPagamento: { ...formaPagamento, dataVencimento },
      cliente: { xNome: "Maria da Silva", documento: "12345678909" },
    })
  }

  async status(id: string): Promise<HostAnswer> {
    return this.#ask("GET", `/api/pix/${id}`)
  }

  async refund(id: string): Promise<HostAnswer> {
    return this.#ask("DELETE", `/api/pix/${id}`)
  }

  async link(id: string): Promise<HostAnswer> {
    return this.#send("GET", `/loja/${this.#company.cnpj}/${id}`)
  }

  async #ask(method: string, path: string, body?: object): Promise<HostAnswer> {
    this.#token ??= this.#askToken()
    try {
      return await this.#send(method, path, body, { authorization: `Bearer ${await this.#token}` })
    } catch (error) {
      this.#token = undefined
      throw error
    }
  }

  async #askToken(): Promise<string> {
    const { cnpj, integratorKey: chave } = this.#company
    const { status, text } = await this.#send("POST", "/api/token", { cnpj, chave })
    if (status !== 200) throw new Error(`no token: ${status}`)
    return (JSON.parse(text) as { readonly data: string }).data
  }

  async #send(method: string, path: string, body?: object, headers = {}): Promise<HostAnswer> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    })
    return { status: response.status, error: response.headers.get("pix-erro"), text: await response.text() }
  }
}
