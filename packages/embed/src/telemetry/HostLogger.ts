import { failureFacts } from "@pixcharge/core/internal"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { LogLevel } from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"

type Log = (facts: Readonly<Record<string, unknown>>, message: string) => void

/**
 * A logger of the host's, called as `logger.warn(facts, message)`: pino takes this as it is, the console prints both. The
 * facts are codes, ids, statuses and places in the code, without payer data and secrets.
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

/** Texts make the message and records the facts; what is redacted stays here. */
const splitParts = (logged: unknown) => {
  const parts: ReadonlyArray<unknown> = Array.isArray(logged) ? logged : [logged]
  const texts = parts.filter((part) => typeof part === "string")
  const records = parts.filter((part) => typeof part === "object" && !Redacted.isRedacted(part))
  return { message: texts.join(" "), facts: Object.assign({}, ...records) as Readonly<Record<string, unknown>> }
}

/** Sends what is logged to the host's logger, and nowhere else. */
export const loggerLayer = (logger: HostLogger): Layer.Layer<never> =>
  Logger.layer([
    Logger.make(({ message: logged, logLevel, cause, fiber }) => {
      const { message, facts } = splitParts(logged)
      const failure = cause.reasons.length === 0 ? {} : failureFacts(cause)
      try {
        const written: unknown = logger[methods[logLevel]](
          { ...fiber.getRef(References.CurrentLogAnnotations), ...failure, ...facts },
          message,
        )
        if (written instanceof Promise) written.catch(() => undefined)
      } catch {
        // What a logger can't write must not end what it was written about.
      }
    }),
  ])
