import { setTimeout as pause } from "node:timers/promises"
import type { SoakCompany } from "../companies.ts"

/** An answer of the host's. */
export interface Answer {
  readonly status: number
  readonly error: string | null
  readonly text: string
}

/** How long an integrator waits for an answer, and how long it goes on asking. */
const limitMs = 20_000
const patienceMs = 180_000
const betweenMs = 500

/** An integrator's program, for all companies. */
export class Client {
  readonly #baseUrl: string
  readonly #tokens = new Map<string, Promise<string>>()
  /** Answers that asked to come again, and connections that broke. */
  repeats = 0

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** One request; undefined where no answer came. */
  async send(method: string, path: string, company?: SoakCompany, body?: unknown): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${this.#baseUrl}${path}`, {
        method,
        headers: {
          ...(company !== undefined && { authorization: `Bearer ${await this.#token(company)}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(limitMs),
      })
      return { status: response.status, error: response.headers.get("pix-erro"), text: await response.text() }
    } catch {
      return undefined
    }
  }

  /** The same request until the answer is one that stands, as the contract asks; undefined if none came in three minutes. */
  async ask(method: string, path: string, company?: SoakCompany, body?: unknown): Promise<Answer | undefined> {
    const giveUpAt = performance.now() + patienceMs
    for (;;) {
      const answer = await this.send(method, path, company, body)
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) return answer
      if (performance.now() > giveUpAt) return answer
      this.repeats += 1
      await pause(betweenMs)
    }
  }

  #token(company: SoakCompany): Promise<string> {
    const known = this.#tokens.get(company.cnpj)
    if (known !== undefined) return known
    const asked = this.#askToken(company)
    this.#tokens.set(company.cnpj, asked)
    asked.catch(() => this.#tokens.delete(company.cnpj))
    return asked
  }

  async #askToken({ cnpj, integratorKey: chave }: SoakCompany): Promise<string> {
    const answer = await this.send("POST", "/api/token", undefined, { cnpj, chave })
    if (answer?.status !== 200) throw new Error(`no token: ${answer?.status}`)
    return (JSON.parse(answer.text) as { readonly data: string }).data
  }
}
