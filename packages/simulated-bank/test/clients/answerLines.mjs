import { createInterface } from "node:readline"

/** Makes the call of a client that each line of the input names, and writes what came of it. */
export const answerLines = async (client) => {
  for await (const line of createInterface(process.stdin)) {
    const { method, args } = JSON.parse(line)
    const came = await client[method](...args).then(
      (answer) => ({ answer }),
      (refusal) => ({ refusal: refusal instanceof Error ? String(refusal) : refusal }),
    )
    process.stdout.write(`${JSON.stringify(came)}\n`)
  }
}
