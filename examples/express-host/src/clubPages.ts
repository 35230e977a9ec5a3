import type { PlainCharge, PlainRecurrence } from "@pixcharge/embed"
import { randomUUID } from "node:crypto"
import { button, escape, formatCents, formatDay, page } from "./pages.ts"

export const clubPage = (amountCents: number, problem = ""): string =>
  page(
    "Clube do café",
    `<p>Um café por mês, por ${formatCents(amountCents)} no Pix Automático.</p>
<p role="alert">${problem}</p>
<form method="post" action="/club">
<input type="hidden" name="id" value="${randomUUID()}">
<p><label>Nome <input name="name" required></label></p>
<p><label>CPF <input name="taxId" required placeholder="529.982.247-25"></label></p>
<button>Assinar</button>
</form>
<p><a href="/">Produtos</a></p>`,
  )

const states: Readonly<Record<PlainRecurrence["status"], string>> = {
  requested: "Em registro no banco",
  offered: "Aguardando a autorização",
  approved: "Assinatura ativa",
  ending: "Em encerramento",
  ended: "Encerrada",
}

/** A month's charge. While a failed debit is tried again, the page names the next day. */
const describeMonth = ({ dueDate, status, debit }: PlainCharge): string => {
  const day = formatDay(dueDate ?? "")
  if (status === "paid") return `${day}: pago`
  if (debit?.nextAttemptOn) return `${day}: sem saldo, nova tentativa em ${formatDay(debit.nextAttemptOn)}`
  return `${day}: ${status === "pending" ? "a debitar" : "não debitado"}`
}

export const memberPage = (member: PlainRecurrence, months: ReadonlyArray<PlainCharge>, link: string): string => {
  const { id, title, status, skipped = [] } = member
  const at = `/club/${id}`
  const next = member._tag === "Approved" ? member.nextDueDate : undefined
  return page(
    title,
    `<p>${escape(member.payer?.name ?? "")}</p>
<p role="status">${states[status]}</p>
${next ? `<p>Próxima cobrança: ${formatDay(next)}</p>` : ""}
${skipped.length > 0 ? `<p>Meses pulados: ${skipped.map(([from, to]) => `do ${from}º ao ${to}º`).join(", ")}</p>` : ""}
<ul>${months.map((month) => `<li>${describeMonth(month)}</li>`).join("")}</ul>
${status === "offered" ? `<p><a href="${escape(link)}">Autorizar no app do banco</a></p>${button(`${at}/approve`, "Sandbox: fazer o papel do pagador")}` : ""}
${
  status === "approved"
    ? button(`${at}/pause`, "Pausar dois meses") +
      button(`${at}/no-balance`, "Sandbox: deixar o próximo débito sem saldo") +
      button(`${at}/wait/day`, "Sandbox: avançar um dia") +
      button(`${at}/wait/week`, "Sandbox: avançar uma semana")
    : ""
}
<p><a href="${at}">Atualizar</a></p>
<p><a href="/">Produtos</a></p>`,
  )
}
