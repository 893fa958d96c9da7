/** The routes file of notifications: reads it, and makes its sinks. */
import * as Routes from "@vigil/notify/Routes"
import * as Sinks from "@vigil/notify/Sinks"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as BoundedFile from "../../files/BoundedFile.js"
import * as Flag from "../../flags/Flag.js"
import { UsageError } from "../../flags/UsageError.js"
import * as Secrets from "../../settings/Secrets.js"
import type { SubscriptionNames } from "../../settings/SubscriptionNames.js"

const value = Flag.text("file")

export const flag = Flag.optional(value, "Send notifications as configured in this routes file")

export const argument = { ...value, description: "Routes file (YAML or JSON)" }

/** Turns names of subscriptions into IDs, which notifications have. */
export const withIds = (routes: Routes.Routes, { idOf }: SubscriptionNames): Routes.Routes => ({
  ...routes,
  routes: routes.routes.map((route) => {
    const { subscription } = route.match ?? {}
    return subscription === undefined
      ? route
      : { ...route, match: { ...route.match, subscription: Arr.ensure(subscription).map(idOf) } }
  }),
})

/** The distinct IDs and names of subscriptions that routes match. */
export const subscriptions = ({ routes }: Routes.Routes): ReadonlyArray<string> =>
  Arr.dedupe(routes.flatMap(({ match }) => Arr.ensure(match?.subscription ?? [])))

/** The variables of the environment that contain the secrets of the sinks. */
const variables = ({ sinks }: Routes.Routes): ReadonlyArray<string> =>
  Object.values(sinks)
    .flatMap((sink): ReadonlyArray<string | { readonly env?: string }> => Object.values(sink))
    .flatMap((field) => (typeof field === "object" && field.env !== undefined ? [field.env] : []))

/** Reads routes, and declares the variables of their secrets. Fails with a `UsageError` that lists all mistakes with their lines. */
export const read = Effect.fnUntraced(function* (file: string) {
  const text = yield* BoundedFile.readGiven(file, "The routes file", "Check the path.")
  const routes = yield* Effect.mapError(
    Effect.fromResult(Routes.parse(text)),
    ({ mistakes }) =>
      new UsageError(
        `The routes file ${JSON.stringify(file)} has mistakes: ${mistakes
          .map(({ column, line, path, reason }) => `line ${line}:${column} ${path || "the document"} ${reason}`)
          .join("; ")}.`,
      ),
  )
  Secrets.declare(variables(routes))
  return routes
})

export const inOneLine = ({ message }: Error): string => message.replace(":\n", ": ").replaceAll("\n", "; ")

/** Makes the sinks of the routes. Their secrets are read from the environment and from files. */
export const sinks = (routes: Routes.Routes) =>
  Effect.mapError(Sinks.make(routes), (error) => new UsageError(inOneLine(error)))
