const guides = ["README", "express", "fastify", "hono", "nestjs", "nextjs", "bun", "deno"]

/**
 * The Portuguese pages that aren't the translation of one page, each with the English pages that have its facts and
 * code.
 */
export const composedPages: Readonly<Record<string, ReadonlyArray<string>>> = {
  "docs/pt-BR/api-pix.md": ["docs/api-pix.md"],
  "docs/pt-BR/bancos.md": ["docs/banks.md", "docs/api-pix.md"],
  "docs/pt-BR/hosts.md": guides.map((name) => `docs/hosts/${name}.md`),
  "docs/pt-BR/opcoes.md": ["docs/options.md"],
  "docs/pt-BR/operacao.md": [
    ...["README", "audit", "books", "database", "failover", "keys", "monitoring", "restore", "run"].map(
      (name) => `docs/operations/${name}.md`,
    ),
    "docs/refunds.md",
  ],
  "docs/pt-BR/perguntas-frequentes.md": ["docs/faq.md", "docs/api-pix.md", "docs/first-steps.md", "docs/lists.md"],
}
