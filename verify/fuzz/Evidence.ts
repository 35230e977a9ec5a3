import type * as Context from "effect/Context"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"
import { canaryOrToken } from "./tenants.ts"

/** The strings with a canary that were found in logs, console, spans and metrics. None of them should contain one. */
export interface Evidence {
  readonly take: () => ReadonlyArray<string>
  readonly logger: Logger.Logger<unknown, void>
  readonly tracer: Tracer.Tracer
  readonly readMetrics: (context: Context.Context<never>) => void
  readonly close: () => void
}

const consoleMethods = ["debug", "error", "info", "log", "warn"] as const

/** Watches logs, console, spans and metrics, and keeps only strings with a canary. */
export const openEvidence = (): Evidence => {
  const found: Array<string> = []
  const look = (where: string, written: unknown): void => {
    const text = typeof written === "string" ? written : inspect(written, { depth: 6, maxArrayLength: null })
    const { index } = canaryOrToken.exec(text) ?? {}
    if (index !== undefined) found.push(`${where}: ${text.slice(Math.max(0, index - 100), index + 100)}`)
  }

  class WatchedSpan extends Tracer.NativeSpan {
    override end(...[endTime, exit]: Parameters<Tracer.NativeSpan["end"]>): void {
      super.end(endTime, exit)
      look("a span", [this.name, this.attributes, this.events, exit])
    }
  }

  const originals = { ...console }
  const watched = consoleMethods.map((method) => [
    method,
    (...parts: ReadonlyArray<unknown>) => look("the console", parts),
  ])
  Object.assign(console, Object.fromEntries(watched))

  return {
    take: () => found.splice(0),
    logger: Logger.map(Logger.formatLogFmt, (text) => look("a log", text)),
    tracer: Tracer.make({ span: (options) => new WatchedSpan(options) }),
    readMetrics: (context) => look("a metric", Metric.snapshotUnsafe(context)),
    close: () => void Object.assign(console, originals),
  }
}
