import { isStorableMoment } from "@pixcharge/core"
import {
  aFlag,
  aFunction,
  aList,
  anAdapter,
  anObject,
  hasMethods,
  oneOf,
  optionFlaw,
  type OptionRule,
  type OptionRules,
  required,
} from "@pixcharge/core/internal"
import { factKinds } from "@pixcharge/core/charges"
import { checkoutPathFlaw, noticesPathFlaw, tokenOptionsFlaw } from "@pixcharge/http"
import { bootFailure } from "./instance/BootFailure.ts"
import { listedCompanies } from "./listedCompanies.ts"
import type { HostOptions, PixOptions } from "./options.ts"

const optional = ({ isRequired: _, ...rule }: OptionRule): OptionRule => rule

const processor = anAdapter("sandboxProcessor() or apiPix(...).processor")

const aRoute = (made: string): OptionRule => ({
  mustBe: `${made}, or another { path, layer }`,
  holds: (value) => anObject.holds(value) && typeof Reflect.get(Object(value), "path") === "string",
})

const logger: OptionRule = {
  mustBe: "like pino or the console, with the methods debug, info, warn and error",
  holds: (value) => hasMethods(value, "debug", "info", "warn", "error"),
}

const telemetry: OptionRule = {
  mustBe: "the API of OpenTelemetry: all that @opentelemetry/api exports",
  holds: (value) =>
    anObject.holds(value) &&
    hasMethods(Reflect.get(Object(value), "trace"), "getTracer", "setSpan") &&
    hasMethods(Reflect.get(Object(value), "context"), "active", "with"),
}

const frozenAt: OptionRule = {
  mustBe: "a moment in whole epoch milliseconds",
  holds: (value) => typeof value === "number" && Number.isInteger(value) && isStorableMoment(value),
}

const isFactKind = (value: unknown): boolean => factKinds.some((kind) => kind === value)

const rules: OptionRules<PixOptions & HostOptions> = {
  environment: required(oneOf("sandbox", "production")),
  store: anAdapter("memoryStore() or postgresStore({ db })"),
  companies: aList("companies, each with its cnpj, name, city and pixKey", anObject.holds),
  directory: optional(anAdapter("postgresDirectory({ db, pepper }) or hostDirectory({ companies })")),
  processor: {
    ...processor,
    hint: (value) =>
      hasMethods(value, "registerWebhook")
        ? "give the field processor of what apiPix returns"
        : processor.hint?.(value),
  },
  notices: aRoute("apiPix(...).notices"),
  checkout: aRoute("checkout({ url }) of @pixcharge/checkout"),
  callbacks: optional(anAdapter("callbackFetch()")),
  tokens: { ...anObject, mustBe: "an object like { keys: [{ kid, secret }] }" },
  onEvent: aFunction,
  events: aList(`the kinds of events that are published: ${factKinds.join(", ")}`, isFactKind),
  background: { mustBe: "false, or left out", holds: (value) => value === false },
  recurrences: aFlag,
  openapi: aFlag,
  frozenAt,
  holidays: aFunction,
  logger,
  telemetry,
}

const findCompaniesFlaw = ({ companies, directory, callbacks }: PixOptions): string | undefined => {
  if (companies === undefined) {
    return directory === undefined
      ? 'the option "companies" is missing: it must be a list of companies, each with its cnpj, name, city and pixKey; or give a "directory"'
      : undefined
  }
  if (directory !== undefined) return 'the options "companies" and "directory" exclude each other: give one of them'
  if (callbacks === undefined && companies.some(({ callback }) => callback !== undefined)) {
    return 'the option "callbacks" is missing: it must be callbackFetch(), since a company has a callback'
  }
  try {
    listedCompanies(companies)
    return undefined
  } catch (error) {
    return `companies: ${(error as Error).message.replace(/\.$/, "")}`
  }
}

const findTokensFlaw = ({ tokens, checkout, openapi }: PixOptions): string | undefined => {
  if (tokens !== undefined) return tokenOptionsFlaw(tokens)
  if (checkout !== undefined) return 'the option "tokens" is missing: its keys sign the links of the checkout'
  return openapi === true
    ? 'the option "tokens" is missing: without it every call of the contract is refused'
    : undefined
}

const findProcessorFlaw = ({ environment, processor: given }: PixOptions): string | undefined =>
  environment === "sandbox" && given.environment !== "sandbox"
    ? 'the option "processor" must be sandboxProcessor() in the sandbox'
    : undefined

/** Refuses options that would silently lose money. */
const findProductionFlaw = (options: PixOptions): string | undefined => {
  if (options.environment === "sandbox") return undefined
  if (options.store.isVolatile === true) {
    return 'the option "store" must keep its records in production: use postgresStore({ db }), or memoryStore({ inProduction: true }) if losing them with the process is acceptable'
  }
  return options.processor.wantsNotices === true && options.notices === undefined
    ? 'the option "notices" must be apiPix(...).notices if apiPix has noticeSecrets: without it no bank can call'
    : undefined
}

const findPathsFlaw = (options: PixOptions): string | undefined => {
  const { checkout } = options
  const notices = options.environment === "production" ? options.notices : undefined
  return (checkout && checkoutPathFlaw(checkout.path)) ?? (notices && noticesPathFlaw(notices.path, checkout?.path))
}

const findFlaw = (options: unknown): string | undefined => {
  const flaw = findNodeFlaw(globalThis.process?.versions?.node) ?? optionFlaw<PixOptions & HostOptions>(options, rules)
  if (flaw !== undefined) return flaw
  const given = options as PixOptions
  return (
    findProcessorFlaw(given) ??
    findProductionFlaw(given) ??
    findCompaniesFlaw(given) ??
    findTokensFlaw(given) ??
    findPathsFlaw(given)
  )
}

export function checkOptions(options: unknown): asserts options is PixOptions {
  const flaw = findFlaw(options)
  if (flaw !== undefined) throw bootFailure(`${flaw}.`)
}

const oldest = [20, 19] as const

/** Returns undefined without Node. */
export const findNodeFlaw = (version: string | undefined): string | undefined => {
  if (version === undefined) return undefined
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1])
  return isOld ? `it needs Node ${oldest.join(".")} or newer, and this is ${version}: update Node` : undefined
}

/** Throws on Cloudflare's runtime, which keeps neither sockets nor timers between requests, and lacks parts of Node. */
export const refuseWorkerd = (): void => {
  const { userAgent } = Object(Reflect.get(globalThis, "navigator")) as { readonly userAgent?: unknown }
  if (userAgent === "Cloudflare-Workers") {
    throw bootFailure("Cloudflare Workers (workerd) is not supported; Node, Bun and Deno are")
  }
}
