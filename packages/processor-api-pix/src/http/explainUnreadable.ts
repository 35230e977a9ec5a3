const sentences: ReadonlyArray<readonly [sign: RegExp, sentence: string]> = [
  [
    /^unsupported pkcs12/i,
    "its pfx is encrypted in an old way (RC2) that OpenSSL 3 doesn't read: write it as PEM with " +
      "`openssl pkcs12 -legacy -in client.p12 -nodes -out client.pem`, and give that file as cert and as key",
  ],
  [/mac verify failure/i, "its passphrase doesn't open its pfx"],
]

/** Why a certificate or key of ours can't be read, as far as what OpenSSL says of it shows. */
export const explainUnreadable = (error: unknown): string => {
  const said = error instanceof Error ? error.message : ""
  const known = sentences.find(([sign]) => sign.test(said))
  return known?.[1] ?? "its certificate or key can't be read"
}
