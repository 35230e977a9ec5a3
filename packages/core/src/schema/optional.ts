import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaParser from "effect/SchemaParser"

export const optional = <S extends Schema.Codec<unknown, unknown>>(field: S) =>
  Schema.optionalKey(
    Schema.declareConstructor<S["Type"] | undefined>()(
      [field],
      ([codec]) => {
        const decode = SchemaParser.decodeUnknownEffect(codec)
        return (given, _ast, options) => (given === undefined ? Effect.undefined : decode(given, options))
      },
      {
        toCodecJson: ([codec]) =>
          Schema.link<S["Type"] | undefined>()(codec, {
            decode: SchemaGetter.passthrough(),
            encode: SchemaGetter.transformOptional(Option.filter(Predicate.isNotUndefined)),
          }),
      },
    ),
  )
