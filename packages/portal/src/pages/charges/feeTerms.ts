import { addDays, type LocalDate } from "@pixcharge/core/calendar"
import type { Discount, Interest } from "@pixcharge/core/money"
import type { PlainCharge } from "@pixcharge/embed"
import { formats } from "../../parts/formats.ts"
import { chargeTexts } from "./chargeTexts.ts"

const percent = new Intl.NumberFormat("pt-BR", { style: "percent", maximumFractionDigits: 2 })
const list = new Intl.ListFormat("pt-BR")

const texts = {
  interest: {
    fixedPerDay: "por dia",
    percentPerDay: "ao dia",
    percentPerMonth: "ao mês",
    percentPerYear: "ao ano",
  },
  perDayEarly: "por dia antes do vencimento",
  until: (share: string, day: string) => `${share} até ${day}`,
  days: { calendar: "", business: " (dias úteis)" },
}

type Share = { readonly amountCents: number } | { readonly basisPoints: number }

const shareText = (share: Share): string =>
  "amountCents" in share ? formats.reais(share.amountCents) : percent.format(share.basisPoints / 10_000)

const interestText = (interest: Interest): string =>
  `${shareText(interest)} ${texts.interest[interest.kind]}${texts.days[interest.days]}`

const discountText = (discount: Discount, dueDate: LocalDate): string =>
  "tiers" in discount
    ? list.format(
        discount.tiers.map((tier) => texts.until(shareText(tier), formats.day(addDays(dueDate, -tier.daysBefore)))),
      )
    : `${shareText(discount)} ${texts.perDayEarly}${texts.days[discount.days]}`

/** The fees of a due-date charge, whether they apply today or not. */
export const feeTerms = ({ fees, dueDate }: PlainCharge): ReadonlyArray<readonly [string, string | undefined]> => {
  const { fine, interest, abatement, discount } = fees ?? {}
  return [
    [chargeTexts.fine, fine && shareText(fine)],
    [chargeTexts.interest, interest && interestText(interest)],
    [chargeTexts.abatement, abatement && shareText(abatement)],
    [chargeTexts.discount, discount && dueDate && discountText(discount, dueDate)],
  ]
}
