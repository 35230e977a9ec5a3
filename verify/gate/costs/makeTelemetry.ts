import type { OpenTelemetry, OpenTelemetryContext, OpenTelemetrySpan } from "@pixcharge/embed"

const span: OpenTelemetrySpan = {
  spanContext: () => ({ traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 }),
  setAttribute: () => undefined,
  addEvent: () => undefined,
  setStatus: () => undefined,
  end: () => undefined,
}

const context: OpenTelemetryContext = {
  getValue: () => undefined,
  setValue: () => context,
  deleteValue: () => context,
}

export const makeTelemetry = (): {
  readonly telemetry: OpenTelemetry
  readonly takeSpans: () => ReadonlyArray<string>
} => {
  const names: Array<string> = []
  return {
    telemetry: {
      trace: {
        getTracer: () => ({
          startSpan: (name) => {
            names.push(name)
            return span
          },
        }),
        setSpan: () => context,
      },
      context: { active: () => context, with: (_, run) => run() },
    },
    takeSpans: () => names.splice(0),
  }
}
