import type { CredentialName, ProfileName, StageName } from "@pixcharge/processor-api-pix"
import type { Endpoint } from "../../src/wire/paths.ts"

export type Given = Exclude<CredentialName, "clientId"> | "certificate" | "skipWebhookMtls"

export interface TokenFacts {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * What a bank's documentation says about its calls, written as URLs, headers and bodies of calls, not as fields of a
 * profile.
 */
export interface BankFacts {
  /** The required credentials, without the client's id. */
  readonly needs: ReadonlyArray<Given>
  /** The optional credentials. */
  readonly takes: ReadonlyArray<Given>
  /** The token request, or "none" for a fixed token. */
  readonly token: TokenFacts | "none"
  /** Further URLs of the token endpoint, tried in order after a 404. */
  readonly otherTokenUrls: ReadonlyArray<string>
  /** The URL of the API. */
  readonly root: string
  /** The API's URLs for calls that have another URL than `root`. */
  readonly rootsApart: Readonly<Partial<Record<Endpoint, string>>>
  /**
   * Headers and query of each call if only the required credentials are given. `headersOfAll` are the additional headers
   * if all credentials are given.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headersOfAll: Readonly<Record<string, string>>
  /** The calls that issue each kind of charge if the answers don't contain the code. */
  readonly immediate: ReadonlyArray<string>
  readonly dueDate: ReadonlyArray<string>
  /** The calls that change the amount of an open immediate charge. */
  readonly change: ReadonlyArray<string>
  /** The names of a charge's code in answers. `codeOfAnother` says whether we accept a code for another location. */
  readonly codes: ReadonlyArray<string>
  readonly codeOfAnother: "taken" | "refused"
  /** The requests that list the payments from 25 January to 4 February 2025 in UTC. */
  readonly lists: ReadonlyArray<string>
  readonly page: string
  readonly emptyList: "is a page" | "is missing"
  /** How noon without a zone is read. `noonIsBrasilias` are the calls whose answers mark noon in Brasília as UTC. */
  readonly noonWithoutZone: "12:00 UTC" | "15:00 UTC"
  readonly noonIsBrasilias: ReadonlyArray<Endpoint>
  /** Refusals with status 400 that mean a missing resource. */
  readonly absences: ReadonlyArray<string>
  /** Answers after which a client must fetch a new token. */
  readonly deadTokens: ReadonlyArray<string>
  /** The allowed number of calls per minute. A call that isn't listed is unlimited. */
  readonly perMinute: Readonly<Record<string, number>>
  readonly pauseMs: number
  /** The body that returns one real and gives a reason. */
  readonly returnBody: string
  /** The body that charges a cycle, or "none" if no source shows recurrences. */
  readonly cycle: string
  /** Fields of recurrences that the bank demands, although API Pix makes them optional. */
  readonly recurringNeeds: ReadonlyArray<"recebedor.agencia" | "destinatario.agencia" | "valor">
  /** The call that registers the webhook https://shop.example/pix for the key +5581999990000. */
  readonly webhook: { readonly path: string; readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

export type FactsOfBanks = Readonly<Record<ProfileName, Readonly<Partial<Record<StageName, BankFacts>>>>>
