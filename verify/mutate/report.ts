import type { Judged } from "./runStryker.ts"

const shownAround = 24

export const changeText = (original: string, mutated: string): readonly [string, string] => {
  let start = 0
  while (start < original.length && original[start] === mutated[start]) start += 1
  let rest = 0
  while (rest < Math.min(original.length, mutated.length) - start && original.at(-1 - rest) === mutated.at(-1 - rest))
    rest += 1
  const showText = (text: string): string =>
    text
      .slice(Math.max(0, start - shownAround), text.length - Math.max(0, rest - shownAround))
      .replaceAll(/\s+/g, " ")
      .trim()
  return [showText(original), showText(mutated)]
}

const survivorText = (mutant: Judged & { readonly original: string }): string => {
  const { fileName, location, mutatorName, status, original, replacement = "" } = mutant
  const [before, after] = changeText(original, replacement)
  const note = status === "NoCoverage" ? " (no test reaches it)" : ""
  return `- ${fileName}:${location.start.line} ${mutatorName}${note}\n    - ${before}\n    + ${after}`
}

export const summary = (name: string, mutants: ReadonlyArray<Judged & { readonly original: string }>) => {
  const count = (status: Judged["status"]): number => mutants.filter((one) => one.status === status).length
  const survivors = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage")
  const [killed, timedOut] = [count("Killed"), count("Timeout")]
  const total = killed + timedOut + survivors.length
  const share = (killed + timedOut) / total
  const figures = `${name}: ${total} mutants, ${killed} killed, ${timedOut} timed out, ${count("Survived")} survived, ${count("NoCoverage")} without a test; killed ${(100 * share).toFixed(1)} %`
  return { text: [...survivors.map(survivorText), figures].join("\n"), share, total }
}
