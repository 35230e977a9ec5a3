// @ts-check
// A thread of `start.mjs`. It writes to the file descriptor, because the console of a thread waits for the main thread.
import { writeSync } from "node:fs"
import { workerData } from "node:worker_threads"

const everySeconds = 10
const stderr = 2

let seconds = 0
setInterval(() => {
  seconds += everySeconds
  writeSync(stderr, `Still ${workerData}, for ${seconds} s.\n`)
}, everySeconds * 1_000)
