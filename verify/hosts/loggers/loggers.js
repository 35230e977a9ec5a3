/** Logs an error with each logger. The log must have the message as a string, and its facts as fields. */
import { configure, getLogger, getStreamSink, jsonLinesFormatter } from "@logtape/logtape"
import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { postgresStore } from "@pixcharge/store-postgres"
import bunyan from "bunyan"
import { createConsola } from "consola"
import assert from "node:assert/strict"
import { Console } from "node:console"
import { Writable } from "node:stream"
import { pino } from "pino"
import winston from "winston"

const winstonOn = (stream, format) =>
  winston.createLogger({ format, transports: [new winston.transports.Stream({ stream })] })

const logtapeOn = async (stream) => {
  const sink = getStreamSink(Writable.toWeb(stream), { formatter: jsonLinesFormatter })
  const loggers = [
    { category: "shop", sinks: ["stream"] },
    { category: ["logtape", "meta"], lowestLevel: "error", sinks: [] },
  ]
  await configure({ sinks: { stream: sink }, loggers })
  return getLogger("shop")
}

const loggers = {
  console: (stream) => new Console(stream),
  pino: (stream) => pino(stream),
  bunyan: (stream) => bunyan.createLogger({ name: "shop", streams: [{ level: "debug", stream }] }),
  consola: (stream) => createConsola({ stdout: stream, stderr: stream, fancy: false }),
  "winston, JSON": (stream) => winstonOn(stream, winston.format.json()),
  "winston, simple": (stream) => winstonOn(stream, winston.format.simple()),
  LogTape: logtapeOn,
}

const down = { query: () => Promise.reject(Object.assign(new Error("down"), { code: "42501" })) }
const companies = [{ cnpj: "12345678000195", name: "Loja", city: "Recife", pixKey: "loja@example.com" }]

for (const [name, make] of Object.entries(loggers)) {
  let printed = ""
  const stream = new Writable({ write: (chunk, _, done) => ((printed += chunk), done()) })
  const logger = await make(stream)
  const pix = createPix({
    environment: "sandbox",
    store: postgresStore({ db: down }),
    processor: sandboxProcessor(),
    companies,
    logger,
  })
  await pix.fetch(new Request("http://localhost/api/pix/x"))
  await pix.dispose()
  await new Promise((resolve) => setImmediate(resolve))
  assert.match(printed, /pixcharge could not start/, name)
  assert.match(printed, /BootFailure/, name)
  assert.doesNotMatch(printed, /\[object Object\]/, name)
}
