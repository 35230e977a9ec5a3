/** placeholder */
import { runSoak, faultKinds } from "../soak/dist/index.js"
import { writeFileSync } from "node:fs"
const results = await runSoak({ minutes: Number(process.argv[2]), rate: Number(process.argv[3]), seed: 1, faults: faultKinds, onSample: (s) => console.log(JSON.stringify([Math.round(s.atMs), s.host.heapBytes>>10, s.host.rssBytes>>20, s.host.handles, s.host.descriptors, Math.round(s.host.cpuMs), s.database.connections, s.database.outboxRows, s.load.issued, s.load.paid, s.load.violations, s.load.openPages, s.machineLoad])) })
writeFileSync("/tmp/wt/soak-data/four.json", JSON.stringify(results))
console.log(results.measured, results.logged, results.checked, results.violations.slice(0, 20), results.faults)
