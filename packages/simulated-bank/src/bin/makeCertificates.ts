import { webcrypto } from "node:crypto"
import * as x509 from "@peculiar/x509"

x509.cryptoProvider.set(webcrypto as never)

/** What a simulated bank and its client prove themselves with, each in PEM, by the names of their files. */
export type Certificates = Readonly<
  Record<"bank-ca.pem" | "bank.pem" | "bank.key" | "client.pem" | "client.key", string>
>

/** The subject of the authority, by which its certificates are known again. */
export const authorityName = "CN=Simulated bank of pixcharge"

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const dayMs = 86_400_000

const makeKeys = () =>
  webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as Promise<webcrypto.CryptoKeyPair>

const writeKey = async ({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", privateKey), "PRIVATE KEY")

const serverNames = new x509.SubjectAlternativeNameExtension([
  { type: "dns", value: "localhost" },
  { type: "ip", value: "127.0.0.1" },
  { type: "ip", value: "::1" },
])

/** Banks show hosts the same certificate when they call a webhook. */
const serverUses = new x509.ExtendedKeyUsageExtension([
  x509.ExtendedKeyUsage.serverAuth,
  x509.ExtendedKeyUsage.clientAuth,
])

const clientUses = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])

/** Makes an authority that nobody else trusts, and by it the bank's certificate and the client's, valid for a year from now. */
export const makeCertificates = async (clientId: string): Promise<Certificates> => {
  const now = Date.now()
  // Clocks differ a little.
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + 365 * dayMs) }
  const [authority, bank, client] = await Promise.all([makeKeys(), makeKeys(), makeKeys()])
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: authorityName,
    keys: authority,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
    ...validity,
  })
  const sign = async (subject: string, { publicKey }: webcrypto.CryptoKeyPair, extensions: Array<x509.Extension>) => {
    const signingKey = authority.privateKey
    const terms = { subject, issuer: root.subject, publicKey, signingKey, signingAlgorithm: algorithm, extensions }
    return (await x509.X509CertificateGenerator.create({ ...terms, ...validity })).toString("pem")
  }
  return {
    "bank-ca.pem": root.toString("pem"),
    "bank.pem": await sign("CN=localhost", bank, [serverNames, serverUses]),
    "bank.key": await writeKey(bank),
    "client.pem": await sign(`CN=${clientId}`, client, [clientUses]),
    "client.key": await writeKey(client),
  }
}
