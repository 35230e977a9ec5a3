/** Next.js calls this function once when a server starts. */
export const register = async (): Promise<void> => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return
  const { startPix } = await import("./lib/startPix")
  await startPix()
}
