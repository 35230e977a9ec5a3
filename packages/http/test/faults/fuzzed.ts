/** Faults that the fuzz must find. Each edit replaces a text that occurs once in a file of `src`. */
export const faults = [
  {
    breaks: "A broken percent-encoding in a path ends a request in a defect.",
    isLong: true,
    edits: [
      {
        file: "makeRouter.ts",
        text: "(percentDecode(parameter) ?? parameter)",
        replacement: "decodeURIComponent(parameter)",
      },
    ],
    says: /^it was answered 500: /,
  },
  {
    breaks: "A refused secret is logged.",
    edits: [
      {
        file: "handlers.ts",
        text: "(exchange, parameter) => issueToken(tokens, parseSecret(parameter), exchange)",
        replacement:
          "(exchange, parameter) => Effect.andThen(Effect.logInfo(parameter), issueToken(tokens, parseSecret(parameter), exchange))",
      },
    ],
    says: /^a canary was written to a log: /,
  },
  {
    breaks: "A span has the caller's token as an attribute.",
    isLong: true,
    edits: [
      {
        file: "handlers.ts",
        text: 'tokens.authenticate(exchange.header("authorization"))',
        replacement:
          'Effect.withSpan(tokens.authenticate(exchange.header("authorization")), "caller", { attributes: { token: exchange.header("authorization") } })',
      },
    ],
    says: /^a canary was written to a span: /,
  },
  {
    breaks: "The answer to a broken request repeats it.",
    isLong: true,
    edits: [
      {
        file: "handlers.ts",
        text: "failureReply(invalidField(request.failure))",
        replacement:
          "failureReply({ ...invalidField(request.failure), text: `${JSON.stringify(json.success)} está errado.` })",
      },
    ],
    says: /^the answer has a canary: /,
  },
  {
    breaks: "A request with a media type that is not ours is never answered.",
    isLong: true,
    edits: [
      {
        file: "readJson.ts",
        text: "return Promise.resolve(Result.fail(exchangeFailures.unsupportedMediaType))",
        replacement: "return new Promise(() => undefined)",
      },
    ],
    says: /^nothing came within 60 s$/,
  },
  {
    breaks: "A failure has a key that the contract doesn't declare.",
    isLong: true,
    edits: [
      {
        file: "wire/Envelope.ts",
        text: "{ sucesso: false, errors: text }",
        replacement: '{ sucesso: false, errors: text, ...(code === "id-invalido" && { code }) }',
      },
    ],
    says: /contract has no such answer$/,
  },
  {
    breaks: "A status is answered that the contract doesn't declare for the route.",
    isLong: true,
    edits: [
      {
        file: "handlers.ts",
        text: "Effect.succeed(failureReply(exchangeFailures.invalidId))",
        replacement: "Effect.succeed(failureReply({ ...exchangeFailures.invalidId, status: 422 }))",
      },
    ],
    says: /^the answer 422 is not the contract's/,
  },
  {
    breaks: "An answer may be cached.",
    edits: [{ file: "wire/Envelope.ts", text: '"cache-control": "no-store"', replacement: '"x-none": "1"' }],
    says: /its cache-control is undefined$/,
  },
  {
    breaks: "Every request that was ever sent is kept.",
    isLong: true,
    edits: [
      {
        file: "PixHttp.ts",
        text: "      if (match === undefined) return undefined\n",
        replacement:
          "      if (match === undefined) return undefined\n      const kept = globalThis as { exchanges?: Array<unknown> }\n      void (kept.exchanges ??= []).push(exchange)\n",
      },
    ],
    says: /^\d+ bytes were kept of 3333 requests$/,
  },
  // This fault is the last, because a process keeps metrics for all runs.
  {
    breaks: "A metric counts requests by path.",
    isLong: true,
    edits: [
      {
        file: "PixHttp.ts",
        text: 'import * as Option from "effect/Option"',
        replacement: 'import * as Option from "effect/Option"\nimport * as Metric from "effect/Metric"',
      },
      {
        file: "PixHttp.ts",
        text: "Effect.suspend(() => answer(match, exchange))",
        replacement:
          'Effect.andThen(Metric.update(Metric.counter("requests", { attributes: { path: exchange.url } }), 1), Effect.suspend(() => answer(match, exchange)))',
      },
    ],
    says: /^a canary is in a metric: /,
  },
]
