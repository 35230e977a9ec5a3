// The part of `@opentelemetry/api` that is used, so that nobody needs the package who doesn't use it. Methods, not
// functions: their parameters are compared with those of the real ones in both directions.

/** A span of OpenTelemetry. */
export interface OpenTelemetrySpan {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
  setAttribute(key: string, value: string | number | boolean): unknown
  addEvent(name: string, attributes?: Record<string, string | number | boolean>): unknown
  setStatus(status: { readonly code: number; readonly message?: string }): unknown
  end(): void
}

/** Makes spans. */
export interface OpenTelemetryTracer {
  startSpan(
    name: string,
    options: { readonly kind: number; readonly root?: boolean },
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan
}

/** Which span is active; opaque. */
export interface OpenTelemetryContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): OpenTelemetryContext
  deleteValue(key: symbol): OpenTelemetryContext
}

/** `import * as opentelemetry from "@opentelemetry/api"`, as `createPix({ telemetry: opentelemetry })` takes it. */
export interface OpenTelemetry {
  readonly trace: {
    getTracer(name: string): OpenTelemetryTracer
    setSpan(context: OpenTelemetryContext, span: OpenTelemetrySpan): OpenTelemetryContext
  }
  readonly context: {
    active(): OpenTelemetryContext
    with<A>(context: OpenTelemetryContext, carryOut: () => A): A
  }
}
