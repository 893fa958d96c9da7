/** Every import stays in its layer, and a planted one that does not is found. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { describe, expect, it } from "vitest"
import { circles, dependencyViolations, violations } from "../layers.mjs"
import { members, root } from "../workspace.mjs"

const pathOf = (path) => relative(root, path).split(sep).join("/")

const sources = members.flatMap(({ folder }) =>
  ["src", "test", "examples", "size"]
    .map((name) => join(folder, name))
    .filter(existsSync)
    .flatMap((path) => readdirSync(path, { recursive: true }).map((name) => join(path, name)))
    .filter((path) => /\.m?ts$|\.mjs$/.test(path))
    .map((path) => ({ file: pathOf(path), text: readFileSync(path, "utf8") })),
)

describe("the repository", () => {
  it("has no import that leaves its layer", () => {
    expect(sources.length).toBeGreaterThan(500)
    expect(violations(sources)).toEqual([])
  })

  it("has no dependency that leaves its tier", () => {
    const manifests = members.map(({ folder, manifest }) => ({ folder: pathOf(folder), manifest }))
    expect(dependencyViolations(manifests)).toEqual([])
  })

  it("has a module for each name of an index, so that each can be imported alone", () => {
    const names = sources
      .filter(({ file }) => file.endsWith("/src/index.ts"))
      .flatMap(({ text }) => [...text.matchAll(/^export \* as (\w+) from "(.*)"$/gm)])
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter(([, name, to]) => to !== `./${name}.js`)).toEqual([])
  })

  it("has no circle of imports in the command, not even with types and lazy imports", () => {
    expect(circles(sources)).toEqual([])
  })
})

const plant = (file, statement) => violations([{ file, text: `/** Planted. */\n${statement}\n` }])

const from = (specifier) => `import * as Imported from "${specifier}"`

describe("an import that leaves its tier is found", () => {
  it.each([
    ["packages/core-http/src/X.ts", from("@vigil/health-client/HealthClient")],
    ["packages/core-http/src/X.ts", from("@vigil/paging/Paging")],
    ["packages/core-http/src/X.ts", from("effect")],
    ["packages/core-http/src/X.ts", from("../../paging/src/Paging.js")],
    ["packages/oauth/src/X.ts", from("@vigil/health-client/HealthClient")],
    ["packages/paging/src/X.ts", from("@vigil/core-http/Link")],
    ["packages/paging/src/X.ts", from("effect/http/HttpClient")],
    ["packages/health-client/src/X.ts", from("@vigil/appmgmt-client/AppManagement")],
    ["packages/health-client/src/X.ts", from("@vigil/core-http/internal/body")],
    ["packages/health-client/src/X.ts", from("@vigil/core-http")],
    ["packages/health-client/src/X.ts", from("@vigil/sandbox/Sandbox")],
    ["packages/health-client/src/X.ts", from("@effect/platform-node/NodeHttpClient")],
    ["packages/health-client/src/X.ts", 'import type { Fleet } from "@vigil/health-fleet/Fleet"'],
    ["packages/health-client/src/X.ts", 'export * from "@vigil/health-fleet/Fleet"'],
    ["packages/health-client/src/X.ts", 'import "@vigil/health-fleet/Fleet"'],
    ["packages/health-client/src/X.ts", 'const load = () => import("@vigil/health-fleet/Fleet")'],
    ["packages/health-client/src/X.ts", 'type X = import("@vigil/health-fleet/Fleet").Options'],
    ["packages/health-client/src/X.ts", 'import {\n  a,\n  b,\n} from "@vigil/health-fleet/Fleet"'],
    ["packages/sandbox/src/X.ts", from("@vigil/health-client/HealthClient")],
    ["packages/health-schema/src/X.ts", from("@vigil/core-http/Link")],
    ["packages/core-http/src/X.ts", from("@vigil/health-text/SafeText")],
    ["packages/health-text/src/X.ts", from("@vigil/core-http/PlainText")],
    ["packages/health-text/src/X.ts", from("@vigil/health-report/Verdict")],
    ["packages/notify/src/X.ts", from("@vigil/health-report/Verdict")],
    ["packages/health-report/src/X.ts", from("node:crypto")],
    ["packages/health-report/src/X.ts", from("@vigil/core-http/Link")],
    ["packages/health-report/src/X.ts", from("@vigil/health-client/HealthClient")],
    ["packages/health-verdict/src/X.ts", from("@vigil/health-report/Snapshot")],
    ["packages/health-client/test/X.test.ts", from("@vigil/health-verdict/Assessment")],
    ["packages/notify/src/X.ts", from("@vigil/health-client/Watch")],
    ["packages/health-fleet/src/X.ts", from("@effect/sql-pg/PgClient")],
    ["packages/health-tools/src/X.ts", from("@vigil/notify/Sink")],
    ["packages/health-schema/test/X.test.ts", from("@vigil/core-http/Link")],
    ["packages/health-client/test/X.test.ts", from("@vigil/health-fleet/Fleet")],
    ["packages/health-client/examples/x.ts", from("@vigil/recipes/X")],
    ["apps/cli/src/X.ts", from("@vigil/testing/HttpStack")],
    ["packages/unknown/src/X.ts", from("effect/Effect")],
  ])("%s: %s", (file, statement) => {
    expect(plant(file, statement)).toHaveLength(1)
  })

  it("also in a manifest", () => {
    const manifest = { devDependencies: { "@vigil/health-fleet": "workspace:^", "@vigil/sandbox": "workspace:^" } }
    expect(dependencyViolations([{ folder: "packages/paging", manifest }])).toHaveLength(1)
  })
})

describe("an import that its folder of the command does not allow is found", () => {
  it.each([
    ["flags/X.ts", from("../output/Output.js")],
    ["output/X.ts", 'import type { Settings } from "../settings/Settings.js"'],
    ["connection/X.ts", 'const load = () => import("../auth/Login.js")'],
    ["apps/X.ts", from("../events/shared/Lists.js")],
    ["notify/X.ts", from("../events/Show.js")],
    ["events/shared/X.ts", from("../list/List.js")],
    ["events/list/X.ts", from("../watch/Watch.js")],
    ["serve/X.ts", from("../mcp/Server.js")],
    ["fleet/X.ts", from("../Commands.js")],
    ["unknown/X.ts", from("../flags/Flag.js")],
  ])("%s: %s", (file, statement) => {
    expect(plant(`apps/cli/src/${file}`, statement)).toHaveLength(1)
  })

  it("unless it may be lazy", () => {
    expect(plant("apps/cli/src/serve/X.ts", 'const load = () => import("../mcp/Server.js")')).toEqual([])
  })
})

it("finds circles of files and of folders", () => {
  const file = (name, to) => ({ file: `apps/cli/src/${name}.ts`, text: `import type { X } from "${to}"\n` })
  expect(circles([file("a/A", "./B.js"), file("a/B", "./A.js")])).toHaveLength(1)
  expect(circles([file("a/A", "../b/B.js"), file("b/C", "../a/D.js")])).toEqual(["a → b → a"])
})
