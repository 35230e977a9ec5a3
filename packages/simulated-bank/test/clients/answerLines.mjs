import { createInterface } from "node:readline"

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
