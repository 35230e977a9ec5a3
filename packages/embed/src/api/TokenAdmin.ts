import { InvalidOption } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import type { Calls } from "./calls.ts"

/** A host's control over integrators' tokens. */
export interface TokenAdmin {
  /**
   * Ends one token by its id, the `jti` of its payload: immediately in this process, within 5 s in others. Replace an
   * integrator's key to end all its tokens. Rejects with `InvalidTokenId`.
   */
  readonly revoke: (id: string) => Promise<void>
  /**
   * Signs strings that a host hands out and takes back. Each purpose has its own key, derived from the first of `tokens.keys`;
   * all of `tokens.keys` verify. A sandbox's signature is invalid in production. Throws `InvalidOption` without a purpose.
   *
   * @example
   * const forms = pix.tokens.signatures("my forms")
   * if (!(await forms.verify(text, await forms.sign(text)))) throw new Error("somebody changed it")
   */
  readonly signatures: (purpose: string) => TextSignature
}

export interface TextSignature {
  /** The signature of a string, safe in a URL. */
  readonly sign: (text: string) => Promise<string>
  /** Whether the signature was made for this string and purpose; false for any other value. */
  readonly verify: (text: string, signature: string) => Promise<boolean>
}

const checkPurpose = (purpose: string): string => {
  if (typeof purpose === "string" && purpose !== "") return purpose
  throw new InvalidOption({ message: "tokens.signatures needs a purpose, as text." })
}

const checkSigned = (text: string): Effect.Effect<string, InvalidOption> =>
  typeof text === "string"
    ? Effect.succeed(text)
    : Effect.fail(new InvalidOption({ message: "tokens.signatures signs texts only." }))

export const makeTokenAdmin = ({ run }: Calls<Services>, canSign: boolean): TokenAdmin => ({
  revoke: (id) => run(({ tokens }) => tokens.revoke(id)),
  signatures: (given) => {
    if (!canSign) {
      throw new InvalidOption({ message: "tokens.signatures needs the option tokens of createPix: its keys sign." })
    }
    const purpose = checkPurpose(given)
    return {
      sign: (text) =>
        run(({ signatures }) => Effect.map(checkSigned(text), (checked) => signatures.of(purpose).sign(checked))),
      verify: (text, signature) =>
        run(({ signatures }) =>
          Effect.sync(
            () =>
              typeof text === "string" &&
              typeof signature === "string" &&
              signatures.of(purpose).verify(text, signature),
          ),
        ),
    }
  },
})
