import type { Html } from "@pixcharge/web"
import { html } from "@pixcharge/web"
import { sealedTextField } from "../frame/makeView.ts"
import type { View } from "../frame/View.ts"
import { field, type FieldProblem } from "./field.ts"

export const textField = "busca"

export interface SoughtInput {
  readonly text: string
  /** The sealed text for the address, if the text is private. */
  readonly sealedText?: string
}

export const soughtTexts = {
  label: "Buscar",
  length: "Digite até 200 caracteres.",
  notInAddress:
    "Por privacidade, nomes e documentos não são lidos do endereço da página. Digite a busca neste campo e envie.",
  sealedOver: "Esta busca expirou ou é de outra pessoa. Digite-a neste campo e envie de novo.",
  searched:
    "O texto da busca fica criptografado no endereço desta página, para que nomes e documentos não apareçam em históricos nem em logs.",
}

const problem = (text: string): FieldProblem => ({ field: textField, text })

/** An id that doesn't identify a person: a txid, a UUID or an endToEndId. Tax ids and names have fewer digits. */
const publicId = /^(?:[\da-f-]{20,36}|(?=.*\d)[\da-z]{35}|E\d{8}[\dA-Za-z]{11,23})$/i

/** Whether a text may appear in a URL. Access logs and browsers keep URLs, so names and tax ids may not. */
const isPublicText = (text: string): boolean => text === "" || publicId.test(text)

export const findTextProblem = (text: string): FieldProblem | undefined =>
  text.length <= 200 ? undefined : problem(soughtTexts.length)

/** Reads the searched text of an address. Accepts a name or tax id only if it was sealed for this operator. */
export const readAddressText = async ({
  query,
  unseal,
}: View): Promise<SoughtInput & { readonly problem?: FieldProblem }> => {
  const text = (query.get(textField) ?? "").trim()
  const sealedText = query.get(sealedTextField)
  if (sealedText === null)
    return isPublicText(text) ? { text } : { text: "", problem: problem(soughtTexts.notInAddress) }
  const unsealed = await unseal(sealedText)
  return unsealed === undefined
    ? { text: "", problem: problem(soughtTexts.sealedOver) }
    : { text: unsealed, sealedText }
}

export const sealText = async ({ seal }: View, text: string): Promise<SoughtInput> =>
  isPublicText(text) ? { text } : { text, sealedText: await seal(text) }

export const textFields = ({ text, sealedText }: SoughtInput): Readonly<Record<string, string>> => {
  if (sealedText !== undefined) return { [sealedTextField]: sealedText }
  return text === "" ? {} : { [textField]: text }
}

export const textInput = (text: string, hint: string, wrong: FieldProblem | undefined): Html =>
  field(
    { name: textField, label: soughtTexts.label, hint, problem: wrong },
    (attributes) =>
      html`<input type="search" ${attributes} value="${text}" maxlength="200" autocomplete="off" spellcheck="false" />`,
  )
