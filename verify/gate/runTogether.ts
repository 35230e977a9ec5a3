import { type ChildProcess, spawn } from "node:child_process"
import { getPriority, setPriority } from "node:os"
import { tell } from "../world/commandLine.ts"
import { endGroup } from "../world/endGroup.ts"
import { root } from "../world/root.ts"

const running = new Set<ChildProcess>()

/**
 * The niceness of all commands except the last, unless this process has a higher niceness, which an ordinary user can't
 * lower. It is low, because a busy machine starves processes with a high niceness.
 */
const niceness = 2

export const endAtSignals = (): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const child of running) endGroup(child)
      process.exit(1)
    })
  }
}

/** Returns the exit code and the output of both streams in order. */
const run = (command: ReadonlyArray<string>, minutes: number, isLast: boolean) =>
  new Promise<{ readonly exit: string; readonly text: string }>((resolve, reject) => {
    const output = isLast ? "inherit" : "pipe"
    const child = spawn(process.execPath, command, { cwd: root, stdio: ["ignore", output, output], detached: true })
    running.add(child)
    if (!isLast && child.pid !== undefined) setPriority(child.pid, Math.max(niceness, getPriority()))
    let late = ""
    const timer = setTimeout(() => {
      late = ` because it took longer than ${minutes} minutes`
      endGroup(child)
    }, minutes * 60_000)
    let text = ""
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (text += String(data)))
    child.once("error", reject)
    child.once("exit", () => endGroup(child))
    child.once("close", (code, signal) => {
      clearTimeout(timer)
      running.delete(child)
      resolve({ exit: `${code ?? signal}${late}`, text })
    })
  })

interface RunOptions {
  readonly minutes?: number
  readonly print?: (text: string) => void
}

/**
 * Runs Node commands at the same time. Returns true if all succeeded. The last command has the terminal and a higher
 * priority. The output of each other command is printed after its end. A command that takes too long is killed with all
 * its children.
 */
export const runTogether = async (
  commands: ReadonlyArray<string>,
  { minutes = 30, print = tell }: RunOptions = {},
): Promise<boolean> => {
  const startedAt = performance.now()
  const runs = commands.map(async (command, index) => {
    const { exit, text } = await run(command.split(" "), minutes, index === commands.length - 1)
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    print(`${text}${command} ended with ${exit} after ${seconds} s`)
    return exit === "0"
  })
  return (await Promise.all(runs)).every((hasSucceeded) => hasSucceeded)
}

/** Runs groups one after the other, until one fails or, with `goesOn`, to the last. Returns true if all succeeded. */
export const runGroups = async (
  groups: ReadonlyArray<ReadonlyArray<string>>,
  { goesOn = false, ...options }: RunOptions & { readonly goesOn?: boolean },
): Promise<boolean> => {
  let haveSucceeded = true
  for (const group of groups) {
    haveSucceeded = (await runTogether(group, options)) && haveSucceeded
    if (!haveSucceeded && !goesOn) return false
  }
  return haveSucceeded
}
