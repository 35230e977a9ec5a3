import type { KnownProfile, PspProfile } from "../PspProfile.ts"

/** API Pix 2.10.0 to the letter. A connection says where its bank is. */
export const standardProfile: PspProfile = {
  apiPath: "/api/v2",
  apiPaths: {},
  tokenPath: "/oauth/token",
  otherTokenPaths: [],
  clientAuthentication: "basic",
  tokenBody: "form",
  tokenQuery: {},
  tokenHeaders: {},
  scope: "cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read",
  certificate: "required",
  headers: {},
  query: {},
  putOnExisting: "alters",
  codeFields: [],
  codeFrom: "charge",
  codeLocation: "same",
  returnReason: "sent",
  dueDateCharges: "offered",
  recurrences: "offered",
  recurrenceDemands: [],
  zonelessInstants: "utc",
  localInstants: [],
  absentKinds: [],
  tokenRefusals: [],
  emptyList: "page",
  listPeriod: "any",
  pace: { limits: [] },
  pageSize: 100,
  firstPage: 0,
  webhookKey: "asIs",
  webhookSuffix: "",
  skipWebhookMtlsHeaders: {},
}

/** The standard as one of the known profiles. */
export const standard: KnownProfile = {
  ...standardProfile,
  bank: "Any other",
  sources: [{ url: "https://github.com/bacen/pix-api", readOn: "2026-11-22" }],
}
