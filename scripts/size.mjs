/**
 * `pnpm size`: bundles a typical use of a package as an application would (minified, gzipped), prints its size, and holds
 * it to a limit. What is a package's own is told apart from what effect brings.
 */
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { join } from "node:path"
import { root } from "./workspace.mjs"

/** What is bundled, in which package's place, and how many bytes it may take, minified and gzipped. */
const uses = [
  {
    name: "health-schema: decode a page",
    place: "packages/health-schema",
    code: `
      import * as EventsPage from "@vigil/health-schema/EventsPage"
      import * as Either from "effect/Either"
      console.log(Either.getOrThrow(EventsPage.decode("2025-05-01")(JSON.parse(process.argv[2]))).items.length)`,
    limit: 62_000,
    ownLimit: 4_500,
  },
]

/** The size of a bundle, in bytes, minified and gzipped; `external` is left out of it. */
const size = async ({ code, place }, external = []) => {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: join(root, place), loader: "js" },
    bundle: true,
    external,
    format: "esm",
    minify: true,
    platform: "node",
    write: false,
  })
  return gzipSync(outputFiles[0].contents, { level: 9 }).byteLength
}

const measured = await Promise.all(
  uses.map(async (use) => ({ ...use, whole: await size(use), own: await size(use, ["effect", "effect/*"]) })),
)
for (const { limit, name, own, ownLimit, whole } of measured)
  console.log(
    `${whole <= limit && own <= ownLimit ? "ok  " : "FAIL"} ${name}: ${whole} bytes (limit ${limit}), of which ours ${own} (limit ${ownLimit})`,
  )
process.exit(measured.every(({ limit, own, ownLimit, whole }) => whole <= limit && own <= ownLimit) ? 0 : 1)
