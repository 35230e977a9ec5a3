import type { PlantedCode } from "../../simulate/plant.ts"

/** A fault that somebody could have made, which the fuzz must find. */
export interface PlantedFault extends PlantedCode {
  /** What it breaks, in one sentence. */
  readonly breaks: string
  /** What the finding says. */
  readonly says: RegExp
  /** It takes many requests: only the long runs look for it. */
  readonly isLong?: true
}

const http = "packages/http/src"

export const plantedFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "fuzzThrows",
    breaks: "A broken percent-encoding in a path ends a request in a defect.",
    isLong: true,
    edits: [
      { file: `${http}/percentDecode.ts`, text: "    return undefined", replacement: "    throw new URIError()" },
    ],
    says: /^it was answered 500: /,
  },
  {
    name: "fuzzLogsNotice",
    breaks: "What a bank sends is logged.",
    isLong: true,
    edits: [
      {
        file: "packages/processor-api-pix/src/notices/ApiPixNotices.ts",
        text: "const claims = readNotice(body.success)",
        replacement: "const claims = readNotice(body.success)\n    yield* Effect.logInfo(body.success)",
      },
    ],
    says: /^a canary was written to a log: /,
  },
  {
    name: "fuzzLogsSecret",
    breaks: "A refused secret is logged.",
    edits: [
      {
        file: `${http}/handlers.ts`,
        text: "const token: Handler = (exchange, parameter) => tokenFor(parseSecret(parameter), exchange)",
        replacement:
          "const token: Handler = (exchange, parameter) => Effect.andThen(Effect.logInfo(parameter), tokenFor(parseSecret(parameter), exchange))",
      },
    ],
    says: /^a canary was written to a log: /,
  },
  {
    name: "fuzzTracesToken",
    breaks: "A span has the caller's token as an attribute.",
    isLong: true,
    edits: [
      {
        file: `${http}/handlers.ts`,
        text: 'tokens.authenticate(exchange.header("authorization"))',
        replacement:
          'Effect.withSpan(tokens.authenticate(exchange.header("authorization")), "caller", { attributes: { token: exchange.header("authorization") } })',
      },
    ],
    says: /^a canary was written to a span: /,
  },
  {
    name: "fuzzEchoesValue",
    breaks: "The answer to a broken request repeats it.",
    edits: [
      {
        file: `${http}/handlers.ts`,
        text: "failureReply(invalidField(request.failure))",
        replacement:
          "failureReply({ ...invalidField(request.failure), text: `${JSON.stringify(json.success)} está errado.` })",
      },
    ],
    says: /^the answer has a canary: /,
  },
  {
    name: "fuzzOneCompany",
    breaks: "The store knows a charge by its id alone, whoever asks.",
    edits: [
      {
        file: "packages/store-memory/src/MemoryState.ts",
        text: "company: (issuer) => valueAt(companies, issuer, empty)",
        replacement: 'company: () => valueAt(companies, "12345678000195" as Cnpj, empty)',
      },
    ],
    says: /the answer (?:has a word|is about a charge) of another tenant/,
  },
  {
    name: "fuzzHangs",
    breaks: "A request with a media type that is not ours is never answered.",
    isLong: true,
    edits: [
      {
        file: `${http}/readJson.ts`,
        text: "return Promise.resolve(Result.fail(exchangeFailures.unsupportedMediaType))",
        replacement: "return new Promise(() => undefined)",
      },
    ],
    says: /^nothing came within 60 s$/,
  },
  {
    name: "fuzzMoreKeys",
    breaks: "A failure has a key that the contract doesn't declare.",
    isLong: true,
    edits: [
      {
        file: `${http}/wire/Envelope.ts`,
        text: "{ sucesso: false, errors: text }",
        replacement: '{ sucesso: false, errors: text, ...(code === "id-invalido" && { code }) }',
      },
    ],
    says: /contract has no such answer$/,
  },
  {
    name: "fuzzOtherStatus",
    breaks: "A status is answered that the contract doesn't declare for the route.",
    isLong: true,
    edits: [
      {
        file: `${http}/handlers.ts`,
        text: "Effect.succeed(failureReply(exchangeFailures.invalidId))",
        replacement: "Effect.succeed(failureReply({ ...exchangeFailures.invalidId, status: 422 }))",
      },
    ],
    says: /^the answer 422 is not the contract's/,
  },
  {
    name: "fuzzCaches",
    breaks: "An answer may be cached.",
    edits: [{ file: `${http}/wire/Envelope.ts`, text: '"cache-control": "no-store"', replacement: '"x-none": "1"' }],
    says: /its cache-control is undefined$/,
  },
  {
    name: "fuzzKeepsExchanges",
    breaks: "Every request that was ever sent is kept.",
    isLong: true,
    edits: [
      {
        file: `${http}/PixHttp.ts`,
        text: "      if (match === undefined) return undefined\n",
        replacement:
          "      if (match === undefined) return undefined\n      const kept = globalThis as { exchanges?: Array<unknown> }\n      void (kept.exchanges ??= []).push(exchange)\n",
      },
    ],
    says: /^\d+ bytes were kept of 3333 requests$/,
  },
  // The last: metrics are kept by the process, for all runs in it.
  {
    name: "fuzzMeasuresPath",
    breaks: "A metric counts requests by path.",
    isLong: true,
    edits: [
      {
        file: `${http}/PixHttp.ts`,
        text: 'import * as Option from "effect/Option"',
        replacement: 'import * as Option from "effect/Option"\nimport * as Metric from "effect/Metric"',
      },
      {
        file: `${http}/PixHttp.ts`,
        text: "Effect.suspend(() => answer(match, exchange))",
        replacement:
          'Effect.andThen(Metric.update(Metric.counter("requests", { attributes: { path: exchange.url } }), 1), Effect.suspend(() => answer(match, exchange)))',
      },
    ],
    says: /^a canary is in a metric: /,
  },
]
