import { failureFacts, hasMethods } from "@pixcharge/core/internal"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { LogLevel } from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"

type Log = (facts: Readonly<Record<string, unknown>>, message: string) => void

/**
 * The host's logger, called as `logger.warn(facts, message)`: pino, bunyan, consola or the console. winston and LogTape are
 * called as `logger.warn(message, facts)`. The facts are codes, ids, statuses and places in the code, without payer data or
 * secrets.
 */
export interface HostLogger {
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
}

const methods: Readonly<Record<LogLevel, keyof HostLogger>> = {
  All: "debug",
  Trace: "debug",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "error",
  None: "debug",
}

const isWinston = (logger: HostLogger): boolean => "transports" in logger && hasMethods(logger, "configure")
const isLogTape = (logger: HostLogger): boolean => "category" in logger && hasMethods(logger, "getChild")

const callsTo = (logger: HostLogger): ((method: keyof HostLogger, ...logged: Parameters<Log>) => unknown) =>
  isWinston(logger) || isLogTape(logger)
    ? (method, facts, message) => Reflect.apply(logger[method], logger, [message, facts])
    : (method, facts, message) => logger[method](facts, message)

const splitParts = (logged: unknown) => {
  const parts: ReadonlyArray<unknown> = Array.isArray(logged) ? logged : [logged]
  const texts = parts.filter((part) => typeof part === "string")
  const records = parts.filter((part) => typeof part === "object" && !Redacted.isRedacted(part))
  return { message: texts.join(" "), facts: Object.assign({}, ...records) as Readonly<Record<string, unknown>> }
}

export const loggerLayer = (logger: HostLogger): Layer.Layer<never> => {
  const call = callsTo(logger)
  return Logger.layer([
    Logger.make(({ message: logged, logLevel, cause, fiber }) => {
      const { message, facts } = splitParts(logged)
      const failure = cause.reasons.length === 0 ? {} : failureFacts(cause)
      const annotations = fiber.getRef(References.CurrentLogAnnotations)
      try {
        const written = call(methods[logLevel], { ...annotations, ...failure, ...facts }, message)
        if (written instanceof Promise) written.catch(() => undefined)
      } catch {
        // A failing logger must not end the work that it logs.
      }
    }),
  ])
}
