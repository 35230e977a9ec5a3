import type { BankWays } from "../BankOptions.ts"
import type { BankAnswer } from "../problems.ts"

/** Probes a webhook's address by `GET`, as some banks do before they register it. */
export const probedByGet =
  (refusal: () => BankAnswer): NonNullable<BankWays["probeWebhook"]> =>
  async (url) => {
    const status = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    )
    return status === 200 ? undefined : refusal()
  }
