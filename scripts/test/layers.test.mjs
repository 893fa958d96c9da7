/** Shows that the linter rejects imports that leave their tier: its allow lists are negated patterns, which are easy to get wrong. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root, run, scratch } from "../workspace.mjs"

const forbidden = [
  ["core-http", "@vigil/health-client/HealthClient"],
  ["core-http", "@vigil/paging/Paging"],
  ["core-http", "@vigil/oauth/OAuthImplicit"],
  ["oauth", "@vigil/health-client/HealthClient"],
  ["paging", "@vigil/core-http/Link"],
  ["health-client", "@vigil/appmgmt-client/AppManagement"],
  ["appmgmt-client", "@vigil/health-client/HealthClient"],
  ["health-client", "@vigil/sandbox/Sandbox"],
  ["health-client", "@vigil/core-http/internal/body"],
  ["health-client", "@effect/platform-node/NodeHttpClient"],
  ["sandbox", "@vigil/health-client/HealthClient"],
  ["health-schema", "@vigil/core-http/Link"],
  ["core-http", "@vigil/health-text/SafeText"],
  ["health-text", "@vigil/core-http/PlainText"],
  ["health-text", "@vigil/health-report/Verdict"],
  ["notify", "@vigil/health-report/Verdict"],
  ["health-report", "node:crypto"],
  ["health-report", "@vigil/core-http/Link"],
  ["notify", "@vigil/health-client/Watch"],
  ["health-client", "@vigil/health-fleet/Fleet"],
  ["health-fleet", "@effect/sql-pg/PgClient"],
  ["health-tools", "@vigil/notify/Sink"],
  ["health-tools", "@effect/platform-node/NodeStdio"],
]
const allowed = [
  ["health-client", "@vigil/core-http/Link"],
  ["health-client", "@vigil/paging/Paging"],
  ["oauth", "@vigil/core-http/Credential"],
  ["health-report", "@vigil/health-schema/HealthEvent"],
  ["health-report", "@vigil/health-text/Labels"],
  ["notify", "@vigil/core-http/ServiceClient"],
  ["notify", "@vigil/health-text/PlainHtml"],
  ["sandbox", "@vigil/health-schema/HealthEvent"],
  ["health-fleet", "@vigil/notify/Sink"],
  ["health-fleet", "effect/sql/SqlClient"],
  ["health-tools", "@vigil/health-client/Watch"],
  ["health-tools", "effect/ai/Tool"],
]

/** Lints an empty repository that has one file for each import. Returns the files with errors. */
const lint = (imports) => {
  const folder = scratch("layers")
  cpSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  for (const [index, [name, specifier]] of imports.entries()) {
    mkdirSync(join(folder, `packages/${name}/src`), { recursive: true })
    writeFileSync(join(folder, `packages/${name}/src/X${index}.ts`), `export * as Imported from "${specifier}"\n`)
  }
  const { diagnostics } = JSON.parse(run("oxlint", ["--format=json", "packages"], { cwd: folder }).stdout)
  return diagnostics.filter(({ code }) => code.includes("no-restricted-imports")).map(({ filename }) => filename)
}

it("reports each import that leaves its tier, and no other import", () => {
  const expected = forbidden.map(([name], index) => `packages/${name}/src/X${index}.ts`)
  expect(lint([...forbidden, ...allowed]).toSorted()).toEqual(expected.toSorted())
})
