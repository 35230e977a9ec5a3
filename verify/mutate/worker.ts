import { init, runBaseTests, setupEnvironment } from "vitest/worker"
import { Mutants } from "./Mutants.ts"

// Tests may replace what they find in `process`.
const { send } = process
if (send === undefined) throw new Error("This is started by KeptWorker")
const post = send.bind(process)
const on = process.on.bind(process)
const off = process.off.bind(process)
const exit = process.exit.bind(process)

globalThis.__mutants = new Mutants()

init({
  post: (message) => {
    if (process.connected) post(message)
  },
  on: (listener) => void on("message", listener),
  off: (listener) => void off("message", listener),
  setup: setupEnvironment,
  runTests: (state, traces) => runBaseTests("run", state, traces),
  collectTests: (state, traces) => runBaseTests("collect", state, traces),
})

on("disconnect", () => exit())
