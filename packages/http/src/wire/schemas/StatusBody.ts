import * as Schema from "effect/Schema"

const text = Schema.String.annotate({ description: "Uma frase para pessoas." })
const transactionId = Schema.String.annotate({ description: "O transacaoId da cobrança emitida.", format: "uuid" })
const reference = Schema.String.annotate({ description: "O idFaturaPag da cobrança, em minúsculas.", format: "uuid" })
const instant = (description: string) => Schema.String.annotate({ description, format: "date-time" })
const localInstant = (description: string) =>
  Schema.String.annotate({ description, pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$" })

/** Body of the 200 of `GET /api/pix/{idFaturaPag}` (docs/interface.md, Ask whether it was paid). */
export const StatusBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({
    retTexto: text,
    response: Schema.Struct({
      id: transactionId,
      referencia: reference,
      tpComando: Schema.Int.annotate({ description: "Sempre 1." }),
      dRetorno: instant("Quando o serviço soube do pagamento, em UTC."),
      msgOperador: text,
      viaCliente: Schema.String.annotate({ description: "Comprovante do pagador, em linhas." }),
      viaEstabelecimento: Schema.String.annotate({ description: "Comprovante da empresa, em linhas." }),
      tpConfirmacao: Schema.Int.annotate({ description: "Sempre 1." }),
      numCartao: Schema.String.annotate({ description: "Sempre vazio: campo de pagamentos com cartão." }),
      vLanc: Schema.Finite.annotate({ description: "O que foi pago, em reais, com multa e juros." }),
      dTransacao: instant("Quando o pagador pagou, em UTC."),
      arqRetorno: Schema.String.annotate({ description: "Sempre vazio: campo de pagamentos com cartão." }),
      dInsert: localInstant("Quando a cobrança foi criada, no relógio de Brasília, sem fuso horário."),
      dUpdate: localInstant("Quando a cobrança mudou pela última vez, no relógio de Brasília, sem fuso horário."),
    }).annotate({ identifier: "Transacao" }),
  }).annotate({ identifier: "DadosDoPagamento" }),
}).annotate({ identifier: "CobrancaPaga", description: "O pagamento, com os comprovantes." })

/** Body of the 200 of a simulated payment (decision 17). */
export const SimulationBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({ retTexto: text }).annotate({ identifier: "DadosDaSimulacao" }),
}).annotate({ identifier: "PagamentoSimulado", description: "O pagamento foi simulado, agora ou antes." })

/** Body of the 200 and 202 of `DELETE /api/pix/{idFaturaPag}` (decision 18). */
export const RefundBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({
    retTexto: text,
    transacaoId: transactionId,
    referencia: reference,
    vLanc: Schema.Finite.annotate({ description: "O valor do estorno, em reais: tudo o que foi pago." }),
    dRetorno: instant("Quando o dinheiro voltou, em UTC; no 202, quando o estorno foi pedido."),
  }).annotate({ identifier: "DadosDoEstorno" }),
}).annotate({ identifier: "Estorno", description: "O estorno do pagamento inteiro." })
