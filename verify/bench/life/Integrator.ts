import type { LifeCompany } from "./companies.ts"

/** A company's own software, which asks the host. */
export class Integrator {
  readonly #baseUrl: string
  readonly #headers: Readonly<Record<string, string>>

  private constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl
    this.#headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  }

  static async authenticate(baseUrl: string, { cnpj, integratorKey }: LifeCompany): Promise<Integrator> {
    const secret = Buffer.from(`${cnpj}|${integratorKey}`).toString("base64url")
    const response = await fetch(`${baseUrl}/api/token/${secret}`)
    const { data } = (await response.json()) as { data: string }
    return new Integrator(baseUrl, data)
  }

  async issue(id: string): Promise<void> {
    const body = {
      formaPagamento: { tpTransacao: 11, idFaturaPag: id, modPagamento: 18, valorPagamento: 19.9 },
      cliente: { xNome: "Maria da Silva", documento: "12345678909" },
    }
    await this.#ask(200, "/api/pix", { method: "POST", body: JSON.stringify(body) })
  }

  /** Asks for the status of a charge that isn't paid. */
  async status(id: string): Promise<void> {
    await this.#ask(410, `/api/pix/${id}`)
  }

  async #ask(expected: number, path: string, request: RequestInit = {}): Promise<void> {
    const response = await fetch(`${this.#baseUrl}${path}`, { ...request, headers: this.#headers })
    await response.text()
    if (response.status !== expected) throw new Error(`${path} was answered with ${response.status}`)
  }
}
