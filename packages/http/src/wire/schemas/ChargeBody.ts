import * as Schema from "effect/Schema"

/** Body of `POST /api/pix` (docs/interface.md, Fields of the request). Unknown keys are ignored (decision 5). */
export const ChargeBody = Schema.Struct({
  formaPagamento: Schema.Struct({
    tpTransacao: Schema.Literal(11).annotate({ description: "Tipo da transação; 11 é PIX." }),
    idFaturaPag: Schema.String.annotate({
      description: "Identificador da cobrança, escolhido por quem chama: um UUID novo para cada cobrança da empresa.",
      format: "uuid",
    }),
    modPagamento: Schema.Literal(18).annotate({ description: "Modalidade do pagamento; 18 é PIX." }),
    valorPagamento: Schema.Finite.annotate({
      description: "Valor em reais, com no máximo duas casas decimais.",
      minimum: 0.01,
      maximum: 9_999_999_999.99,
    }),
    dataVencimento: Schema.optionalKey(
      Schema.String.annotate({
        description:
          "Vencimento no calendário de Brasília, AAAA-MM-DD ou AAAA-MM-DDTHH:mm:ss, sem fuso horário; a hora é ignorada. Sem este campo, a cobrança é imediata.",
        pattern: "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2})?$",
      }),
    ),
  }).annotate({ identifier: "FormaPagamento", description: "O que se cobra." }),
  cliente: Schema.optionalKey(
    Schema.Struct({
      xNome: Schema.String.annotate({
        description: "Nome completo, sem caracteres de controle.",
        minLength: 1,
        maxLength: 200,
      }),
      documento: Schema.String.annotate({
        description: "CPF ou CNPJ, com ou sem pontuação; o CNPJ pode ter letras.",
      }),
    }).annotate({
      identifier: "Cliente",
      description: "O pagador. Sem este campo, vale o pagador genérico da empresa.",
    }),
  ),
}).annotate({ identifier: "PedidoDeCobranca", description: "Pedido de uma cobrança, imediata ou com vencimento." })

/** Body of the 200 that answers `POST /api/pix` (docs/interface.md, The answer). */
export const ChargeReplyBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.Struct({
    retTexto: Schema.String.annotate({ description: "Uma frase para pessoas." }),
    retUrl: Schema.String.annotate({ description: "PIX copia e cola: o BR Code a mostrar como QR Code." }),
    transacaoId: Schema.String.annotate({
      description: "Identificador da transação, gerado pelo serviço.",
      format: "uuid",
    }),
    expira: Schema.String.annotate({
      description: "Até quando o pagamento é garantido, em UTC.",
      format: "date-time",
    }),
  }).annotate({ identifier: "DadosDaCobranca" }),
}).annotate({ identifier: "CobrancaEmitida", description: "A cobrança emitida." })
