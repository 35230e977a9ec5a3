import { callbackFetch } from "@pixcharge/callback-fetch"
import { type CommonOptions, createPix, type HostOptions, type SandboxPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory } from "@pixcharge/store-memory"

const integratorKey = "chave da loja"

export const cnpj = "12345678000195"

const company = { cnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com", integratorKey, graceDays: 5 }

/** A host of one company on the sandbox. */
export const openSandbox = (
  store: CommonOptions["store"],
  options: Partial<CommonOptions & HostOptions> = {},
): SandboxPix =>
  createPix({
    environment: "sandbox",
    store,
    directory: memoryDirectory({ companies: [company] }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    ...options,
  })

export const requestToken = async (pix: SandboxPix): Promise<string> => {
  const secret = Buffer.from(`${cnpj}|${integratorKey}`).toString("base64url")
  const answer = await pix.fetch(new Request(`http://localhost/api/token/${secret}`))
  return ((await answer.json()) as { readonly data: string }).data
}

/** The body of a charge's request, with any further fields. */
export const issueBody = (id: string, moreFields = ""): string =>
  `{"formaPagamento":{"tpTransacao":11,"idFaturaPag":"${id}","modPagamento":18,"valorPagamento":19.9},` +
  `"cliente":{"xNome":"Maria da Silva","documento":"12345678909"}${moreFields}}`
