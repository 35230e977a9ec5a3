// @ts-check
// Says in a sentence that this Node is too old, before a program fails for that reason. This file must parse on the
// oldest Node that runs pnpm.
const oldest = "20.19"

if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) < 0) {
  console.error(`pixcharge needs Node ${oldest} or newer, and this is Node ${process.versions.node}.`)
  process.exit(1)
}
