import type { BankWays, PublishedWays } from "../wire/BankOptions.ts"
import type { Fields } from "../wire/json.ts"
import { combine, type Reshape, withCharges } from "./reshaping.ts"

/** The CRC-16/CCITT-FALSE of a code. */
const checksum = (text: string): string => {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
  }
  return (crc & 0xffff).toString(16).toUpperCase().padStart(4, "0")
}

const tlv = (id: string, value: string): string => `${id}${String(value.length).padStart(2, "0")}${value}`

/** The code with the bank's field 27 after field 26, always the same for a charge. */
const withOwnField = (code: string, id: string): string => {
  const from = code.indexOf("26", 6)
  const to = from + 4 + Number(code.slice(from + 2, from + 4))
  const ownField = tlv("27", tlv("00", "BR.COM.PAGSEGURO") + tlv("01", id))
  const open = `${code.slice(0, to)}${ownField}${code.slice(to, -4)}`
  return `${open}${checksum(open)}`
}

/** Location ids exceed the exact JSON numbers, and seconds are strings. */
const chargeLike = ({ loc, calendario, pixCopiaECola, ...rest }: Fields): Fields => ({
  ...rest,
  calendario: { ...(calendario as Fields), expiracao: String((calendario as Fields)["expiracao"]) },
  loc: { ...(loc as Fields), id: 4_883_583_657_504_889_000, tipoCob: "COB" },
  urlImagemQrCode: "https://api.pagseguro.invalid/qrcode.png",
  ...(typeof pixCopiaECola === "string" && { pixCopiaECola: withOwnField(pixCopiaECola, String(rest["txid"])) }),
})

const withRefusals: Reshape = (answer, { method, path, isElsewhere }) => {
  const [, resource, , part] = path.split("/")
  const { status } = answer
  if (isElsewhere || resource === "cobv") return { status: 403, body: { message: "Forbidden" } }
  if (status === 400 && method === "PUT" && part === "devolucao") {
    return { status, body: { error_messages: [{ code: "40002", description: "O id da devolução já foi utilizado" }] } }
  }
  return answer
}

const reshape = combine(withRefusals, withCharges(chargeLike))

const both: Partial<BankWays> = {
  apiRoot: "/instant-payments",
  tokenPath: "/pix/oauth2",
  token: {
    client: "header",
    content: "json",
    scope: "required",
    scopes: ["cob", "pix", "webhook", "payloadlocation"].flatMap((of) => [`${of}.read`, `${of}.write`]),
    query: {},
  },
  tokenLifetimeSeconds: 31_536_000,
  kinds: ["cob"],
  lacks: ["POST cob", "GET loc {id} qrcode"],
  code: "ofAnother",
  reshape,
}

/**
 * PagBank. Sources: https://dev.pagbank.uol.com.br/reference/primeiros-passos, its collection of calls
 * (https://documenter.getpostman.com/view/10863174/TVetc6HV), its forum (https://developer.pagbank.com.br/discuss) and a
 * charge of its production of March 2023; read 2026-11-22.
 */
export const pagbank: PublishedWays = {
  production: { ...both, hosts: { api: "secure.api.pagseguro.com", token: "secure.api.pagseguro.com" } },
  sandbox: { ...both, hosts: { api: "secure.sandbox.api.pagseguro.com", token: "secure.sandbox.api.pagseguro.com" } },
}
