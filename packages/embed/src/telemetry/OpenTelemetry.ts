import { failureFacts } from "@pixcharge/core/internal"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

// The used part of `@opentelemetry/api`. Hosts needn't install it. The members are methods instead of function fields, because
// TypeScript compares a method's parameters with the real ones in both directions.

export interface OpenTelemetrySpan {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
  setAttribute(key: string, value: string | number | boolean): unknown
  addEvent(name: string, attributes?: Record<string, string | number | boolean>): unknown
  setStatus(status: { readonly code: number; readonly message?: string }): unknown
  end(): void
}

export interface OpenTelemetryTracer {
  startSpan(
    name: string,
    options: { readonly kind: number; readonly root?: boolean },
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan
}

/** An opaque value that holds the active span. */
export interface OpenTelemetryContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): OpenTelemetryContext
  deleteValue(key: symbol): OpenTelemetryContext
}

/** `import * as opentelemetry from "@opentelemetry/api"`, for `createPix({ telemetry: opentelemetry })`. */
export interface OpenTelemetry {
  readonly trace: {
    getTracer(name: string): OpenTelemetryTracer
    setSpan(context: OpenTelemetryContext, span: OpenTelemetrySpan): OpenTelemetryContext
  }
  readonly context: {
    active(): OpenTelemetryContext
    with<A>(context: OpenTelemetryContext, run: () => A): A
  }
}

const kinds: Readonly<Record<Tracer.SpanKind, number>> = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 }
const errorStatus = 2

const attributeValue = (value: unknown): string | number | boolean =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value)

type SpanRequest = Parameters<Tracer.Tracer["span"]>[0]

/** An Effect span backed by an OpenTelemetry span. Its times are real, because a sandbox's clock can be moved. */
class BridgedSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly name: string
  readonly spanId: string
  readonly traceId: string
  readonly sampled: boolean
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly annotations: Context.Context<never>
  readonly kind: Tracer.SpanKind
  readonly links: Array<Tracer.SpanLink>
  readonly attributes = new Map<string, unknown>()
  readonly active: OpenTelemetryContext
  status: Tracer.SpanStatus
  readonly #span: OpenTelemetrySpan

  constructor(request: SpanRequest, span: OpenTelemetrySpan, active: OpenTelemetryContext) {
    const { traceId, spanId, traceFlags } = span.spanContext()
    this.name = request.name
    this.spanId = spanId
    this.traceId = traceId
    this.sampled = traceFlags % 2 === 1
    this.parent = request.parent
    this.annotations = request.annotations
    this.kind = request.kind
    this.links = request.links
    this.active = active
    this.status = { _tag: "Started", startTime: request.startTime }
    this.#span = span
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
    if (exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause)) {
      const { error } = failureFacts(exit.cause)
      this.#span.setAttribute("error.type", error)
      this.#span.setStatus({ code: errorStatus, message: error })
    }
    this.#span.end()
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
    this.#span.setAttribute(key, attributeValue(value))
  }

  event(name: string, _: bigint, attributes: Record<string, unknown> = {}): void {
    const values = Object.entries(attributes).map(([key, value]) => [key, attributeValue(value)] as const)
    this.#span.addEvent(name, Object.fromEntries(values))
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links.push(...links)
  }
}

/**
 * Sends spans to OpenTelemetry, below the host's active span. Each span is active while its work runs, so spans of the host's
 * instrumentation of databases and calls appear below it.
 */
export const tracerLayer = ({ trace, context }: OpenTelemetry): Layer.Layer<never> => {
  const tracer = trace.getTracer("pixcharge")
  return Layer.succeed(Tracer.Tracer, {
    span: (request) => {
      const parent = Option.getOrUndefined(request.parent)
      const above = parent instanceof BridgedSpan ? parent.active : context.active()
      const span = tracer.startSpan(request.name, { kind: kinds[request.kind], root: request.root }, above)
      return new BridgedSpan(request, span, trace.setSpan(above, span))
    },
    context: (primitive, fiber) => {
      const span = fiber.cache.span
      const evaluate = () => primitive["~effect/Effect/evaluate"](fiber)
      return span instanceof BridgedSpan ? context.with(span.active, evaluate) : evaluate()
    },
  })
}
