import {
  type BeforeApplicationShutdown,
  Global,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from "@nestjs/common"
import { pix } from "./pix.js"

/** What injects it: `constructor(@Inject(PIX) private readonly pix: Pix) {}`. */
export const PIX = Symbol("pix")

@Global()
@Module({ providers: [{ provide: PIX, useValue: pix }], exports: [PIX] })
export class PixModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  /** Starts the background work: events are delivered and payments reconciled even if nobody calls. */
  onModuleInit(): Promise<void> {
    return pix.ready()
  }

  /** Nest closes its server after it, and waits for open pages. */
  beforeApplicationShutdown(): void {
    pix.endStreams()
  }

  onApplicationShutdown(): Promise<void> {
    return pix.dispose()
  }
}
