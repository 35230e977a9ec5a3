import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core"

/**
 * True for two problems that we accept: `require` loads an ES module, which Node supports, and Node 10's resolution
 * ignores `exports`.
 */
const isAccepted = (problem: Problem): boolean =>
  problem.kind === "CJSResolvesToESM" || ("resolutionKind" in problem && problem.resolutionKind === "node10")

export const typeFlaws = async (tarball: Uint8Array): Promise<ReadonlyArray<string>> => {
  const checked = await checkPackage(createPackageFromTarballData(tarball))
  if (!checked.types) return ["it has no types"]
  return checked.problems
    .filter((problem) => !isAccepted(problem))
    .map((problem) => `${problem.kind} ${"entrypoint" in problem ? problem.entrypoint : ""}`)
}
