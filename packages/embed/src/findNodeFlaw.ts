/** The oldest version that is tested; older ones lack what this and Effect use. */
const oldest = [20, 19] as const

/** Why this version of Node can't run pixcharge; undefined if it can, and where there is none. */
export const findNodeFlaw = (version: string | undefined): string | undefined => {
  if (version === undefined) return undefined
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1])
  return isOld ? `it needs Node ${oldest.join(".")} or newer, and this is ${version}: update Node` : undefined
}
