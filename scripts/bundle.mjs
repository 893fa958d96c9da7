/** Typical uses of the packages, bundled as an application would (minified, gzipped), and how many bytes that takes. */
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { join } from "node:path"
import { root } from "./workspace.mjs"

/** What is bundled, in which package's place, and how many bytes it may take: as a whole, and of ours. */
export const uses = [
  {
    name: "health-schema: decode a page",
    place: "packages/health-schema",
    code: `
      import * as EventsPage from "@vigil/health-schema/EventsPage"
      import * as Either from "effect/Either"
      console.log(Either.getOrThrow(EventsPage.decode("2025-05-01")(JSON.parse(process.argv[2]))).items.length)`,
    limit: 61_500,
    ownLimit: 4_400,
  },
  {
    name: "paging: every item of a list",
    place: "packages/paging",
    code: `
      import * as Page from "@vigil/paging/Page"
      import * as Paging from "@vigil/paging/Paging"
      import * as Effect from "effect/Effect"
      import * as Stream from "effect/Stream"
      const next = (from) => Effect.succeed(from < 9 ? Page.withNext([from], from + 1) : Page.last([from]))
      Effect.runPromise(Stream.runForEach(Paging.items({ first: 0, next }), (item) => Effect.log(item)))`,
    limit: 59_000,
    ownLimit: 1_610,
  },
  {
    name: "core-http: a GET with retries",
    place: "packages/core-http",
    code: `
      import * as Credential from "@vigil/core-http/Credential"
      import * as Decoder from "@vigil/core-http/Decoder"
      import * as RetryPolicy from "@vigil/core-http/RetryPolicy"
      import * as ServiceClient from "@vigil/core-http/ServiceClient"
      import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
      import * as Effect from "effect/Effect"
      import * as Schema from "effect/Schema"
      const Profile = Schema.Struct({ name: Schema.String })
      ServiceClient.make({
        service: "profiles",
        baseUrl: "https://service.example",
        credential: Credential.none,
        retry: RetryPolicy.make({ retries: 5 }),
      }).pipe(
        Effect.flatMap((service) =>
          service.get({ operation: "profile", url: service.url("/user"), decode: Decoder.fromSchema(Profile) }),
        ),
        Effect.flatMap(({ name }) => Effect.log(name)),
        Effect.scoped,
        Effect.provide(FetchHttpClient.layer),
        Effect.runPromise,
      )`,
    limit: 93_500,
    ownLimit: 9_800,
  },
  {
    name: "health-client: the events of a subscription",
    place: "packages/health-client",
    code: `
      import * as Credential from "@vigil/core-http/Credential"
      import * as HealthClient from "@vigil/health-client/HealthClient"
      import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
      import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
      import * as Effect from "effect/Effect"
      import * as Redacted from "effect/Redacted"
      import * as Stream from "effect/Stream"
      const credential = Credential.bearer(Redacted.make(process.argv[2]))
      HealthClient.HealthClient.pipe(
        Effect.flatMap((health) =>
          Stream.runForEach(health.listBySubscription(SubscriptionId.SubscriptionId.make("s1")), ({ name }) =>
            Effect.log(name),
          ),
        ),
        Effect.provide(HealthClient.layer({ baseUrl: "https://health.example", credential })),
        Effect.provide(FetchHttpClient.layer),
        Effect.runPromise,
      )`,
    limit: 108_000,
    ownLimit: 24_300,
  },
  {
    name: "appmgmt-client: a user, and the removal of one",
    place: "packages/appmgmt-client",
    code: `
      import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
      import * as AppName from "@vigil/appmgmt-client/AppName"
      import * as Email from "@vigil/appmgmt-client/Email"
      import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
      import * as Effect from "effect/Effect"
      import * as Redacted from "effect/Redacted"
      AppManagement.AppManagement.pipe(
        Effect.flatMap((apps) =>
          Effect.flatMap(apps.user, ({ email }) =>
            apps.removeUser(AppName.make("contoso", "shop"), Email.make(email)),
          ),
        ),
        Effect.provide(AppManagement.layer({ baseUrl: "https://apps.example", apiToken: Redacted.make(process.argv[2]) })),
        Effect.provide(FetchHttpClient.layer),
        Effect.runPromise,
      )`,
    limit: 97_500,
    ownLimit: 12_900,
  },
]

/** Code as one bundle, and how many bytes that takes, minified and gzipped. */
const bundle = async ({ code, place }, options = {}) => {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: join(root, place), loader: "js" },
    bundle: true,
    format: "esm",
    minify: true,
    platform: "node",
    write: false,
    ...options,
  })
  const [{ contents, text }] = outputFiles
  return { size: gzipSync(contents, { level: 9 }).byteLength, text }
}

const external = ["effect", "effect/*", "@effect/*"]

/** Whatever a bundle takes of effect, and nothing else. */
const effectOf = (text) => {
  const modules = [...text.matchAll(/import\*as (\w+) from"([^"]+)"/g)].flatMap(([, name, path]) =>
    Array.from(text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g")), ([, used]) => `${used} from ${path}`),
  )
  const named = [...text.matchAll(/import\{([^}]+)\}from"([^"]+)"/g)].flatMap(([, names, path]) =>
    names.split(",").map((name) => `${name.split(" as ")[0]} from ${path}`),
  )
  return [...new Set([...modules, ...named])]
    .map((use, index) => use.replace(/^(\w+) from (.+)$/, `export { $1 as used${index} } from "$2"`))
    .join("\n")
}

/** The bytes of a use: the whole bundle, ours without effect, and effect without ours. */
export const measure = async (use) => {
  const [whole, own, told] = await Promise.all([
    bundle(use),
    bundle(use, { external }),
    bundle(use, { external, minify: false, minifySyntax: true, minifyWhitespace: true }),
  ])
  const effect = await bundle({ ...use, code: effectOf(told.text) })
  return { ...use, whole: whole.size, own: own.size, effect: effect.size }
}
