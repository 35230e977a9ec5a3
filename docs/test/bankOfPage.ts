import { startSimulatedBank } from "@pixcharge/simulated-bank"
import { freePort, makeAuthority, startPostgres } from "@pixcharge/verify/world"
import type { Surroundings } from "./runPage.ts"

const cnpj = "12345678000195"
const pixKey = "a2c4e6f8-1234-4abc-8def-0123456789ab"
const account = {
  cnpj,
  name: "Minha Loja",
  pixKeys: [pixKey],
  clientId: "minha-loja",
  clientSecret: "one of the bank's",
}

/**
 * What the pages about real money need: a bank over mutual TLS, whose payer pays the code as soon as it is printed, a
 * database and the settings. The operator ends a page's program where its last line is printed, which begins so.
 */
export const openSurroundings = async () => {
  const [authority, postgres, port] = await Promise.all([
    makeAuthority(),
    startPostgres(["-c", "fsync=off"]),
    freePort(),
  ])
  const [server, client] = await Promise.all([authority.forServer(), authority.forClient(account.clientId)])
  const bank = await startSimulatedBank({ accounts: [account], tls: { ...server, ca: authority.ca } })
  const surroundings = (lastLine: string): Surroundings => ({
    env: {
      DATABASE_URL: `${postgres.url}/postgres`,
      INTEGRATOR_KEY: "the key of the shop's integrators",
      PIX_KEY: pixKey,
      PIX_NOTICE_SECRET: "a secret of at least thirty-two bytes too",
      PIX_PEPPER: "a pepper of at least thirty-two bytes",
      PIX_SEALING_KEY: "a sealing key of thirty-two bytes or more",
      PIX_TOKEN_SECRET: "a secret of at least thirty-two bytes",
      PORT: String(port),
      PSP_CLIENT_ID: account.clientId,
      PSP_CLIENT_SECRET: account.clientSecret,
      PSP_URL: bank.baseUrl,
      PUBLIC_URL: `http://127.0.0.1:${port}/payments`,
    },
    files: { "certs/client.pem": client.cert, "certs/client.key": client.key, "certs/bank-ca.pem": authority.ca },
    onLine: (line, signal) => {
      const [charge] = bank.ledger.charges.values()
      if (line.startsWith("000201") && charge !== undefined) bank.pay(cnpj, charge.txid)
      if (line.startsWith(lastLine)) signal()
    },
  })
  const close = async (): Promise<void> => {
    await bank.close()
    await postgres.remove()
  }
  return { bank, surroundings, close }
}
