import { webcrypto } from "node:crypto"
import * as x509 from "@peculiar/x509"

x509.cryptoProvider.set(webcrypto as never)

/** A certificate and its key in PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

export interface Authority {
  readonly ca: string
  /** Makes a client's certificate with the client's id as common name. */
  readonly forClient: (name: string, endsAt?: number) => Promise<Identity>
  /** Makes a server's certificate for 127.0.0.1 and these names. */
  readonly forServer: (names?: ReadonlyArray<string>) => Promise<Identity>
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const hourMs = 3_600_000

const newKeys = () =>
  webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as Promise<webcrypto.CryptoKeyPair>

const pemOfKey = async ({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", privateKey), "PRIVATE KEY")

/**
 * Makes a certificate authority that other programs don't trust. The authority and its certificates are valid for an
 * hour by default.
 */
export const makeAuthority = async (lastsMs = hourMs): Promise<Authority> => {
  const validity = (endsAt = Date.now() + lastsMs) => ({
    notBefore: new Date(Date.now() - lastsMs),
    notAfter: new Date(endsAt),
  })
  const keys = await newKeys()
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Autoridade de Teste",
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
    ...validity(),
  })
  let serial = 1
  const issue = async (name: string, extensions: Array<x509.Extension>, endsAt?: number): Promise<Identity> => {
    serial += 1
    const own = await newKeys()
    const cert = await x509.X509CertificateGenerator.create({
      serialNumber: serial.toString(16).padStart(4, "0"),
      subject: `CN=${name}`,
      issuer: root.subject,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions,
      ...validity(endsAt),
    })
    return { cert: cert.toString("pem"), key: await pemOfKey(own) }
  }
  return {
    ca: root.toString("pem"),
    forClient: (name, endsAt) => issue(name, [new x509.ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.2"])], endsAt),
    forServer: (names = []) =>
      issue("127.0.0.1", [
        new x509.SubjectAlternativeNameExtension([
          { type: "ip", value: "127.0.0.1" },
          ...names.map((value) => ({ type: "dns" as const, value })),
        ]),
      ]),
  }
}
