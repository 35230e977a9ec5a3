// @ts-check
// Says in a sentence that this Node is too old, before anything fails for that reason. It must parse on the oldest Node that runs pnpm.
const oldest = [20, 19]

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(`pixcharge needs Node ${oldest.join(".")} or newer, and this is Node ${process.versions.node}.`)
  process.exit(1)
}
