import { callbackFetch } from "@pixcharge/callback-fetch"
import { pixReceiver } from "@pixcharge/callback-fetch/receiver"
import { hostDirectory } from "@pixcharge/core"
import { isOfOurs } from "@pixcharge/core/internal"
import { type BootFailure, createPix, isPixError, pixLayer } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { portal } from "@pixcharge/portal"
import { apiPix } from "@pixcharge/processor-api-pix"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { neonConnection, pgliteConnection, postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import { testPix } from "@pixcharge/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { inspect } from "node:util"
import { expect, it } from "vitest"

const canary = "canary-secret"
const url = `postgres://pix:${canary}@db.example/pix`
const keys = [{ kid: "1", secret: "a secret of at least thirty-two bytes" }]
const company = { cnpj: "12345678000195", name: "Loja", city: "Recife", pixKey: "a@b.co", graceDays: 5 }
const pool = { query: () => Promise.resolve({ rows: [] }) }
const pglite = { ...pool, execProtocol: () => undefined }
const options = {
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({ companies: [company] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys },
}
const oddLayer = { [Symbol.for("effect/Layer")]: {} }

/** A call with arguments of any type, as in plain JavaScript. */
const calling =
  (make: unknown, ...given: ReadonlyArray<unknown>) =>
  (): unknown =>
    Reflect.apply(make as (...given: ReadonlyArray<unknown>) => unknown, undefined, given)

const withOptions = (over: object) => calling(createPix, { ...options, ...over })

const find = () => undefined

/** Mistakes, each with a part of its error's message. */
const mistakes: ReadonlyArray<readonly [what: string, make: () => unknown, message: string]> = [
  ["no options", calling(createPix), "the options must be an object, with environment, store, processor"],
  ["a text for options", calling(createPix, canary), "the options must be an object"],
  [
    "a store that wasn't called",
    withOptions({ store: memoryStore }),
    '"store" must be a Layer, as memoryStore() or postgresStore({ db }) makes; it is a function that wasn\'t called',
  ],
  ["no store", withOptions({ store: undefined }), 'the option "store" is missing'],
  [
    "an empty object as processor",
    withOptions({ processor: {} }),
    '"processor" must be a Layer, as sandboxProcessor()',
  ],
  [
    "the result of apiPix instead of its processor",
    withOptions({ processor: apiPix({ companies: {} }) }),
    "give the field processor of what apiPix returns",
  ],
  [
    "a bank in the sandbox",
    withOptions({ processor: Layer.empty }),
    '"processor" must be sandboxProcessor() in the sandbox',
  ],
  ["the Layer of Effect 3", withOptions({ directory: oddLayer }), "it is a Layer of Effect 3: install effect 4"],
  ["tokens without keys", withOptions({ tokens: {} }), "tokens.keys needs at least one key, as { kid, secret }"],
  ["a text for keys", withOptions({ tokens: { keys: canary } }), "tokens.keys needs at least one key"],
  ["a list of texts for keys", withOptions({ tokens: { keys: [canary] } }), "tokens.keys needs at least one key"],
  [
    "a secret that isn't set",
    withOptions({ tokens: { keys: [{ kid: "1" }] } }),
    'the secret of tokens.keys "1" is missing: it is undefined',
  ],
  [
    "a pool in place of the store's options",
    calling(postgresStore, pool),
    "postgresStore: a connection is an option: postgresStore({ db: pool })",
  ],
  [
    "a short secret",
    withOptions({ tokens: { keys: [{ kid: "1", secret: canary }] } }),
    'the secret of tokens.keys "1" is shorter',
  ],
  [
    "a misspelt option of tokens",
    withOptions({ tokens: { keys, lifetimeMS: 1 } }),
    'tokens: there is no option "lifetimeMS" (did you mean "lifetimeMs"?)',
  ],
  [
    "tokens that live for ever",
    withOptions({ tokens: { keys, lifetimeMs: Infinity } }),
    'the option "lifetimeMs" must be a lifetime in milliseconds, of 5 minutes to 72 hours',
  ],
  ["a misspelt option", withOptions({ onevent: find }), 'there is no option "onevent" (did you mean "onEvent"?)'],
  ["an unknown option", withOptions({ colour: 1 }), 'there is no option "colour": the options are environment, store'],
  [
    "half of the API of OpenTelemetry",
    withOptions({ telemetry: { trace: { getTracer: find } } }),
    '"telemetry" must be the API of OpenTelemetry',
  ],
  ["an option with a strange name", withOptions({ [url]: 1 }), "there is no option of such a name"],
  [
    "half of a logger",
    withOptions({ logger: { info: find } }),
    "like pino or the console, with the methods debug, info, warn and error",
  ],
  [
    "a tracer without its context",
    withOptions({ telemetry: { trace: { getTracer: find, setSpan: find }, context: { active: find } } }),
    "the API of OpenTelemetry: all that @opentelemetry/api exports",
  ],
  ["background: true", withOptions({ background: true }), '"background" must be false, or left out'],
  ["invalid tokens", withOptions({ tokens: canary }), '"tokens" must be an object like { keys: [{ kid, secret }] }'],
  [
    "an empty object as callbacks",
    withOptions({ callbacks: {} }),
    '"callbacks" must be a Layer, as callbackFetch() makes',
  ],
  [
    "an empty object as directory",
    withOptions({ directory: {} }),
    '"directory" must be a Layer, as postgresDirectory({ db, pepper }) or hostDirectory({ companies }) makes',
  ],
  [
    "a path without its routes",
    withOptions({ environment: "production", notices: { path: 7 } }),
    "or another { path, layer }",
  ],
  ["an invalid handler", withOptions({ onEvent: canary }), '"onEvent" must be a function'],
  ["an unknown environment", withOptions({ environment: canary }), '"environment" must be "sandbox" or "production"'],
  [
    "a path of notices that our routes have",
    withOptions({
      environment: "production",
      store: memoryStore({ inProduction: true }),
      notices: { path: "/api/pix", layer: Layer.empty },
    }),
    "the path of the notices must lie neither below /api/",
  ],
  ["invalid notices", withOptions({ notices: canary }), '"notices" must be apiPix(...).notices'],
  [
    "an option of memoryStore",
    calling(memoryStore, { path: canary }),
    'memoryStore: there is no option "path": the options are inProduction',
  ],
  ["an option of sandboxProcessor", calling(sandboxProcessor, canary), "sandboxProcessor: there are no options"],
  [
    "a directory without companies",
    calling(memoryDirectory, {}),
    'memoryDirectory: the option "companies" is missing: it must be a list of registrations',
  ],
  [
    "memoryDirectory without options",
    calling(memoryDirectory),
    "memoryDirectory: the options must be an object, with companies",
  ],
  [
    "a company that is a text",
    calling(memoryDirectory, { companies: [canary] }),
    "must be a list of registrations, each with its cnpj as a string",
  ],
  [
    "misspelt companies",
    calling(memoryDirectory, { company: [] }),
    'memoryDirectory: there is no option "company" (did you mean "companies"?)',
  ],
  [
    "a host's directory without its functions",
    calling(hostDirectory, { companies: { find } }),
    "an object with the functions find and byPixKey",
  ],
  [
    "half of the endpoints",
    calling(hostDirectory, { companies: { find, byPixKey: find }, endpoints: { find } }),
    "forCompany, find and setStatus",
  ],
  [
    "a URL for a connection",
    calling(postgresStore, { db: url }),
    'postgresStore: the option "db" must be a pg.Pool, or the result of pgliteConnection or neonConnection; it is a string: give new pg.Pool({ connectionString })',
  ],
  ["a bare PGlite", calling(postgresStore, { db: pglite }), "it is a PGlite: give pgliteConnection(pglite)"],
  [
    "a class for a connection",
    calling(postgresStore, { db: pg.Pool }),
    "it is a function: give neonConnection(neon), or an instance of a Pool",
  ],
  [
    "a promise of a connection",
    calling(postgresStore, { db: Promise.resolve(pool) }),
    "it is a promise: await it first",
  ],
  ["a promise of a PGlite", calling(pgliteConnection, Promise.resolve(pglite)), "it is a promise: await it first"],
  ["a URL for Neon", calling(neonConnection, url), "neonConnection needs the result of neon(url)"],
  ["pgliteConnection without a PGlite", calling(pgliteConnection), "pgliteConnection needs a PGlite"],
  ["a receiver without its options", calling(pixReceiver), "pixReceiver: the options must be an object, with secrets"],
  ["a receiver without confirm", calling(pixReceiver, { secrets: [canary], onEvent: find }), '"confirm" is missing'],
  [
    "a receiver's misspelt function",
    calling(pixReceiver, { secrets: [canary], confirm: false, onEvents: find }),
    'did you mean "onEvent"?',
  ],
  ["an option that testPix sets itself", calling(testPix, { environment: canary }), 'there is no option "environment"'],
  ["a list for testPix", calling(testPix, { companies: [company] }), 'give "company", or a "directory"'],
  [
    "an option of the portal",
    calling(portal, { by: find, respond: find }, { authorize: find, authorise: find }),
    'did you mean "authorize"?',
  ],
  [
    "an ORM",
    calling(postgresStore, { db: { execute: find } }),
    "it is an ORM: give a pg.Pool, either the ORM's or a separate one",
  ],
  ["a store without a connection", calling(postgresStore, {}), 'postgresStore: the option "db" is missing'],
  [
    "an unknown way to migrate",
    calling(postgresStore, { db: pool, migrations: "never" }),
    '"migrations" must be "run" or "check"',
  ],
  ["a schema that is a number", calling(postgresStore, { db: pool, schema: 7 }), '"schema" must be a string'],
  [
    "a directory without a pepper",
    calling(postgresDirectory, { db: pool }),
    'postgresDirectory: the option "pepper" is missing',
  ],
  [
    "a short pepper",
    calling(postgresDirectory, { db: pool, pepper: [{ kid: "1", secret: canary }] }),
    'postgresDirectory: the secret of pepper "1" is shorter',
  ],
  [
    "a URL for the directory's connection",
    calling(postgresDirectory, { db: url, pepper: keys }),
    "it is a string: give new pg.Pool",
  ],
  ["apiPix without options", calling(apiPix), "apiPix: the options must be an object, with companies"],
  [
    "a text for companies",
    calling(apiPix, { companies: canary }),
    '"companies" must be an object of connections by CNPJ',
  ],
  [
    "a secret that isn't in a list",
    calling(apiPix, { companies: {}, noticeSecrets: canary }),
    '"noticeSecrets" must be a list of one or two texts',
  ],
  [
    "a misspelt option of apiPix",
    calling(apiPix, { companies: {}, noticeSecret: [canary] }),
    'did you mean "noticeSecrets"?',
  ],
  [
    "a flag as a text",
    calling(callbackFetch, { allowHttp: canary }),
    'callbackFetch: the option "allowHttp" must be true or false',
  ],
  ["a misspelt flag", calling(callbackFetch, { allowHTTP: true }), 'did you mean "allowHttp"?'],
  [
    "a promise for the routes of Express",
    calling(pixRouter, Promise.resolve()),
    "pixRouter needs what createPix returns, or an app such as the portal, and was given a promise of it: await it first",
  ],
  [
    "undefined for the routes of Express",
    calling(pixRouter),
    "pixRouter needs what createPix returns, or an app such as the portal.",
  ],
  ["options for the routes of Hono", calling(pixRoutes, options), "pixRoutes needs what createPix returns"],
]

/** Returns the error that the call throws or rejects with. */
const caught = async (make: () => unknown): Promise<unknown> => {
  try {
    await make()
  } catch (error) {
    return error
  }
  return undefined
}

it.each(mistakes)("refuses %s in a sentence that doesn't repeat the value", async (_, make, message) => {
  const error = await caught(make)
  expect(isOfOurs(error) && error.message).toContain(message)
  expect(isPixError(error, "BootFailure") || isPixError(error, "InvalidOption")).toBe(true)
  expect(inspect(error)).not.toContain(canary)
})

it("accepts correct options, also with undefined for absent ones", () => {
  expect(postgresStore({ db: pool })).toSatisfy(Layer.isLayer)
  expect(callbackFetch({ allowHttp: true, ports: "any" })).toSatisfy(Layer.isLayer)
  expect(calling(memoryDirectory, { companies: [company], company: undefined })()).toSatisfy(Layer.isLayer)
})

it("reports a mistake to a host in Effect as a failure of the Layer", async () => {
  const layer = calling(pixLayer, { ...options, onevent: find })() as Layer.Layer<never, BootFailure>
  const error = await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(layer))))
  expect(error.message).toContain('did you mean "onEvent"?')
})
