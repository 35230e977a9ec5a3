import type { CredentialName, ProfileName, StageName } from "@pixcharge/processor-api-pix"
import type { Endpoint } from "../../src/wire/paths.ts"

/** What a connection may hold beside the client's id. */
export type Given = Exclude<CredentialName, "clientId"> | "certificate" | "skipWebhookMtls"

/** A request as it leaves. */
export interface TokenFacts {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a bank is called and what it means, as its documentation has it: in words of the wire, and not of a profile. */
export interface BankFacts {
  /** What a connection must hold beside the client's id, and what it may. */
  readonly needs: ReadonlyArray<Given>
  readonly takes: ReadonlyArray<Given>
  /** The request for a token; "none" where the bank has but one. */
  readonly token: TokenFacts | "none"
  /** Where a token is asked for after 404s, one after the other. */
  readonly otherTokenUrls: ReadonlyArray<string>
  /** Below which URL the calls are, and some of them apart. */
  readonly root: string
  readonly rootsApart: Readonly<Partial<Record<Endpoint, string>>>
  /** What each call has in its headers and query with what is needed alone, and what else with all that it may hold. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headersOfAll: Readonly<Record<string, string>>
  /** The calls that issue an immediate charge and one with a due date, where the answers have no code. */
  readonly immediate: ReadonlyArray<string>
  readonly dueDate: ReadonlyArray<string>
  /** The names that a charge's code has in answers; and one that leads elsewhere than its charge is taken, or refused. */
  readonly codes: ReadonlyArray<string>
  readonly codeOfAnother: "taken" | "refused"
  /** What is asked for to list ten days, from 25 January to 4 February 2025 in UTC. */
  readonly lists: ReadonlyArray<string>
  readonly page: string
  readonly emptyList: "is a page" | "is missing"
  /** When noon is that has no zone, and the calls in whose answers noon in UTC is noon in Brasília. */
  readonly noonWithoutZone: "12:00 UTC" | "15:00 UTC"
  readonly noonIsBrasilias: ReadonlyArray<Endpoint>
  /** The refusals by 400 that say that something isn't there. */
  readonly absences: ReadonlyArray<string>
  /** The answers after which another token is fetched. */
  readonly deadTokens: ReadonlyArray<string>
  /** How many calls it takes in a minute, if not any number. */
  readonly perMinute: Readonly<Record<string, number>>
  readonly pauseMs: number
  /** The body that returns one real, for a reason. */
  readonly returnBody: string
  /** The body that charges a cycle of a recurrence; "none" where nothing shows that the bank has them. */
  readonly cycle: string
  /** What a recurrence, its request or its cycle's charge can't lack, though API Pix lets it. */
  readonly recurringNeeds: ReadonlyArray<"recebedor.agencia" | "destinatario.agencia" | "valor">
  /** The registration of a webhook for the key +5581999990000 at https://shop.example/pix. */
  readonly webhook: { readonly path: string; readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

/** Each bank's facts at its stages. */
export type FactsOfBanks = Readonly<Record<ProfileName, Readonly<Partial<Record<StageName, BankFacts>>>>>
