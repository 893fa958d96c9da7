/** What an identity token says of itself, its signature not looked at. */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownOption(Schema.parseJson(Schema.Struct({ nonce: Schema.String })))

/** The nonce in the payload of an identity token (OpenID Connect Core, 3.2.2.11); `None` when there is none to be read. */
export const nonce = (token: string): Option.Option<string> => {
  const [, payload = ""] = token.split(".")
  return Option.map(
    Option.flatMap(Either.getRight(Encoding.decodeBase64UrlString(payload)), decode),
    ({ nonce }) => nonce,
  )
}
