/** Next.js calls it once when a server starts. */
export const register = async (): Promise<void> => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return
  const { pix } = await import("./lib/pix")
  // What must be delivered and reconciled goes on from here, whether or not anybody calls.
  await pix.ready()
  // Next.js waits for open pages before it ends.
  process.once("SIGTERM", () => pix.endStreams())
}
