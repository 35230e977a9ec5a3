import * as x509 from "@peculiar/x509"
import { createPrivateKey, webcrypto, X509Certificate } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const names = ["bank-ca.pem", "bank.pem", "bank.key", "client.pem", "client.key"] as const

/** Hosts are warned of certificates that end within 30 days. */
const renewedBeforeMs = 31 * 86_400_000

const read = (folder: string): Certificates =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")])) as Certificates

/** True if all files belong to one simulated bank and to this client. */
const areOurs = (files: Certificates, clientId: string): boolean => {
  try {
    const authority = new X509Certificate(files["bank-ca.pem"])
    const isSigned = (name: "bank" | "client"): boolean => {
      const certificate = new X509Certificate(files[`${name}.pem`])
      return (
        certificate.verify(authority.publicKey) && certificate.checkPrivateKey(createPrivateKey(files[`${name}.key`]))
      )
    }
    const isClient = new X509Certificate(files["client.pem"]).subject === `CN=${clientId}`
    return authority.subject === authorityName && isSigned("bank") && isSigned("client") && isClient
  } catch {
    return false
  }
}

const endsSoon = (files: Certificates): boolean =>
  Date.parse(new X509Certificate(files["bank-ca.pem"]).validTo) < Date.now() + renewedBeforeMs

const write = (folder: string, files: Certificates): void => {
  // A folder with only the bank's files contains nothing that belongs in a repository.
  if (mkdirSync(folder, { recursive: true }) !== undefined) writeFileSync(join(folder, ".gitignore"), "*\n")
  for (const name of names) {
    rmSync(join(folder, name), { force: true })
    writeFileSync(join(folder, name), files[name], { flag: "wx", mode: name.endsWith(".key") ? 0o600 : 0o644 })
  }
}

const open = async (folder: string, clientId: string): Promise<Certificates> => {
  const present = names.filter((name) => existsSync(join(folder, name)))
  if (present.length > 0) {
    const known = present.length === names.length ? read(folder) : undefined
    if (known === undefined || !areOurs(known, clientId)) {
      throw new Error(
        `${folder} has files from elsewhere, or only some of the simulated bank's: ${present.join(", ")}. Name another folder by --dir, or move them away`,
      )
    }
    if (!endsSoon(known)) return known
  }
  const made = await makeCertificates(clientId)
  write(folder, made)
  return made
}

/**
 * The certificates in a folder, from an earlier start, or new ones if they are missing or end soon. Rejects for an unusable
 * folder, and for foreign files with these names, which stay unchanged.
 */
export const openCertificates = async (folder: string, clientId: string): Promise<Certificates> => {
  try {
    return await open(folder, clientId)
  } catch (error) {
    const { code } = Object(error) as { readonly code?: unknown }
    if (typeof code !== "string") throw error
    throw new Error(`the folder ${folder} can't be used (${code}): name another by --dir`, { cause: error })
  }
}

x509.cryptoProvider.set(webcrypto as never)

/** PEM by file name. */
export type Certificates = Readonly<
  Record<"bank-ca.pem" | "bank.pem" | "bank.key" | "client.pem" | "client.key", string>
>

/** The authority's subject. A later start recognizes its certificates by this. */
const authorityName = "CN=Simulated bank of pixcharge"

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

/** Banks use the same certificate as clients when they call a host's webhook. */
const serverUses = new x509.ExtendedKeyUsageExtension([
  x509.ExtendedKeyUsage.serverAuth,
  x509.ExtendedKeyUsage.clientAuth,
])

const clientUses = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])

/** The bank's and the client's certificates, which a new authority signs and which are valid for a year. */
const makeCertificates = async (clientId: string): Promise<Certificates> => {
  const now = Date.now()
  // The certificates are valid since yesterday, because clocks differ a little.
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
