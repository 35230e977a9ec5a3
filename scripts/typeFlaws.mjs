import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"

/** The packages are ES modules: `require` loads them by Node's own rule, and Node 10's resolution knows no `exports`. */
const isAccepted = ({ kind, resolutionKind }) => kind === "CJSResolvesToESM" || resolutionKind === "node10"

/**
 * What Are The Types Wrong says of a package's tarball; empty if nothing is.
 *
 * @param {Uint8Array} tarball
 */
export const typeFlaws = async (tarball) => {
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(tarball))
  if (types === false) return ["it has no types"]
  return problems.filter((problem) => !isAccepted(problem)).map(({ kind, entrypoint = "" }) => `${kind} ${entrypoint}`)
}
