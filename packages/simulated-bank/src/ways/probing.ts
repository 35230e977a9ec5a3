import type { BankWays } from "../BankOptions.ts"
import type { BankAnswer } from "../problems.ts"

/** Looks by `GET` whether somebody is at a webhook's address, as some banks do before they register it. */
export const probedByGet =
  (refusal: () => BankAnswer): NonNullable<BankWays["probeWebhook"]> =>
  async (url) => {
    const status = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    )
    return status === 200 ? undefined : refusal()
  }
