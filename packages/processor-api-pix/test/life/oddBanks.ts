import { type KnownProfile, standardProfile } from "@pixcharge/processor-api-pix"
import { type BankWays, type PublishedWays, reshaping } from "@pixcharge/simulated-bank"

/**
 * An invented bank: its profile, and the behaviour of the simulated bank, which is written independently of the
 * profile.
 */
export interface OddBank {
  readonly profile: KnownProfile
  readonly ways: PublishedWays
}

const { combine, brasiliaAsUtc, brasiliaWithoutZone, onlyFor, rename } = reshaping
const fiveDaysMs = 5 * 86_400_000

const month = (at: number): string => new Date(at - 3 * 3_600_000).toISOString().slice(0, 7)

const emptyListIsMissing: NonNullable<BankWays["reshape"]> = (answer, { method, path }) => {
  const isEmptyList = method === "GET" && path === "/pix" && JSON.stringify(answer.body).includes('"pix":[]')
  return isEmptyList ? { status: 404, body: { title: "NaoEncontrado" } } : answer
}

const missingIs400: NonNullable<BankWays["reshape"]> = (answer) =>
  answer.status === 404 && JSON.stringify(answer.body).includes("no ")
    ? { status: 400, body: { nome: "nada_aqui", mensagem: "nada" } }
    : answer

/** A bank that wants everything in other places than the standard. */
const wanting: OddBank = {
  profile: {
    ...standardProfile,
    bank: "Wanting",
    sources: [],
    production: { baseUrl: "https://api.wanting.example", tokenUrl: "https://login.wanting.example/token?realm=pix" },
    apiPath: "/v1",
    apiPaths: { "PATCH immediate": "/v2", "PATCH dueDate": "/v2" },
    clientAuthentication: "body",
    scope: "",
    tokenQuery: { grant_type: "client_credentials" },
    tokenHeaders: { "x-token-version": "2" },
    headers: { "x-client": { from: "clientId" }, "x-account": { from: "account" }, "x-request": { fresh: "uuid" } },
    query: { "app-key": { from: "applicationKey" } },
    codeFields: ["emv"],
    codeFrom: "codeCall",
    tokenRefusals: [{ status: 403, says: "token expired" }],
    absentKinds: ["nada_aqui"],
    emptyList: "missing",
    listPeriod: { days: 5 },
    zonelessInstants: "brasilia",
    webhookKey: "withoutPlus",
  },
  ways: {
    production: {
      hosts: { api: "api.wanting.example", token: "login.wanting.example" },
      apiRoot: "/v1",
      apiRoots: { "PATCH cob": "/v2", "PATCH cobv": "/v2" },
      tokenPath: "/token",
      token: {
        client: "body",
        content: "form",
        scope: "refused",
        query: { realm: "pix", grant_type: "client_credentials" },
        headers: { "x-token-version": { exactly: "2" } },
      },
      wants: {
        headers: { "x-client": "clientId", "x-account": "accountNumber", "x-request": "freshUuid" },
        query: { "app-key": "applicationKey" },
      },
      deadToken: { status: 403, body: { title: "Forbidden", detail: "Token expired" } },
      code: "ownCall",
      refusesPeriod: (from, to, now) => to - from > fiveDaysMs || to > now,
      webhookKeys: "withoutPlus",
      reshape: combine(missingIs400, emptyListIsMissing, brasiliaWithoutZone),
    },
  },
}

/** A bank that offers less than the standard. */
const frugal: OddBank = {
  profile: {
    ...standardProfile,
    bank: "Frugal",
    sources: [],
    sandbox: {
      baseUrl: "https://sandbox.frugal.example",
      apiPath: "/trial",
      clientAuthentication: "fixedToken",
      certificate: "none",
    },
    headers: { "x-account": { from: "account", isOptional: true } },
    putOnExisting: "refuses",
    changes: "missing",
    dueDateCharges: "missing",
    recurrences: "missing",
    codeLocation: "other",
    codeFields: ["brcode"],
    listPeriod: "month",
    firstPage: 1,
    returnReason: "leftOut",
  },
  ways: {
    production: {},
    sandbox: {
      hosts: { api: "sandbox.frugal.example", token: "nowhere.frugal.example" },
      certificate: "none",
      apiRoot: "/trial",
      token: { client: "fixed", content: "form", scope: "optional", query: {} },
      wants: { headers: { "x-account": "accountNumber" }, query: {} },
      kinds: ["cob"],
      putOnExisting: "refuses",
      patchOfTerms: "refuses",
      code: "ofAnother",
      refusesPeriod: (from, to) => month(from) !== month(to),
      firstPage: 1,
      refusesRequest: ({ path, text }) =>
        path.includes("/devolucao/") && text.includes("descricao") ? { status: 400, body: {} } : undefined,
      pagesBeyond: "refused",
      reshape: rename({ pixCopiaECola: "brcode" }),
    },
  },
}

/** A bank that writes Brasília's time in its answers. */
const local: OddBank = {
  profile: {
    ...standardProfile,
    bank: "Local",
    sources: [],
    production: { baseUrl: "https://api.local.example" },
    tokenPath: "/auth/token",
    tokenBody: "json",
    skipWebhookMtlsHeaders: { "x-unguarded": "yes" },
    localInstants: ["GET immediate", "GET payments", "GET payment"],
  },
  ways: {
    production: {
      hosts: { api: "api.local.example", token: "api.local.example" },
      tokenPath: "/auth/token",
      token: { client: "header", content: "json", scope: "required", query: {} },
      listsBy: "brasilia",
      probeWebhook: async (_, { headers }) =>
        headers["x-unguarded"] === "yes" ? undefined : { status: 400, body: {} },
      reshape: onlyFor(["GET cob", "GET pix"], brasiliaAsUtc),
    },
  },
}

/** Invented banks that together cover every value of a profile. */
export const oddBanks: Readonly<Record<string, OddBank>> = { wanting, frugal, local }
