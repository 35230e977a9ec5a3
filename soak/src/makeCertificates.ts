import { webcrypto } from "node:crypto"
import * as x509 from "@peculiar/x509"

x509.cryptoProvider.set(webcrypto as never)

/** A certificate and its key in PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

/** What both sides of mutual TLS need: the authority, the server's identity, and the clients' by name. */
export interface Certificates {
  readonly ca: string
  readonly server: Identity
  readonly clients: Readonly<Record<string, Identity>>
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const dayMs = 86_400_000
const ofClient = new x509.ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.2"])
const ofServer = new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }])

const newKeys = () =>
  webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as Promise<webcrypto.CryptoKeyPair>

const validity = () => ({ notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + 60 * dayMs) })

/** Certificates of an authority of this run's own, good for two months. */
export const makeCertificates = async (clientIds: ReadonlyArray<string>): Promise<Certificates> => {
  const signing = await newKeys()
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Autoridade de Teste",
    keys: signing,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
    ...validity(),
  })
  const issue = async (name: string, serial: number, extension: x509.Extension): Promise<Identity> => {
    const own = await newKeys()
    const cert = await x509.X509CertificateGenerator.create({
      serialNumber: serial.toString(16).padStart(4, "0"),
      subject: `CN=${name}`,
      issuer: root.subject,
      publicKey: own.publicKey,
      signingKey: signing.privateKey,
      signingAlgorithm: algorithm,
      extensions: [extension],
      ...validity(),
    })
    const key = await webcrypto.subtle.exportKey("pkcs8", own.privateKey)
    return { cert: cert.toString("pem"), key: x509.PemConverter.encode(key, "PRIVATE KEY") }
  }
  const clients = await Promise.all(clientIds.map(async (id, at) => [id, await issue(id, at + 3, ofClient)] as const))
  return {
    ca: root.toString("pem"),
    server: await issue("127.0.0.1", 2, ofServer),
    clients: Object.fromEntries(clients),
  }
}
