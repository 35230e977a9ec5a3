import * as Layer from "effect/Layer"
import type { HostOptions } from "../options.ts"
import { loggerLayer } from "./HostLogger.ts"
import { tracerLayer } from "./tracerLayer.ts"

/** The host's logger and tracer; what it doesn't give stays as it is. */
export const telemetryLayer = ({ logger, telemetry }: HostOptions): Layer.Layer<never> =>
  Layer.merge(
    logger === undefined ? Layer.empty : loggerLayer(logger),
    telemetry === undefined ? Layer.empty : tracerLayer(telemetry),
  )
