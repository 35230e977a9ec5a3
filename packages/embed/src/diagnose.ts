import type { Diagnosable, DiagnosisOrder, Finding } from "@pixcharge/core"
import { defaultKinds, usualKinds } from "@pixcharge/core/charges"
import { anObject, checkOptions, type OptionRules } from "@pixcharge/core/internal"
import { tokenOptionsFlaw } from "@pixcharge/http"
import type { PixOptions } from "./options.ts"

const orderRules: OptionRules<DiagnosisOrder> = {
  companies: { ...anObject, mustBe: "an object of PIX keys by CNPJ" },
  walk: { ...anObject, mustBe: "{ inProduction, waitMs }, and webhookUrl if one may be registered" },
}

const checkSecrets = ({ tokens }: PixOptions): Finding => {
  if (tokens === undefined) {
    return { check: "secrets", status: "ok", message: "the option tokens is missing: no integrator can authenticate" }
  }
  const flaw = tokenOptionsFlaw(tokens)
  return flaw === undefined
    ? { check: "secrets", status: "ok", message: "the secrets of tokens are long enough" }
    : { check: "secrets", status: "failed", message: flaw }
}

/** Warns of callbacks of listed companies whose kinds aren't published. */
const checkKinds = ({ companies = [], events = defaultKinds }: PixOptions): ReadonlyArray<Finding> => {
  const published = new Set<string>(["test", ...events])
  const wanted = new Set(
    companies.flatMap(({ callback }) => callback?.kinds ?? (callback === undefined ? [] : usualKinds)),
  )
  const missing = [...wanted].filter((kind) => !published.has(kind))
  if (missing.length === 0) return []
  const message = `callbacks name kinds that aren't published: add ${missing.join(", ")} to the option events`
  return [{ check: "events", status: "failed", message }]
}

const ask = async (
  part: string,
  adapter: Diagnosable | undefined,
  order: DiagnosisOrder,
): Promise<ReadonlyArray<Finding>> => {
  try {
    return (await adapter?.diagnose?.(order)) ?? []
  } catch {
    return [{ check: part, status: "failed", message: "the check failed: see what this adapter needs" }]
  }
}

/** Checks the adapters without a boot. Rejects with `InvalidOption` for an invalid order. */
export const diagnose = async (options: PixOptions, order: DiagnosisOrder): Promise<ReadonlyArray<Finding>> => {
  checkOptions("pix.diagnose", order, orderRules)
  const parts = ["store", "directory", "processor", "callbacks"] as const
  const found = await Promise.all(parts.map((part) => ask(part, options[part], order)))
  return [checkSecrets(options), ...checkKinds(options), ...found.flat()]
}
