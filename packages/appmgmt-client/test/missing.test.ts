/** What a 404 proves, and what it leaves open: names and addresses that a service repeats, and words that are no service's. */
import { describe, expect, it } from "@effect/vitest"
import { AppName, Email } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ada, anyLayer, ask, shop } from "./harness.js"

const gone = (body: unknown) => Reply.json(body, { status: 404 })

/** What is no proof, after an attempt that may have been carried out, that the user is gone. */
const open = [
  ["a page of a gateway", Reply.text("<h1>default backend - 404</h1>", { status: 404 })],
  ["nothing", Reply.empty(404)],
  ["JSON without words", gone({ statusCode: 404 })],
  ["words for a path", gone({ code: "Not Found", message: "There is no such path." })],
  ["words for a route", gone({ message: "no Route matched with those values" })],
  ["words for a URI", gone({ message: "No handler for this URI" })],
  ["words for a URL", gone({ message: "Unknown URL, even for a user" })],
  ["words for an endpoint", gone({ message: "These endpoints do not exist" })],
  ["words for a resource", gone({ statusCode: 404, message: "Resource not found" })],
  ["a code for a resource", gone({ code: "ResourceNotFound", message: "Gone" })],
  ["a code for both", gone({ code: "UserNotInApp" })],
  ["words for both", gone({ message: "The app does not exist, or the user has no access to it." })],
] as const

/** Names, what a service that repeats them says, and what that is: asked once, and asked again after a lost answer. */
const repeating = [
  ["contoso", "user-portal", ada, "App contoso/user-portal was not found", "AppNotFound", "AppNotFound"],
  ["contoso", "member area", ada, `The app "member area" of contoso is unknown`, "AppNotFound", "AppNotFound"],
  ["users", "shop", ada, "There is no application users/shop", "AppNotFound", "AppNotFound"],
  ["contoso", "shop", "user@app.example", "No app for user@app.example", "AppNotFound", "AppNotFound"],
  ["contoso", "user-portal", ada, "No app user-portal: user-portal is unknown", "AppNotFound", "AppNotFound"],
  // In another case, and as they are written in an address.
  ["Contoso", "User-Portal", ada, "App contoso/user-portal was not found", "AppNotFound", "AppNotFound"],
  ["contoso", "member area", ada, "No app at member%20area", "AppNotFound", "AppNotFound"],
  ["contoso", "member area", ada, "No app contoso%2Fmember%20area", "AppNotFound", "AppNotFound"],
  ["contoso", "übung-user", ada, "No app %C3%9Cbung-user", "AppNotFound", "AppNotFound"],
  ["contoso", "shop", "50%75ser@x.example", "No app for 50%75ser@x.example", "AppNotFound", "AppNotFound"],
  ["contoso", "shop", ada, "No app is 100%ff sure", "AppNotFound", "AppNotFound"],
  // One name within another.
  ["my users", "my", ada, "No app of my users", "AppNotFound", "AppNotFound"],
  ["my", "my users", ada, "No app my users", "AppNotFound", "AppNotFound"],
  // A name that is a part of words is no word.
  ["contoso", "pp", ada, "The app is unknown", "AppNotFound", "AppNotFound"],
  ["contoso", "p", ada, "The app is unknown", "AppNotFound", "AppNotFound"],
  ["contoso", "a", ada, "The app is unknown", "AppNotFound", "AppNotFound"],
  ["contoso", "a.p", ada, "The app is unknown", "AppNotFound", "AppNotFound"],
  // A name that is the very word which would have told.
  ["contoso", "app", ada, "The app was not found.", "NotFound", "NotFound"],
  ["contoso", "(app", ada, "The (app is unknown", "NotFound", "NotFound"],
  ["contoso", "path", ada, "There is no such path", "NotFound", "NotFound"],
  ["user", "shop", ada, "No such user", "NotFound", "NotFound"],
  ["contoso", "app", ada, "The user was not found in app.", "UserNotFound", "RemovedEarlier"],
  // Who is named by the address is the user.
  ["contoso", "shop", "ada@app.example", "ada@app.example was not found", "NotFound", "RemovedEarlier"],
  ["contoso", "shop", "ada@app.example", "ADA%40app.example was not found", "NotFound", "RemovedEarlier"],
  // Whoever repeats the address of the request speaks of that, and of nothing in it.
  [
    "contoso",
    "shop",
    ada,
    "No HTTP resource was found that matches the request URI 'https://x.example/v0.1/apps/contoso/shop/users/ada%40contoso.example'",
    "NotFound",
    "NotFound",
  ],
  ["contoso", "shop", ada, "Cannot DELETE /v0.1/apps/contoso/shop/users/ada%40contoso.example", "NotFound", "NotFound"],
  ["contoso", "a b", ada, "Cannot DELETE /v0.1/apps/contoso/a%20b/users/ada@contoso.example", "NotFound", "NotFound"],
  ["Contoso", "a b", ada, "Nothing at /apps/contoso/a b/users/ada@contoso.example", "NotFound", "NotFound"],
  [
    "contoso",
    "shop",
    ada,
    "Nothing at app.example/v0.1/apps/contoso/shop/users/ada%40contoso.example.",
    "NotFound",
    "NotFound",
  ],
] as const

describe("a removal", () => {
  const remove = (replies: ReadonlyArray<Reply.Reply>, { app, email } = { app: shop, email: ada }) =>
    ask(replies, (apps) => apps.removeUser(app, email)).pipe(Effect.provide(anyLayer))

  it.scopedLive.each(repeating)("of %s/%s and %s, %j is %s, and %s after a lost answer", (row) =>
    Effect.gen(function* () {
      const [owner, app, address, message, first, again] = row
      const names = { app: AppName.make(owner, app), email: Email.make(address) }
      const tagOf = (replies: ReadonlyArray<Reply.Reply>) =>
        Effect.map(remove(replies, names), ({ answer }) => Either.merge(answer)._tag)
      expect(yield* tagOf([gone({ message })])).toBe(first)
      expect(yield* tagOf([Reply.reset, gone({ message })])).toBe(again)
    }),
  )

  it.scopedLive.each(open)("a 404 with %s, after a lost answer, is no removal", ([, reply]) =>
    Effect.gen(function* () {
      const { answer, requests } = yield* remove([Reply.empty(503), reply])
      expect(answer).toMatchObject({ left: { _tag: "NotFound", repeated: true } })
      expect(requests).toHaveLength(2)
    }),
  )
})
