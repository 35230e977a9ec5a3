import { pix } from "./pix"

/** Stands in a file of its own: `next build` warns of each API of Node in `instrumentation.ts`. */
export const startPix = async (): Promise<void> => {
  // Starts the background work: events are delivered and payments reconciled even if nobody calls.
  await pix.ready()
  // Next.js waits for the streams of open pages before it ends.
  process.once("SIGTERM", pix.endStreams).once("SIGINT", pix.endStreams)
}
