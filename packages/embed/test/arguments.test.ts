import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { inspect } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createPix, isPixError, type PixError, type RecurrenceRequestInput } from "../src/index.ts"

const cnpj = "12345678000195"
const reseller = "00000000000191"
const company = { cnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }
const callback = { url: "https://loja.example.com/pix", secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="] }
const period = { from: 0, until: 86_400_000 }

const pix = createPix({
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({ companies: [company], resellers: [{ cnpj: reseller, name: "Revenda" }] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  checkout: checkout({ url: "https://loja.example.com" }),
  recurrences: true,
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  background: false,
})
const id = randomUUID()
const recurrence = randomUUID()

const anOffer = (offered: string = randomUUID()): RecurrenceRequestInput => ({
  id: offered,
  payer: { name: "Ana Souza", taxId: "52998224725" },
  title: "Academia",
  period: "monthly",
  startDate: "2999-01-31",
  journey: { by: "code" },
})

beforeAll(async () => {
  await pix.issue(cnpj, { id, amountCents: 1990 })
  await pix.recurrences.offer(cnpj, anOffer(recurrence))
})
afterAll(() => pix.dispose())

/** A text that no error may repeat. It is too short to be an integrator's key. */
const canary = "canary-of-a"

/** Values that a host without types can give for any argument. */
const wrong: ReadonlyArray<readonly [string, unknown]> = [
  ["undefined", undefined],
  ["null", null],
  ["true", true],
  ["false", false],
  ["0", 0],
  ["-1", -1],
  ["1.5", 1.5],
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["1e300", 1e300],
  ["a bigint", 1n],
  ["a symbol", Symbol("x")],
  ["an empty text", ""],
  ["a text", canary],
  ["a text that turns", "ana\u202e"],
  ["a text with NUL", "a\0b"],
  ["half a surrogate pair", "\ud800"],
  ["an empty list", []],
  ["a list of a text", [canary]],
  ["a list of a UUID", [id]],
  ["a list of a CNPJ", [cnpj]],
  ["a list of lists", [[]]],
  ["an empty object", {}],
  ["an object without prototype", Object.create(null)],
  ["a function", () => 1],
  ["an invalid date", new Date(Number.NaN)],
]

type Call = (given: never) => unknown

interface Row {
  readonly call: Call
  /** The wrong values that this argument takes. */
  readonly takes?: ReadonlyArray<string>
}

const readAll = async (list: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of list);
}

const texts = ["an empty text", "a text", "a text that turns", "a text with NUL", "half a surrogate pair"]
const cleanTexts = ["a text", "a text that turns"]
/** Valid names of things that don't exist: these calls then reject with a not-found error. */
const otherNames = ["an empty text", ...cleanTexts]
const optional = ["undefined"]
/** Values that count as a filter without fields. */
const emptyObjects = ["an empty object", "an object without prototype", "an invalid date"]
const noFields = ["undefined", "null", ...emptyObjects]
const moments = ["0", "-1", "1.5"]
const numbers = ["0", "-1", "1.5", "Infinity", "1e300"]
/** Their items are refused one by one. */
const listsOfOthers = ["a list of a text", "a list of a UUID", "a list of a CNPJ", "a list of lists"]
const flags = ["undefined", "true", "false"]

const row = (call: Call, ...takes: ReadonlyArray<ReadonlyArray<string>>): Row => ({ call, takes: takes.flat() })

const actorPix = pix.by("ana")

const signatures = pix.tokens.signatures("a purpose")

/** Every argument of every method, and the fields of object arguments. */
const methods: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  issue: {
    issuer: row((given) => pix.issue(given, { id: randomUUID(), amountCents: 1 })),
    request: row((given) => pix.issue(cnpj, given)),
    id: row((given) => pix.issue(cnpj, { id: given, amountCents: 1 })),
    amountCents: row((given) => pix.issue(cnpj, { id: randomUUID(), amountCents: given })),
    dueDate: row((given) => pix.issue(cnpj, { id: randomUUID(), amountCents: 1, dueDate: given }), optional),
    payer: row((given) => pix.issue(cnpj, { id: randomUUID(), amountCents: 1, payer: given }), optional),
    messageToPayer: row(
      (given) => pix.issue(cnpj, { id: randomUUID(), amountCents: 1, messageToPayer: given }),
      optional,
      ["a text"],
    ),
    additionalInfo: row(
      (given) => pix.issue(cnpj, { id: randomUUID(), amountCents: 1, additionalInfo: given }),
      optional,
      ["an empty list"],
    ),
    reference: row((given) => pix.issue(cnpj, { id: randomUUID(), amountCents: 1, reference: given }), optional, [
      "a text",
    ]),
    metadata: row((given) => pix.issue(cnpj, { id: randomUUID(), amountCents: 1, metadata: given }), optional, [
      "an empty object",
      "an object without prototype",
    ]),
    payableForSeconds: row(
      (given) => pix.issue(cnpj, { id: randomUUID(), amountCents: 1, payableForSeconds: given }),
      optional,
    ),
  },
  issueMany: {
    issuer: row((given) => readAll(pix.issueMany(given, []))),
    requests: row((given) => readAll(pix.issueMany(cnpj, given)), ["an empty list", ...listsOfOthers]),
    options: row((given) => readAll(pix.issueMany(cnpj, [], given)), optional, emptyObjects),
    signal: row((given) => readAll(pix.issueMany(cnpj, [], { signal: given })), optional),
  },
  find: { issuer: row((given) => pix.find(given, id)), id: row((given) => pix.find(cnpj, given)) },
  findPayment: {
    issuer: row((given) => pix.findPayment(given, "E1234567820260603150012345678901")),
    endToEndId: row((given) => pix.findPayment(cnpj, given)),
  },
  story: { issuer: row((given) => pix.story(given, id)), id: row((given) => pix.story(cnpj, given)) },
  cancel: { issuer: row((given) => pix.cancel(given, id)), id: row((given) => pix.cancel(cnpj, given)) },
  refund: { issuer: row((given) => pix.refund(given, id)), id: row((given) => pix.refund(cnpj, given)) },
  change: {
    issuer: row((given) => pix.change(given, id, { key: "1" })),
    id: row((given) => pix.change(cnpj, given, { key: "1" })),
    change: row((given) => pix.change(cnpj, id, given)),
    key: row((given) => pix.change(cnpj, id, { key: given }), ["a text"]),
    amountCents: row((given) => pix.change(cnpj, id, { key: randomUUID(), amountCents: given }), optional),
    dueDate: row((given) => pix.change(cnpj, id, { key: randomUUID(), dueDate: given }), optional),
    payer: row((given) => pix.change(cnpj, id, { key: randomUUID(), payer: given }), optional),
    payableForSeconds: row((given) => pix.change(cnpj, id, { key: randomUUID(), payableForSeconds: given }), optional),
  },
  refundPart: {
    issuer: row((given) => pix.refundPart(given, id, { key: "1", amountCents: 1 })),
    id: row((given) => pix.refundPart(cnpj, given, { key: "1", amountCents: 1 })),
    part: row((given) => pix.refundPart(cnpj, id, given)),
    key: row((given) => pix.refundPart(cnpj, id, { key: given, amountCents: 1 }), ["a text"]),
    amountCents: row((given) => pix.refundPart(cnpj, id, { key: "1", amountCents: given })),
  },
  confirmPayment: {
    notice: row((given) => pix.confirmPayment(given)),
    issuer: row((given) => pix.confirmPayment({ issuer: given, endToEndId: "E1", amountCents: 1, paidAt: 0 })),
    amountCents: row((given) => pix.confirmPayment({ issuer: cnpj, endToEndId: "E1", amountCents: given, paidAt: 0 })),
  },
  charges: {
    issuer: row((given) => pix.charges(given, period)),
    filter: row((given) => pix.charges(cnpj, given)),
    from: row((given) => pix.charges(cnpj, { ...period, from: given }), moments),
    until: row((given) => pix.charges(cnpj, { ...period, until: given }), moments),
    status: row((given) => pix.charges(cnpj, { ...period, status: given }), optional),
    text: row((given) => pix.charges(cnpj, { ...period, text: given }), optional, cleanTexts),
    page: row((given) => pix.charges(cnpj, period, given), noFields),
    limit: row((given) => pix.charges(cnpj, period, { limit: given }), optional, numbers),
    cursor: row((given) => pix.charges(cnpj, period, { cursor: given }), optional),
  },
  figures: {
    issuer: row((given) => pix.figures(given, period)),
    period: row((given) => pix.figures(cnpj, given)),
    from: row((given) => pix.figures(cnpj, { ...period, from: given }), moments),
  },
  comparison: {
    issuer: row((given) => pix.comparison(given, period)),
    period: row((given) => pix.comparison(cnpj, given)),
    until: row((given) => pix.comparison(cnpj, { ...period, until: given }), moments),
  },
  reconcile: {
    issuer: row((given) => pix.reconcile(given, period)),
    period: row((given) => pix.reconcile(cnpj, given)),
    from: row((given) => pix.reconcile(cnpj, { ...period, from: given }), moments),
  },
  payments: {
    issuer: row((given) => readAll(pix.payments(given, period))),
    period: row((given) => readAll(pix.payments(cnpj, given))),
    from: row((given) => readAll(pix.payments(cnpj, { ...period, from: given })), moments),
    until: row((given) => readAll(pix.payments(cnpj, { ...period, until: given })), moments),
  },
  "recurrences.offer": {
    issuer: row((given) => pix.recurrences.offer(given, anOffer())),
    request: row((given) => pix.recurrences.offer(cnpj, given)),
    id: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), id: given })),
    contract: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), contract: given }), optional, ["a text"]),
    payer: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), payer: given })),
    title: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), title: given }), ["a text"]),
    period: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), period: given })),
    startDate: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), startDate: given })),
    endDate: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), endDate: given }), optional),
    amountCents: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), amountCents: given }), optional),
    floorCents: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), floorCents: given }), optional),
    retries: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), retries: given }), optional),
    journey: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), journey: given })),
    charge: row((given) => pix.recurrences.offer(cnpj, { ...anOffer(), journey: { by: "payment", charge: given } })),
    until: row((given) =>
      pix.recurrences.offer(cnpj, {
        ...anOffer(),
        journey: { by: "bank", ispb: "00000000", account: "1", until: given },
      }),
    ),
  },
  "recurrences.find": {
    issuer: row((given) => pix.recurrences.find(given, recurrence)),
    id: row((given) => pix.recurrences.find(cnpj, given)),
  },
  "recurrences.list": {
    issuer: row((given) => pix.recurrences.list(given)),
    filter: row((given) => pix.recurrences.list(cnpj, given), noFields),
    status: row((given) => pix.recurrences.list(cnpj, { status: given }), optional),
    text: row((given) => pix.recurrences.list(cnpj, { text: given }), optional, cleanTexts),
    payer: row((given) => pix.recurrences.list(cnpj, { payer: given }), optional),
    page: row((given) => pix.recurrences.list(cnpj, {}, given), noFields),
    cursor: row((given) => pix.recurrences.list(cnpj, {}, { cursor: given }), optional),
  },
  "recurrences.charges": {
    issuer: row((given) => pix.recurrences.charges(given, recurrence)),
    id: row((given) => pix.recurrences.charges(cnpj, given)),
    page: row((given) => pix.recurrences.charges(cnpj, recurrence, given), noFields),
    cursor: row((given) => pix.recurrences.charges(cnpj, recurrence, { cursor: given }), optional),
  },
  "recurrences.end": {
    issuer: row((given) => pix.recurrences.end(given, recurrence)),
    id: row((given) => pix.recurrences.end(cnpj, given)),
  },
  "recurrences.charge": {
    issuer: row((given) => pix.recurrences.charge(given, recurrence, { cycle: 1, amountCents: 1 })),
    id: row((given) => pix.recurrences.charge(cnpj, given, { cycle: 1, amountCents: 1 })),
    cycle: row((given) => pix.recurrences.charge(cnpj, recurrence, given)),
    "cycle.cycle": row((given) => pix.recurrences.charge(cnpj, recurrence, { cycle: given, amountCents: 1 })),
    amountCents: row((given) => pix.recurrences.charge(cnpj, recurrence, { cycle: 1, amountCents: given })),
    dueDate: row(
      (given) => pix.recurrences.charge(cnpj, recurrence, { cycle: 1, amountCents: 1, dueDate: given }),
      optional,
    ),
  },
  "recurrences.skip": {
    issuer: row((given) => pix.recurrences.skip(given, recurrence, 1)),
    id: row((given) => pix.recurrences.skip(cnpj, given, 1)),
    cycles: row((given) => pix.recurrences.skip(cnpj, recurrence, given)),
    "cycles.cycles": row((given) => pix.recurrences.skip(cnpj, recurrence, { cycles: given })),
    from: row((given) => pix.recurrences.skip(cnpj, recurrence, { cycles: [given, 5_000] })),
    to: row((given) => pix.recurrences.skip(cnpj, recurrence, { cycles: [1, given] })),
  },
  "recurrences.retry": {
    issuer: row((given) => pix.recurrences.retry(given, id)),
    chargeId: row((given) => pix.recurrences.retry(cnpj, given)),
    on: row((given) => pix.recurrences.retry(cnpj, id, given), optional),
  },
  "recurrences.play": {
    issuer: row((given) => pix.recurrences.play(given, recurrence, { maximumCents: 1 })),
    id: row((given) => pix.recurrences.play(cnpj, given, { maximumCents: 1 })),
    play: row((given) => pix.recurrences.play(cnpj, recurrence, given)),
    maximumCents: row((given) => pix.recurrences.play(cnpj, recurrence, { maximumCents: given })),
  },
  "recurrences.playDebit": {
    issuer: row((given) => pix.recurrences.playDebit(given, recurrence, "paid")),
    id: row((given) => pix.recurrences.playDebit(cnpj, given, "paid")),
    outcome: row((given) => pix.recurrences.playDebit(cnpj, recurrence, given)),
  },
  tick: {
    request: row((given) => pix.tick(given)),
    deadlineMs: row((given) => pix.tick({ deadlineMs: given }), ["1.5", "1e300"]),
  },
  diagnose: {
    order: row((given) => pix.diagnose(given), optional, emptyObjects),
    companies: row((given) => pix.diagnose({ companies: given }), optional, emptyObjects),
  },
  by: { actor: row((given) => pix.by(given).payers.show(cnpj, id), ["a text"]) },
  fetch: { request: row((given) => pix.fetch(given)) },
  fetchAt: { basePath: row((given) => pix.fetchAt(given), optional, ["an empty text"]) },
  "tokens.revoke": { id: row((given) => pix.tokens.revoke(given)) },
  "tokens.signatures": {
    purpose: row((given) => pix.tokens.signatures(given), texts.slice(1)),
    text: row((given) => signatures.sign(given), texts),
  },
  "checkout.link": {
    issuer: row((given) => pix.checkout.link(given, id, { expiresAt: pix.clock.now() + 1_000 })),
    id: row((given) => pix.checkout.link(cnpj, given, { expiresAt: pix.clock.now() + 1_000 })),
    terms: row((given) => pix.checkout.link(cnpj, id, given), noFields, optional),
    expiresAt: row((given) => pix.checkout.link(cnpj, id, { expiresAt: given }), optional),
  },
  "checkout.recurrenceLink": {
    issuer: row((given) => pix.checkout.recurrenceLink(given, id)),
    id: row((given) => pix.checkout.recurrenceLink(cnpj, given)),
    terms: row((given) => pix.checkout.recurrenceLink(cnpj, id, given), noFields, optional),
    expiresAt: row((given) => pix.checkout.recurrenceLink(cnpj, id, { expiresAt: given }), optional),
  },
  "audit.list": {
    cnpj: row((given) => pix.audit.list(given)),
    filter: row((given) => pix.audit.list(cnpj, given), noFields),
    kind: row((given) => pix.audit.list(cnpj, { kind: given }), optional, ["an empty text"], cleanTexts),
    by: row((given) => pix.audit.list(cnpj, { by: given }), optional, ["an empty text"], cleanTexts),
    period: row((given) => pix.audit.list(cnpj, { period: given }), optional),
    from: row((given) => pix.audit.list(cnpj, { period: { ...period, from: given } }), moments),
    chargeId: row((given) => pix.audit.list(cnpj, { chargeId: given }), optional),
    endToEndId: row((given) => pix.audit.list(cnpj, { endToEndId: given }), optional, ["an empty text"], cleanTexts),
    page: row((given) => pix.audit.list(cnpj, {}, given), noFields),
    cursor: row((given) => pix.audit.list(cnpj, {}, { cursor: given }), optional),
  },
  "exceptions.list": { issuer: row((given) => readAll(pix.exceptions.list(given))) },
  "exceptions.search": {
    issuer: row((given) => pix.exceptions.search(given, period)),
    filter: row((given) => pix.exceptions.search(cnpj, given)),
    until: row((given) => pix.exceptions.search(cnpj, { ...period, until: given }), moments),
    status: row((given) => pix.exceptions.search(cnpj, { ...period, status: given }), optional),
    page: row((given) => pix.exceptions.search(cnpj, period, given), noFields),
    cursor: row((given) => pix.exceptions.search(cnpj, period, { cursor: given }), optional),
  },
  "exceptions.find": {
    issuer: row((given) => pix.exceptions.find(given, "E1")),
    endToEndId: row((given) => pix.exceptions.find(cnpj, given), otherNames),
  },
  "exceptions.refund": {
    issuer: row((given) => pix.exceptions.refund(given, "E1")),
    endToEndId: row((given) => pix.exceptions.refund(cnpj, given), otherNames),
  },
  "exceptions.resolve": {
    issuer: row((given) => pix.exceptions.resolve(given, "E1", "nota")),
    endToEndId: row((given) => pix.exceptions.resolve(cnpj, given, "nota"), otherNames),
    note: row((given) => pix.exceptions.resolve(cnpj, "E1", given), texts),
  },
  "payers.show": {
    issuer: row((given) => pix.payers.show(given, id)),
    id: row((given) => pix.payers.show(cnpj, given)),
  },
  "payers.export": {
    issuer: row((given) => pix.payers.export(given, "52998224725")),
    taxId: row((given) => pix.payers.export(cnpj, given)),
  },
  "payers.erase": {
    issuer: row((given) => pix.payers.erase(given, "52998224725")),
    taxId: row((given) => pix.payers.erase(cnpj, given)),
    options: row((given) => pix.payers.erase(cnpj, "52998224725", given), optional, emptyObjects),
    keepReference: row((given) => pix.payers.erase(cnpj, "52998224725", { keepReference: given }), flags),
  },
  "events.list": {
    issuer: row((given) => pix.events.list(given)),
    filter: row((given) => pix.events.list(cnpj, given), noFields),
    status: row((given) => pix.events.list(cnpj, { status: given }), optional),
    endpointId: row((given) => pix.events.list(cnpj, { endpointId: given }), optional, ["an empty text"], cleanTexts),
    chargeId: row((given) => pix.events.list(cnpj, { chargeId: given }), optional),
    period: row((given) => pix.events.list(cnpj, { period: given }), optional),
    until: row((given) => pix.events.list(cnpj, { period: { ...period, until: given } }), moments),
    page: row((given) => pix.events.list(cnpj, {}, given), noFields),
    limit: row((given) => pix.events.list(cnpj, {}, { limit: given }), optional, numbers),
    cursor: row((given) => pix.events.list(cnpj, {}, { cursor: given }), optional),
  },
  "events.deadLetters": {
    issuer: row((given) => pix.events.deadLetters(given)),
    page: row((given) => pix.events.deadLetters(cnpj, given), noFields),
    cursor: row((given) => pix.events.deadLetters(cnpj, { cursor: given }), optional),
  },
  "events.attempts": {
    issuer: row((given) => pix.events.attempts(given, "e", "loja")),
    eventId: row((given) => pix.events.attempts(cnpj, given, "loja"), ["an empty text"], cleanTexts),
    endpointId: row((given) => pix.events.attempts(cnpj, "e", given), ["an empty text"], cleanTexts),
  },
  "events.endpoints": { issuer: row((given) => pix.events.endpoints(given)) },
  "events.replay": {
    issuer: row((given) => pix.events.replay(given, { period })),
    selection: row((given) => pix.events.replay(cnpj, given)),
    period: row((given) => pix.events.replay(cnpj, { period: given })),
    options: row((given) => pix.events.replay(cnpj, { period }, given), noFields),
    name: row((given) => pix.events.replay(cnpj, { period }, { name: given }), optional, cleanTexts),
  },
  "events.ping": {
    issuer: row((given) => pix.events.ping(given, "loja")),
    endpointId: row((given) => pix.events.ping(cnpj, given)),
    key: row((given) => pix.events.ping(cnpj, "loja", given)),
  },
  "events.pause": {
    issuer: row((given) => pix.events.pause(given, "loja")),
    endpointId: row((given) => pix.events.pause(cnpj, given)),
  },
  "events.resume": {
    issuer: row((given) => pix.events.resume(given, "loja")),
    endpointId: row((given) => pix.events.resume(cnpj, given)),
  },
  "events.pauseForAll": { endpointId: row((given) => pix.events.pauseForAll(given)) },
  "events.resumeForAll": { endpointId: row((given) => pix.events.resumeForAll(given)) },
  "directory.putCompany": {
    company: row((given) => pix.directory.putCompany(given)),
    ...Object.fromEntries(
      ["cnpj", "name", "city", "pixKey", "graceDays"].map((field) => [
        field,
        row(
          (given) => pix.directory.putCompany({ ...company, [field]: given }),
          field === "name" || field === "city" ? ["a text"] : field === "graceDays" ? optional : [],
        ),
      ]),
    ),
    ...Object.fromEntries(
      ["walletActive", "ownBankDomicile"].map((field) => [
        field,
        row((given) => pix.directory.putCompany({ ...company, [field]: given }), flags),
      ]),
    ),
    associated: row((given) => pix.directory.putCompany({ ...company, reseller, associated: given }), flags),
    reseller: row((given) => pix.directory.putCompany({ ...company, reseller: given }), optional),
    integratorKey: row((given) => pix.directory.putCompany({ ...company, integratorKey: given }), optional),
    fees: row((given) => pix.directory.putCompany({ ...company, fees: given }), optional, emptyObjects),
    fine: row((given) => pix.directory.putCompany({ ...company, fees: { fine: given } }), optional),
    discount: row((given) =>
      pix.directory.putCompany({ ...company, fees: { discount: { kind: "fixedUntil", tiers: given } } }),
    ),
    genericPayer: row((given) => pix.directory.putCompany({ ...company, genericPayer: given }), optional),
    localHolidays: row((given) => pix.directory.putCompany({ ...company, localHolidays: given }), optional, [
      "an empty list",
    ]),
    callback: row((given) => pix.directory.putCompany({ ...company, callback: given }), optional),
    url: row((given) => pix.directory.putCompany({ ...company, callback: { ...callback, url: given } })),
    secrets: row((given) => pix.directory.putCompany({ ...company, callback: { ...callback, secrets: given } })),
    kinds: row((given) => pix.directory.putCompany({ ...company, callback: { ...callback, kinds: given } }), optional, [
      "an empty list",
    ]),
  },
  "directory.putReseller": {
    reseller: row((given) => pix.directory.putReseller(given)),
    cnpj: row((given) => pix.directory.putReseller({ cnpj: given, name: "Revenda" })),
    name: row((given) => pix.directory.putReseller({ cnpj: reseller, name: given }), ["a text"]),
    walletActive: row((given) => pix.directory.putReseller({ cnpj: reseller, name: "R", walletActive: given }), flags),
    integratorKey: row(
      (given) => pix.directory.putReseller({ cnpj: reseller, name: "R", integratorKey: given }),
      optional,
    ),
    callback: row((given) => pix.directory.putReseller({ cnpj: reseller, name: "R", callback: given }), optional),
  },
  "directory.rotateKey": {
    cnpj: row((given) => pix.directory.rotateKey(given)),
    integratorKey: row((given) => pix.directory.rotateKey(reseller, given), optional),
  },
  "directory.revokeKey": { cnpj: row((given) => pix.directory.revokeKey(given)) },
  "directory.setAssociated": {
    cnpj: row((given) => pix.directory.setAssociated(given, true)),
    associated: row((given) => pix.directory.setAssociated(cnpj, given), ["true", "false"]),
  },
  "directory.setWallet": {
    cnpj: row((given) => pix.directory.setWallet(given, true)),
    active: row((given) => pix.directory.setWallet(cnpj, given), ["true", "false"]),
  },
  "directory.removeCallback": { cnpj: row((given) => pix.directory.removeCallback(given)) },
  simulatePayment: {
    issuer: row((given) => pix.simulatePayment(given, id)),
    id: row((given) => pix.simulatePayment(cnpj, given)),
    play: row((given) => pix.simulatePayment(cnpj, id, given), optional, emptyObjects),
    outcome: row((given) => pix.simulatePayment(cnpj, id, { outcome: given }), optional),
    amountCents: row((given) => pix.simulatePayment(cnpj, id, { amountCents: given }), optional),
  },
  "clock.advance": { by: row((given) => pix.clock.advance(given), ["0", "1.5", "a bigint"]) },
  "clock.runInPast": {
    to: row((given) => pix.clock.runInPast(given, async () => {}), ["0", "-1"]),
    work: row((given) => pix.clock.runInPast(0, given), ["a function"]),
    moveTo: row((given) => pix.clock.runInPast(0, (moveTo) => moveTo(given)), ["0"]),
  },
}

/** The tags that name an invalid argument. */
const refusals = new Set<PixError["_tag"]>([
  // The calls for endpoints reject with it for invalid names, too.
  "EndpointNotFound",
  "InvalidChargeChange",
  "InvalidChargeId",
  "InvalidChargeRequest",
  "InvalidFilter",
  "InvalidLink",
  "InvalidOption",
  "InvalidPartialRefund",
  "InvalidPaymentNotice",
  "InvalidRecurrenceId",
  "InvalidRecurrenceRequest",
  "InvalidRegistration",
  "InvalidTaxId",
  "InvalidTokenId",
  "NothingSelected",
])

const outcome = async (call: () => unknown): Promise<string> => {
  try {
    await call()
    return "accepted"
  } catch (error) {
    if (!isPixError(error) || !refusals.has(error._tag)) return String(error)
    return inspect(error).includes(canary) ? "leaked" : "refused"
  }
}

describe.each(Object.entries(methods))("%s", (_name, rows) => {
  it.each(Object.entries(rows))(
    "refuses an invalid %s with an error that names the argument",
    async (_argument, { call, takes = [] }) => {
      const outcomes = []
      for (const [what, given] of wrong) {
        if (!takes.includes(what)) outcomes.push([what, await outcome(() => call(given as never))])
      }
      expect(outcomes.filter(([, came]) => came !== "refused")).toEqual([])
    },
  )
})

const given = (value: unknown) => value as never
const filter = (fields: object) => () => pix.charges(cnpj, { ...period, ...fields })
const play = (fields: unknown) => () => pix.simulatePayment(cnpj, id, given(fields))
const aKey = "events.ping needs a key of 1 to 64 letters, digits, - or _, or none."
const cents = "amountCents must be a whole number from 1 to 999999999999"

it.each<[what: string, call: Call, sentence: string]>([
  ["a moment", filter({ from: given("0") }), "The from of a filter must be a moment in epoch milliseconds."],
  [
    "the end of a period",
    () => pix.audit.list(cnpj, { period: { from: 0, until: given("1") } }),
    "The period of a filter must be from and until in epoch milliseconds.",
  ],
  ["a blank text", filter({ text: "  " }), "The text of a filter must be a text of 1 to 200 characters."],
  ["a long text", filter({ text: "a".repeat(201) }), "a text of 1 to 200 characters."],
  [
    "a name of 101 characters",
    () => pix.events.replay(cnpj, { period }, { name: "a".repeat(101) }),
    "a text of 1 to 100 characters.",
  ],
  [
    "half of a character",
    () => pix.exceptions.find(cnpj, "\ud800"),
    "a text without NUL and without half of a surrogate pair.",
  ],
  ["a text as filter", () => pix.charges(cnpj, given("2026")), "The filter must be an object."],
  ["a number as page", () => pix.charges(cnpj, period, given(7)), "The page of a filter must be an object."],
  ["a number as period", () => pix.figures(cnpj, given(7)), "The period of a filter must be an object."],
  [
    "invalid options",
    () => pix.events.replay(cnpj, { period }, given(7)),
    "The options of a filter must be an object.",
  ],
  [
    "a limit as text",
    () => pix.charges(cnpj, period, { limit: given("1") }),
    "The limit of a filter must be a number.",
  ],
  ["an invalid note", () => pix.exceptions.resolve(cnpj, "E1", given(1)), "exceptions.resolve needs a note, as text."],
  ["a key of 65 characters", () => pix.events.ping(cnpj, "loja", "k".repeat(65)), aKey],
  ["a key with a space before it", () => pix.events.ping(cnpj, "loja", " k"), aKey],
  ["a key with a space behind it", () => pix.events.ping(cnpj, "loja", "k "), aKey],
  [
    "an actor without a visible character",
    () => pix.by(" "),
    "by needs the actor's name: a text with a visible character, without control and direction characters.",
  ],
  [
    "an invalid play",
    play(7),
    "simulatePayment(issuer, id, { outcome, amountCents }): the third argument is an object",
  ],
  ["an unknown outcome", play({ outcome: "lost" }), "outcome must be one of approved, declined, "],
  ["an amount of 0 cents", play({ amountCents: 0 }), cents],
  ["half a cent", play({ amountCents: 1.5 }), cents],
  ["too many cents", play({ amountCents: 1_000_000_000_000 }), cents],
  [
    "an invalid order",
    () => pix.diagnose({ companies: given("1") }),
    'pix.diagnose: the option "companies" must be an object of PIX keys by CNPJ',
  ],
])("refuses %s in a sentence that names the valid values", async (_, call, sentence) => {
  await expect((async () => call(given(undefined)))()).rejects.toThrow(sentence)
})

it("takes values at their maximum length or amount", async () => {
  for (const text of ["ab", "a".repeat(200)]) expect((await pix.charges(cnpj, { ...period, text })).items).toEqual([])
  for (const name of ["a", "a".repeat(100)])
    expect(await outcome(() => pix.events.replay(cnpj, { period }, { name }))).toBe("accepted")
  for (const key of ["k", "k".repeat(64)])
    await expect(pix.events.ping(cnpj, "loja", key)).rejects.toMatchObject({ _tag: "EndpointNotFound" })
  const maxCents = 999_999_999_999
  const { id: dearestId } = await pix.issue(cnpj, { id: randomUUID(), amountCents: maxCents })
  await expect(pix.simulatePayment(cnpj, dearestId, { amountCents: maxCents })).resolves.toMatchObject({
    status: "paid",
  })
  const declined = pix.simulatePayment(cnpj, id, { amountCents: 1, outcome: "declined" })
  await expect(declined).rejects.toMatchObject({ _tag: "SimulationDeclined" })
})

it("lists every method with an argument in the table", () => {
  const inside = (object: object, path: string): ReadonlyArray<string> =>
    Object.entries(object).flatMap(([name, value]) => {
      if (typeof value === "object" && value !== null) return inside(value, `${path}${name}.`)
      return typeof value === "function" && value.length > 0 ? [path + name] : []
    })
  // Only bindings pass exchanges.
  expect(
    inside(pix, "")
      .filter((name) => name !== "respond")
      .toSorted(),
  ).toEqual(
    Object.keys(methods)
      .filter((name) => name !== "diagnose")
      .toSorted(),
  )
})

it("checks the arguments of calls in an actor's name", async () => {
  expect(await outcome(() => actorPix.directory.setWallet(cnpj, "no" as never))).toBe("refused")
})
