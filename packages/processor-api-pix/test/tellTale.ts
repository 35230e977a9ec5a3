import * as Cause from "effect/Cause"
import type * as Exit from "effect/Exit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"

/** Records all logs and traces as text, both with all values in full and as Effect's own formatters write them. */
export const tellTale = () => {
  const logged: Array<string> = []
  const traced: Array<string> = []
  const show = (value: unknown) => inspect(value, { depth: 30, showHidden: true, maxStringLength: null })

  class Span extends Tracer.NativeSpan {
    override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
      super.end(endTime, exit)
      const errors = exit._tag === "Failure" ? Cause.prettyErrors(exit.cause) : []
      traced.push(show([this.name, [...this.attributes], this.events, exit, errors, errors.map(({ stack }) => stack)]))
    }
  }

  const layer = Layer.mergeAll(
    Logger.layer([
      Logger.make((entry) => {
        logged.push(show([entry.message, entry.cause]), Logger.formatLogFmt.log(entry), Logger.formatJson.log(entry))
      }),
    ]),
    Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new Span(options) })),
  )
  const everything = Effect.map(Metric.snapshot, (metrics) => [...logged, ...traced, show(metrics)].join("\n"))
  return { layer, everything, logged, traced }
}
