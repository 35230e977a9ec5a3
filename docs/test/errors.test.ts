import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { inspect } from "node:util"
import { checkUrl } from "@pixcharge/callback-fetch"
import { CompanyDirectory, hostDirectory } from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/brcode"
import { parseLocalDate } from "@pixcharge/core/calendar"
import { parseChargeId, parseChargeRequest, parsePaymentNotice } from "@pixcharge/core/charges"
import { hideCause, isOfOurs } from "@pixcharge/core/internal"
import { centsFromDecimal } from "@pixcharge/core/money"
import { parseCnpj, parseTaxId } from "@pixcharge/core/party"
import { parseRecurrenceId, parseRecurrenceRequest } from "@pixcharge/core/recurrence"
import { apiPix } from "@pixcharge/processor-api-pix"
import { memoryDirectory } from "@pixcharge/store-memory"
import { postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { withoutDecisions } from "./pages.ts"

const root = resolve(import.meta.dirname, "../..")

interface Manifest {
  readonly name: string
  readonly private?: boolean
}

interface Source {
  readonly packageName: string
  readonly file: string
  readonly code: string
}

/**
 * The sources of the packages that hosts install. `client` isn't among them: other programs install it, and its only
 * class doesn't use Effect.
 */
const sources: ReadonlyArray<Source> = readdirSync(join(root, "packages")).flatMap((folder) => {
  const place = join(root, "packages", folder)
  const manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as Manifest
  if (manifest.private === true || ["adapter-tests", "simulated-bank", "client"].includes(folder)) return []
  return readdirSync(join(place, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({
      packageName: manifest.name,
      file: join(place, "src", name),
      code: readFileSync(join(place, "src", name), "utf8"),
    }))
})

const classForm = /\/\*\*\n((?: \*.*\n)+?) \*\/\nexport class (\w+) extends (?:Tagged|Caused)Error\("(\w+)"([,)])/g

const plain = (lines: string): string => lines.replaceAll(/^ \* ?/gm, "")

/** The text of a docblock's tag as one line. An `@` within a line begins a package's name, not the next tag. */
const tagged = (text: string, tag: string): string =>
  new RegExp(`(?:^|\\n)@${tag} ([^]+?)(?:\\n@|\\n?$)`).exec(text)?.[1]?.trim() ?? ""

const classes = sources
  .flatMap(({ packageName, file, code }) =>
    [...code.matchAll(classForm)].map(([, lines = "", name = "", tag = "", next]) => {
      const text = plain(lines)
      return {
        packageName,
        file,
        name,
        tag,
        hasTexts: next === ",",
        meaning: withoutDecisions((text.split(/^@/m)[0] ?? "").trim()),
        remedy: tagged(text, "remedy"),
        repeat: tagged(text, "repeat"),
      }
    }),
  )
  .toSorted((a, b) => a.packageName.localeCompare(b.packageName) || a.name.localeCompare(b.name))

const canary = "Maria Canario, 529.982.247-25, canary-secret"
const issuer = "12345678000195"
const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"
const endToEndId = `E${"1".repeat(31)}`
const reason = Redacted.make(canary)
const message = "The option store must be a Layer."
const cause = Object.assign(new TypeError(canary, { cause: new Error(canary) }), {
  code: canary,
  detail: canary,
  config: { headers: { authorization: canary } },
})

const aboutCharge = { issuer, id }
const aboutPayment = { issuer, endToEndId }
const aboutOutage = { operation: "find", cause }

const each = (field: string, ...values: ReadonlyArray<string>) => values.map((value) => ({ [field]: value }))

/**
 * The fields of a sample error of each class, or several sets of fields if the message varies. Every string of a caller
 * or a bank is a canary.
 */
const fields: Readonly<Record<string, object | ReadonlyArray<object>>> = {
  AmountIsFixed: { ...aboutCharge, amountCents: 4990 },
  ApiPixMisconfigured: { company: issuer, message, cause },
  BootFailure: { message, cause },
  CancelTooLate: { issuer, chargeId: id, cycle: 3 },
  ChangeConflict: { ...aboutCharge, key: canary },
  ChangeRejected: { ...aboutCharge, reason },
  ChangeUnderWay: { ...aboutCharge, key: canary },
  ChargeAlreadyPaid: aboutCharge,
  ChargeCancelled: aboutCharge,
  ChargeConflict: aboutCharge,
  ChargeExpired: aboutCharge,
  ChargeNotChangeable: each("because", "cycle", "offer", "bank").map((one) => ({ ...aboutCharge, ...one })),
  ChargeNotFound: aboutCharge,
  ChargeNotPaid: aboutCharge,
  ChargePartlyReturned: { ...aboutCharge, returnedCents: 1 },
  ChargeRefunded: aboutCharge,
  ChargeRefunding: aboutCharge,
  ChargeWithoutPage: { ...aboutCharge, recurrenceId: aboutCharge.id },
  CitusUnusable: { message: "The database has no Citus: run CREATE EXTENSION citus on every node." },
  CompanyNotFound: { issuer },
  CycleNotOpen: [
    { ...aboutCharge, cycle: 3 },
    { ...aboutCharge, cycle: 3, opensAt: Date.UTC(2026, 10, 30, 12) },
  ],
  DatabaseNotUnicode: { encoding: "LATIN1" },
  DirectoryUnavailable: [aboutOutage, { operation: "admin" }],
  DueDateOutOfRange: { dueDate: "2020-01-01", earliest: "2026-01-01", latest: "2031-01-01" },
  EndpointNotFound: { endpointId: canary },
  ExceptionClosed: { ...aboutPayment, state: "Resolved" },
  ExceptionNotFound: { issuer, endToEndId: canary },
  ExceptionRefundRejected: { ...aboutPayment, reason },
  FolderInUse: { folder: "/var/pix", pid: 7, host: "web-1", file: "/var/pix/lock.1" },
  FolderNotPrivate: { folder: "/var/pix", message },
  FolderNotWritable: { folder: "/var/pix" },
  ForbiddenUrl: each("rule", "malformed", "scheme", "credentials", "port", "host", "address"),
  InvalidAmount: each("reason", "notANumber", "negative", "tooManyDecimals", "tooLarge", "notWhole", "malformed"),
  InvalidBrCode: { field: "54", rule: "amount", message },
  InvalidChargeChange: each("field", "key", "dueDate", "graceDays", "payableForSeconds"),
  InvalidChargeId: {},
  InvalidChargeRequest: each(
    "field",
    "id",
    "amount",
    "dueDate",
    "payer.name",
    "payer.taxId",
    "payer.address",
    "fees",
    "fees.discount",
    "graceDays",
  ),
  InvalidFees: [
    ...each("reason", "kind", "days", "amount", "percent", "tiers", "exceedsAmount").map((one) => ({
      field: "fine",
      ...one,
    })),
    ...each("reason", "passed", "exceedsAmount").map((one) => ({ field: "discount", isRequested: true, ...one })),
  ],
  InvalidFilter: { field: "limit", rule: "a number" },
  InvalidLink: { ...aboutCharge, latest: 1_800_000_000_000 },
  InvalidLocalDate: {},
  InvalidNoticesPath: { message },
  InvalidOption: { message },
  InvalidPartialRefund: each("field", "key", "amountCents"),
  InvalidPaymentNotice: each("field", "issuer", "txid", "endToEndId", "amountCents", "paidAt"),
  InvalidPixKey: { rule: "key", sentence: "must be one of the five kinds" },
  InvalidRecurrenceId: {},
  InvalidRecurrenceRequest: each("field", "period", "endDate", "journey.charge.amount"),
  InvalidRefundReason: {},
  InvalidRegistration: [issuer, canary].map((cnpj) => ({
    cnpj,
    field: "name",
    problem: "must have 1 to 200 characters",
  })),
  InvalidSchemaName: {},
  InvalidTaxId: { kind: "cpf", reason: "length" },
  InvalidTokenId: {},
  InvalidTokenOptions: { message },
  IssuerNotEligible: { issuer, missing: ["companyWallet", "companyCallback"] },
  NoAnswer: { reason: "HTTP 500" },
  NothingSelected: { issuer },
  PartialRefundConflict: { ...aboutCharge, key: canary },
  PartialRefundUnderWay: { ...aboutCharge, key: canary },
  PayerHasRecurrence: aboutCharge,
  PaymentOfAnotherCharge: { ...aboutCharge, endToEndId },
  PaymentOfAnotherCompany: aboutPayment,
  PaymentUnmatched: aboutPayment,
  PeriodTooLarge: { operation: "figures", max: "31 days" },
  PixDisposed: {},
  ProcessorRejected: [
    { operation: "register", status: 400, reason },
    { operation: "register", reason },
  ],
  ProcessorUnavailable: [aboutOutage, { ...aboutOutage, retryAfterMs: 1_000 }],
  PspRefusal: { status: 400, kind: "CobVOperacaoInvalida", reason },
  PspUnanswered: { cause, mayRetry: true },
  RecurrenceConflict: aboutCharge,
  RecurrenceNotApproved: each("state", "Requested", "Offered", "Ending", "Ended").map((one) => ({
    ...aboutCharge,
    ...one,
  })),
  RecurrenceNotFound: aboutCharge,
  RefundExceedsRest: { ...aboutCharge, leftCents: 1 },
  RefundRejected: { ...aboutCharge, reason },
  RefundWindowClosed: { ...aboutCharge, closedAt: 1 },
  RetryNotPossible: each(
    "obstacle",
    "notPermitted",
    "underWay",
    "exhausted",
    "tooLate",
    "pointless",
    "notFailed",
    "wrongDay",
    "paid",
    "cancelled",
    "notDebited",
  ).map((one) => ({ issuer, chargeId: id, ...one })),
  RightsMissing: { schema: "pix", missing: ["INSERT on payments"] },
  SchemaDistributed: { schema: "pix" },
  SchemaIncomplete: { schema: "pix", found: ["charges", "payments"] },
  SchemaTooNew: { schema: "pix", found: 9, known: 8 },
  SchemaTooOld: { schema: "pix", found: 7, known: 8 },
  SchemaUnreleased: { schema: "pix", version: 1 },
  SealingKeyMissing: { message },
  SimulationDeclined: aboutCharge,
  SolicitationOutOfRange: { until: 1, latest: Date.UTC(2026, 11, 27, 12) },
  SqlFailure: { kind: "lost", sqlState: "", message },
  StartDateTooEarly: { startDate: "2020-01-01", earliest: "2026-01-01" },
  StoreNotReady: { cause },
  StoreUnavailable: [aboutOutage, { ...aboutOutage, isRefused: true }],
  TooManyFailures: { retryAfterMs: 1_000 },
  TooManyReports: { issuer, retryAfterMs: 5_000 },
  Unauthenticated: {},
  UnreadableAnswer: { fields: ["pix.0.valor"] },
}

type Made = Error & { readonly code: string; readonly remedy?: string }

const makeAll = async ({ file, name }: (typeof classes)[number]): Promise<ReadonlyArray<Made>> => {
  const loaded = (await import(file)) as Readonly<Record<string, new (given?: object) => Made>>
  const Class = loaded[name]
  if (Class === undefined) throw new Error(`${file} exports no ${name}`)
  return [fields[name]].flat().map((given) => new Class(given))
}

const make = async (one: (typeof classes)[number]): Promise<Made> => {
  const [first] = await makeAll(one)
  if (first === undefined) throw new Error(`${one.name} has no sample`)
  return first
}

const shown = (error: Error): string => {
  const copied: Array<unknown> = []
  for (const name in error) copied.push(name, Reflect.get(error, name))
  const crash = { customInspect: false, depth: 5 }
  const views = [error.message, String(error), error.stack, JSON.stringify(error), inspect(error, { depth: 10 })]
  return [...views, inspect(error, crash), inspect(new Error("outer", { cause: error })), inspect(copied, crash)].join(
    "\n",
  )
}

/** Fails if `text` contains any long word of the canary. */
const expectNoCanary = (text: string) => {
  for (const part of ["Canario", "529.982", "canary-secret"]) expect(text).not.toContain(part)
}

describe("the errors of the hosts' packages", () => {
  it("extend one base class, and say what they mean, what to do and whether to repeat the call", () => {
    const others = sources
      .filter(({ file }) => !/core\/src\/runtime\/(?:error|telemetry)\.ts/.test(file))
      .filter(({ code }) => /extends (?:Data\.\w*Error|Error|Schema\.\w*Error)/.test(code))
    expect(others.map(({ file }) => file)).toEqual([])
    const declared = sources.flatMap(({ code }) => [
      ...code.matchAll(/^export class .* extends (?:Tagged|Caused)Error\("(\w+)"[,)]/gm),
    ])
    expect(declared.map(([, name]) => name).toSorted()).toEqual(classes.map(({ name }) => name).toSorted())
    expect(classes.filter(({ meaning, repeat }) => !meaning || !repeat)).toEqual([])
    // A class has its remedy either in its texts or in its docblock.
    expect(classes.filter(({ hasTexts, remedy }) => hasTexts === (remedy !== ""))).toEqual([])
    expect(classes.filter(({ name, tag }) => name !== tag)).toEqual([])
    expect(classes.length).toBeGreaterThan(50)
  })

  it("have distinct codes, and a sample of each class is tested", async () => {
    expect(Object.keys(fields)).toEqual(classes.map(({ name }) => name).toSorted())
    const codes = await Promise.all(classes.map(async (one) => (await make(one)).code))
    expect(new Set(codes).size).toBe(classes.length)
    expect(codes.filter((code) => !/^PIX(?:_[A-Z]+)+$/.test(code))).toEqual([])
  })

  it.each(classes)(
    "$name says in a sentence what to do, and Node prints it with class, stack and code",
    async (one) => {
      for (const error of await makeAll(one)) {
        expect(isOfOurs(error)).toBe(true)
        expect(error).toMatchObject({ _tag: one.name, name: one.name })
        expect(error.message).toMatch(/^.{20,}\.$/s)
        const view = inspect(error)
        expect(view.startsWith(`${one.name}: ${error.message}\n    at `)).toBe(true)
        expect(view).toContain(`code: '${error.code}'`)
      }
    },
  )

  it.each(classes)("$name contains no string of a caller, a bank or the host", async (one) => {
    for (const error of await makeAll(one)) expectNoCanary(shown(error))
  })

  it("show the class and place of a foreign cause, and return the cause itself on request", () => {
    const hidden = hideCause(cause)
    expect(inspect(hidden)).toMatch(/^<redacted:TypeError at .*errors\.test\.ts:\d+:\d+>$/)
    expect(Redacted.isRedacted(hidden) && Redacted.value(hidden)).toBe(cause)
  })
})

const refusals: ReadonlyArray<readonly [what: string, attempt: () => Effect.Effect<unknown, unknown>]> = [
  ["an id", () => Effect.fromResult(parseChargeId(canary))],
  ["a request", () => Effect.fromResult(parseChargeRequest({ id: canary, amountCents: 1 }))],
  ["a due date", () => Effect.fromResult(parseChargeRequest({ id, amountCents: 1, dueDate: canary }))],
  [
    "a payer",
    () => Effect.fromResult(parseChargeRequest({ id, amountCents: 1, payer: { name: canary, taxId: canary } })),
  ],
  ["a recurrence's id", () => Effect.fromResult(parseRecurrenceId(canary))],
  [
    "a recurrence",
    () =>
      Effect.fromResult(
        parseRecurrenceRequest({
          id,
          contract: canary.slice(0, 30),
          title: canary,
          payer: { name: canary, taxId: "529.982.247-25" },
          period: "monthly",
          startDate: canary,
          journey: { by: "code" },
        }),
      ),
  ],
  ["a notice", () => Effect.fromResult(parsePaymentNotice({ issuer, endToEndId: canary, amountCents: 1, paidAt: 1 }))],
  ["a document", () => Effect.fromResult(parseTaxId(canary))],
  ["a day", () => Effect.fromResult(parseLocalDate(canary))],
  ["an amount", () => Effect.fromResult(centsFromDecimal(canary))],
  ["a code", () => Effect.fromResult(decodeBrCode(canary))],
  ["a callback's URL", () => Effect.fromResult(checkUrl(`https://${canary}@a.co/`, {}))],
  ["a registration", () => Effect.try({ try: () => memoryDirectory({ companies: [registration] }), catch: (e) => e })],
  ["a schema", () => Layer.build(postgresStore({ db: broken, schema: canary })).pipe(Effect.scoped)],
  ["a database", () => Layer.build(postgresStore({ db: broken })).pipe(Effect.scoped)],
  ["a bank's URL", () => Layer.build(bank.processor).pipe(Effect.scoped)],
  [
    "a directory of the host's",
    () => Effect.flatMap(CompanyDirectory, ({ find }) => find(cnpj)).pipe(Effect.provide(hostDirectory({ companies }))),
  ],
]

const cnpj = Result.getOrThrow(parseCnpj(issuer))
const registration = { cnpj: canary, name: canary, city: canary, pixKey: canary, graceDays: 1 }
const broken = { query: () => Promise.reject(new Error(canary)) }
const bank = apiPix({ companies: { [issuer]: { baseUrl: `//${canary}`, clientId: canary, fetch } } })
const refuse = () => Promise.reject(canary)
const companies = { find: refuse, byPixKey: refuse }

it.each(refusals)("no error repeats the rejected %s", async (_, attempt) => {
  const error = await Effect.runPromise(Effect.flip(attempt()))
  expect(isOfOurs(error) && error.message).toMatch(/.{20}/)
  expectNoCanary(shown(error as Error))
})

const marker = "<!-- From here on made from the classes: pnpm exports -->\n"

/** True if the class's errors write their own sentences instead of the docblock's. */
const saysItself = ({ name }: (typeof classes)[number]): boolean =>
  [fields[name]].flat().some((given) => given !== undefined && "message" in given)

const section = async (one: (typeof classes)[number]): Promise<string> => {
  const errors = await makeAll(one)
  const says = saysItself(one) ? [] : errors.map(({ message: text }) => `- Message: ${text}`)
  const todo = [`- What to do: ${errors[0]?.remedy ?? one.remedy}`, `- The same call again: ${one.repeat}`]
  return [`### ${one.name}`, one.meaning, [`- Code: \`${errors[0]?.code}\``, ...says, ...todo].join("\n")].join("\n\n")
}

it("docs/errors.md says what the classes say (rewrite it by pnpm exports)", async () => {
  const page = join(root, "docs/errors.md")
  const [head = ""] = readFileSync(page, "utf8").split(marker)
  const packages = [...new Set(classes.map(({ packageName }) => packageName))]
  const parts = packages.map(async (packageName) => {
    const own = classes.filter((one) => one.packageName === packageName)
    const sections = await Promise.all(own.map(section))
    return [`## ${packageName}`, ...sections].join("\n\n")
  })
  await expect(`${head}${marker}\n${(await Promise.all(parts)).join("\n\n")}\n`).toMatchFileSnapshot(page)
})
