import * as sdk from "sdk-node-apis-efi"

interface Schema {
  readonly safeParse: (value: unknown) => {
    readonly success: boolean
    readonly error?: {
      readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<PropertyKey>; readonly message: string }>
    }
  }
}

const otherNames: Readonly<Record<string, string>> = { pixReceivedList: "pixListReceived" }

/** The SDK's schema of a method's part; undefined if it has none. */
export const schemaOf = (method: string, part: "Params" | "Body" | "Response"): Schema | undefined => {
  const name = otherNames[method] ?? method
  const exported = `${name.charAt(0).toUpperCase()}${name.slice(1)}${part}Schema`
  return (sdk as unknown as Readonly<Record<string, Schema>>)[exported]
}

export const listFlaws = (schema: Schema | undefined, value: unknown): ReadonlyArray<string> =>
  (schema?.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`)

/** The SDK's methods for API Pix, including calls that only Efí has. */
export const pixMethods: ReadonlyArray<string> = Object.getOwnPropertyNames(sdk.EfiPay.prototype).filter((name) =>
  name.startsWith("pix"),
)

export const methods: Readonly<Record<string, string>> = {
  "POST cob": "pixCreateImmediateCharge",
  "PUT cob {id}": "pixCreateCharge",
  "PATCH cob {id}": "pixUpdateCharge",
  "PUT cobv {id}": "pixCreateDueCharge",
  "PATCH cobv {id}": "pixUpdateDueCharge",
  "PUT pix {id} devolucao": "pixDevolution",
  "POST loc": "pixCreateLocation",
  "PUT webhook {id}": "pixConfigWebhook",
  "PUT webhookrec": "pixConfigWebhookRecurrenceAutomatic",
  "PUT webhookcobr": "pixConfigWebhookAutomaticCharge",
  "POST rec": "pixCreateRecurrenceAutomatic",
  "PATCH rec {id}": "pixUpdateRecurrenceAutomatic",
  "POST solicrec": "pixCreateRequestRecurrenceAutomatic",
  "PATCH solicrec {id}": "pixUpdateRequestRecurrenceAutomatic",
  "POST cobr": "pixCreateAutomaticCharge",
  "PUT cobr {id}": "pixCreateAutomaticChargeTxid",
  "PATCH cobr {id}": "pixUpdateAutomaticCharge",
}

export const bodySchemaOf = (call: string): Schema | undefined => schemaOf(methods[call] ?? "", "Body")
