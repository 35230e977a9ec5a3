import { type KnownProfile, type PspStage, pspProfiles } from "@pixcharge/processor-api-pix"
import { listDemandedCredentials, listOptionalCredentials } from "../src/connection/findConnectionFlaw.ts"
import { unsupportedBanks } from "../src/profiles/pspProfiles.ts"

const table = ([head = [], ...rows]: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => [...(row[column] ?? "")].length)))
  const line = (cells: ReadonlyArray<string>, filler = " "): string =>
    `| ${cells.map((cell, column) => cell + filler.repeat((widths[column] ?? 0) - [...cell].length)).join(" | ")} |`
  return [
    line(head),
    line(
      head.map(() => ""),
      "-",
    ),
    ...rows.map((row) => line(row)),
  ].join("\n")
}

const code = (text: string): string => `\`${text}\``

const readHost = (stage: PspStage | undefined): string => (stage === undefined ? "" : code(new URL(stage.baseUrl).host))

interface BankWords {
  readonly head: ReadonlyArray<string>
  readonly certificate: string
}

const english: BankWords = {
  head: ["Bank", "`psp`", "Production", "Sandbox", "Beside `clientId`"],
  certificate: "certificate",
}

const portuguese: BankWords = {
  head: ["Banco", "`psp`", "Produção", "Homologação (sandbox)", "Além do `clientId`"],
  certificate: "certificado",
}

/**
 * Lists the credentials of a stage, except the client's id. Brackets mark credentials that only some contracts have.
 */
const listNeeds = (profile: KnownProfile, stage: "production" | "sandbox", certificate: string): string => {
  const ways = { ...profile, ...profile[stage] }
  return [
    ...listDemandedCredentials(ways)
      .filter((name) => name !== "clientId")
      .map(code),
    ...(ways.certificate === "none" ? [] : [certificate]),
    ...listOptionalCredentials(ways).map((name) => `(${code(name)})`),
    ...(Object.keys(ways.skipWebhookMtlsHeaders).length === 0 ? [] : [`(${code("skipWebhookMtls")})`]),
  ].join(", ")
}

const listNeedsOfStages = (profile: KnownProfile, { certificate }: BankWords): string => {
  const production = listNeeds(profile, "production", certificate)
  const sandbox = profile.sandbox === undefined ? production : listNeeds(profile, "sandbox", certificate)
  return production === sandbox ? production : `${production}; sandbox: ${sandbox}`
}

const listSources = ({ sources }: KnownProfile): string => {
  const days = new Map<string, Array<string>>()
  sources.forEach(({ url, readOn }, index) => days.set(readOn, [...(days.get(readOn) ?? []), `[${index + 1}](${url})`]))
  return [...days].map(([day, links]) => `${day}: ${links.join(", ")}`).join("; ")
}

const tableOfBanks = (profiles: Readonly<Record<string, KnownProfile>>, words: BankWords): string =>
  table([
    words.head,
    ...Object.entries(profiles).map(([name, profile]) => [
      profile.bank,
      code(`"${name}"`),
      readHost(profile.production) || "`baseUrl`",
      readHost(profile.sandbox),
      listNeedsOfStages(profile, words),
    ]),
  ])

export const banksTable = (profiles: Readonly<Record<string, KnownProfile>> = pspProfiles): string =>
  tableOfBanks(profiles, english)

export const banksTableInPortuguese = (): string => {
  const { standard, ...others } = pspProfiles
  return tableOfBanks({ standard: { ...standard, bank: "Qualquer outro" }, ...others }, portuguese)
}

export const sourcesTable = (profiles: Readonly<Record<string, KnownProfile>> = pspProfiles): string =>
  table([
    ["Bank", "`psp`", "Read on"],
    ...Object.entries(profiles).map(([name, profile]) => [profile.bank, code(`"${name}"`), listSources(profile)]),
  ])

export const refusedTable = (): string =>
  table([
    ["`psp`", "What is missing"],
    ...Object.entries(unsupportedBanks).map(([name, why]) => [code(`"${name}"`), why]),
  ])
