import type { CredentialName, ProfileName, StageName } from "@pixcharge/processor-api-pix"
import type { Endpoint } from "../../src/wire/paths.ts"

export type Given = Exclude<CredentialName, "clientId"> | "certificate" | "skipWebhookMtls"

export interface TokenFacts {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A bank's calls and their meaning, from its documentation, in terms of the wire and not of a profile. */
export interface BankFacts {
  /** Required and optional credentials besides the client's id. */
  readonly needs: ReadonlyArray<Given>
  readonly takes: ReadonlyArray<Given>
  /** The token request, or "none" for a fixed token. */
  readonly token: TokenFacts | "none"
  /** Tried in order after 404s. */
  readonly otherTokenUrls: ReadonlyArray<string>
  /** The URL of the API, and of calls apart. */
  readonly root: string
  readonly rootsApart: Readonly<Partial<Record<Endpoint, string>>>
  /** Headers and query of each call with required credentials, and additions with all credentials. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headersOfAll: Readonly<Record<string, string>>
  /** The calls that issue each kind of charge if answers lack the code. */
  readonly immediate: ReadonlyArray<string>
  readonly dueDate: ReadonlyArray<string>
  /** Names of a charge's code in answers, and whether a code for another location is accepted. */
  readonly codes: ReadonlyArray<string>
  readonly codeOfAnother: "taken" | "refused"
  /** The requests that list ten days, from 25 January to 4 February 2025 in UTC. */
  readonly lists: ReadonlyArray<string>
  readonly page: string
  readonly emptyList: "is a page" | "is missing"
  /** Noon without a zone, and the calls that mark noon in Brasília as UTC. */
  readonly noonWithoutZone: "12:00 UTC" | "15:00 UTC"
  readonly noonIsBrasilias: ReadonlyArray<Endpoint>
  /** Refusals by 400 that mean absence. */
  readonly absences: ReadonlyArray<string>
  /** Answers that make a client fetch another token. */
  readonly deadTokens: ReadonlyArray<string>
  /** Calls per minute; unlimited if absent. */
  readonly perMinute: Readonly<Record<string, number>>
  readonly pauseMs: number
  /** The body that returns one real, with a reason. */
  readonly returnBody: string
  /** The body that charges a cycle, or "none" without evidence of recurrences. */
  readonly cycle: string
  /** Fields of recurrences that the bank demands beyond API Pix. */
  readonly recurringNeeds: ReadonlyArray<"recebedor.agencia" | "destinatario.agencia" | "valor">
  /** The registration of a webhook for the key +5581999990000 at https://shop.example/pix. */
  readonly webhook: { readonly path: string; readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

export type FactsOfBanks = Readonly<Record<ProfileName, Readonly<Partial<Record<StageName, BankFacts>>>>>
