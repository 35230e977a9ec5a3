// A host: pixcharge over Postgres and API Pix, as it is installed beside this file. Whoever forks it makes its calls.
// It uses only what each release has that can run beside this one (docs/upgrading.md), for it also runs on those.
import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { apiPix } from "@pixcharge/processor-api-pix"
import { postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import pg from "pg"

const quiet = () => {}
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const secret = "a secret of hosts that are killed"
const ring = [{ kid: "1", secret }]

/** Nobody is there any more to be told. */
const tell = (message) => process.send?.(message, undefined, undefined, quiet)

let pool
let pix

const start = async ({ port, bank, companies, isPassive }) => {
  pool = new pg.Pool({ host: "127.0.0.1", port, user: "postgres", database: "postgres", max: 8 })
  const psp = apiPix({
    companies: Object.fromEntries(
      companies.map(({ cnpj, clientId, clientSecret }) => [cnpj, { baseUrl: bank, clientId, clientSecret, fetch }]),
    ),
    noticeSecrets: [secret],
  })
  pix = createPix({
    environment: "production",
    store: postgresStore({ db: pool }),
    directory: postgresDirectory({ db: pool, pepper: ring, sealingKey: ring }),
    processor: psp.processor,
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    tokens: { keys: ring },
    logger,
    ...(isPassive && { background: false }),
  })
  await pix.ready()
}

/** A call of `pix`, such as `["directory", "putCompany"]`; a list that has no end comes as a whole. */
const call = async ([...path], args) => {
  const method = path.pop()
  const target = path.reduce((of, name) => of[name], pix)
  const answer = await target[method](...args)
  if (answer?.[Symbol.asyncIterator] === undefined) return answer
  const all = []
  for await (const one of answer) all.push(one)
  return all
}

const commands = {
  start,
  call: ({ path, args }) => call(path, args),
  /** As a host that is told of another primary: connections that are made from now on go there. */
  pointTo: ({ port }) => {
    pool.options.port = port
  },
  dispose: () => pix.dispose(),
}

process.on("message", async ({ id, command, ...given }) => {
  try {
    tell({ id, answer: await commands[command](given) })
  } catch (error) {
    tell({ id, error: { tag: String(error._tag ?? error.name), message: String(error.message) } })
  }
})
process.on("disconnect", () => process.exit(0))
tell({ id: 0, answer: "loaded" })
