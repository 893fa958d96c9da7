/**
 * Facts that several documents state, each with its source: numbers of clients, operations, tools, packages and sinks, the default API version,
 * names of errors, sizes, figures, and what runs where. `contradictions` compares documents with them. A new fact is a function here, and a
 * sentence that breaks it in its test.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { libraries, published, readManifest, root } from "./workspace.mjs"

const unless = (isStated, problem) => (isStated ? [] : [problem])
const read = (...path) => readFileSync(join(root, ...path), "utf8")
const modulesOf = (folder) => readdirSync(join(folder, "src")).filter((name) => name.endsWith(".ts"))
const matches = (text, pattern) => [...text.matchAll(pattern)]

const words = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split(" ")
const several = {
  both: 2,
  second: 2,
  third: 3,
  ...Object.fromEntries(words.slice(2).map((word, index) => [word, index + 2])),
}
const numberOf = (word) => several[word.toLowerCase()] ?? Number(word)
const number = `(${Object.keys(several).join("|")}|\\d+)`

/** A fact that a pattern finds. The first group of the pattern must be what `accepts` accepts. */
const claim =
  (pattern, accepts, truth, { except } = {}) =>
  ({ file, text }) =>
    except?.test(file)
      ? []
      : matches(text, pattern).flatMap(([quote, found]) => (accepts(found) ? [] : [`“${quote.trim()}”, but ${truth}`]))

const count = (noun, total, source, options) =>
  claim(
    new RegExp(`\\b${number} ${noun}\\b`, "gi"),
    (word) => numberOf(word) === total,
    `${source} has ${total}`,
    options,
  )

const clients = libraries
  .filter(({ manifest }) => manifest.name.endsWith("-client"))
  .flatMap(({ folder }) => modulesOf(folder).map((name) => readFileSync(join(folder, "src", name), "utf8")))
  .filter((text) => /^export class \w+ extends Context\.Service/m.test(text) && /^export const layerTest\b/m.test(text))

const { paths } = JSON.parse(read("packages/testing/src/health-2025-05-01.json"))
const operations = Object.values(paths).flatMap((path) =>
  Object.keys(path).filter((key) => /^(get|post|put|delete|patch)$/.test(key)),
)

const tools = matches(
  /Toolkit\.make\(([^)]*)\)/.exec(read("packages/health-tools/src/HealthTools.ts"))[1],
  /\w+\.tool\b/g,
)

const sinks = matches(read("packages/notify/src/internal/routesSchema.ts"), /\bsink\("(\w+)"/g).map(([, name]) => name)
const sink = "(?:(?:a |signed )?(?:Slack|Teams|PagerDuty|Alertmanager|webhooks?))"
/** A list of three sinks or more has all. */
const listsSinks = claim(
  new RegExp(`(${sink}(?:(?:, and|,| and| or)\\s+${sink}){2,})`, "g"),
  (list) => sinks.every((name) => list.toLowerCase().includes(name)),
  `there are ${sinks.join(", ")}`,
)

const [, defaultVersion] = /defaultVersion = "(.*?)"/.exec(read("packages/health-schema/src/internal/versions.ts"))

const [, maxPolls] = /maxPolls = (\d+)/.exec(read("apps/cli/src/serve/Readiness.ts"))

const kilobytes = Math.ceil(
  Number.parseInt(
    JSON.parse(read("packages/health-client/.size-limit.json")).find(({ ignore }) => ignore !== undefined).limit,
  ) / 1000,
)

/** Scripts of the repository, which users of the packages do not have. */
const scripts = Object.keys(readManifest(root).scripts).join("|")
const forContributors =
  /^(README|CONTRIBUTING|docs\/(architecture|releases|benchmarks\/|decisions\/)|packages\/(interop|recipes|testing)\/)/

/** What no document may say differently. */
const claims = [
  count("clients?", clients.length, "the code", { except: /^packages\/interop\// }),
  count("operations", operations.length, "the OpenAPI document"),
  claim(/\b(other operations)\b[^.]*official client/g, () => false, "the client has all operations"),
  claim(
    /\bserves (?:(\w+) )?tools (?:for|by)\b/g,
    (word = "") => numberOf(word) === tools.length,
    `the toolkit has ${tools.length}`,
  ),
  count("packages", published.length, "the workspace", { except: /^docs\/decisions\// }),
  listsSinks,
  claim(/\bof our (\d+) KB/g, (size) => Number(size) === kilobytes, `.size-limit.json says ${kilobytes}`),
  claim(
    /`(\d{4}-\d\d-\d\d)` by default/g,
    (version) => version === defaultVersion,
    `the default API version is ${defaultVersion}`,
  ),
  claim(/\bmore than (\w+) polls ago/g, (word) => numberOf(word) === Number(maxPolls), `Readiness.ts has ${maxPolls}`),
  claim(
    /\b(not recent if|ready while[^.]*recent)\b/g,
    () => false,
    "a server is ready when a list was read, whatever its age",
  ),
  claim(
    /Node\.js [\d.]+ or newer (and for browsers)/g,
    () => false,
    "only some packages run in browsers: see docs/recipes/browser.md",
  ),
  claim(/\b(server|VM|machine|site|app) `web-1`/gi, () => false, "resources of several types have this name"),
  claim(
    new RegExp(`((?:pnpm|npm run) (?:${scripts})\\b)`, "g"),
    () => false,
    "users have no scripts of the repository",
    {
      except: new RegExp(`${forContributors.source}|^apps/cli/README`),
    },
  ),
]

/** Errors of the clients and of what they are built on. */
const errorsOf = (...names) =>
  libraries
    .filter(({ manifest }) => names.includes(manifest.name.replace("@vigil/", "")))
    .flatMap(({ folder }) => modulesOf(folder).map((name) => readFileSync(join(folder, "src", name), "utf8")))
    .flatMap((text) => matches(text, /TaggedError<[^>]*>\(\)\(\s*"(\w+)"/g).map(([, tag]) => tag))
const mentions = (tags) => (text) =>
  tags.flatMap((tag) => unless(text.includes(`\`${tag}\``), `\`${tag}\` is missing.`))

/** CPU time against the limit, by client, of the first table of the results. */
const race = new Map(
  matches(read("docs/benchmarks/README.md").split("### A list of 10,000")[0], /^\| (\S.*?) +\| (\d+\.\d+) ×/gm).map(
    ([, name, ratio]) => [name, Number(ratio)],
  ),
)
const own = [...race].flatMap(([name, ratio]) => (name.startsWith("Vigil,") ? [ratio] : []))
const figures = [
  `${race.get("official client").toFixed(1)} times undici`,
  `${Math.min(...own).toFixed(1)} to ${Math.max(...own).toFixed(1)} times undici`,
]

/** The packages of the workspace that npm must find to install one: the same tarballs. */
const needs = (name, found = new Set()) => {
  const { dependencies = {} } = published.find(({ manifest }) => manifest.name === name).manifest
  for (const one of Object.keys(dependencies).filter((one) => one.startsWith("@vigil/") && !found.has(one)))
    needs(one, found.add(one))
  return found
}
const short = (name) => name.replace("@vigil/", "")
const installs = (text) =>
  libraries.flatMap(({ manifest: { name } }) => {
    const all = [...needs(name)].map(short).toSorted().join(", ")
    const row = new RegExp(`^\\| ${short(name)} +\\| ${all} +\\|$`, "m")
    return unless(all === "" || row.test(text), `${short(name)} also needs ${all}.`)
  })

const node = readManifest(root).engines.node.replace(">=", "Node.js ")
const sectionOf = (text, heading) => text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ""

/** What one document must say. */
const duties = {
  "README.md": (text) => [
    ...published.flatMap(({ manifest: { name } }) =>
      unless(text.includes(`| [\`${name}\`]`), `${name} is in no row of the packages.`),
    ),
    ...unless(text.includes(`[below ${kilobytes} KB][size]`), `.size-limit.json of the client says ${kilobytes} KB.`),
    ...figures.flatMap((one) => unless(text.includes(` ${one}`), `the benchmarks say ${one}.`)),
    ...installs(sectionOf(text, "Installing")),
    ...unless(sectionOf(text, "Installing").includes(node), `the section on installing does not say ${node}.`),
  ],
  "docs/troubleshooting.md": mentions(
    errorsOf("appmgmt-client", "core-http", "health-client", "health-fleet", "notify", "oauth", "paging"),
  ),
  "docs/concepts/errors.md": mentions(errorsOf("appmgmt-client", "core-http", "health-client", "paging")),
}

/** Compares documents, each with `file` and `text`, with the facts. */
export const contradictions = (documents) =>
  documents
    .map((document) => ({ ...document, text: document.text.replaceAll(/\n(?!\n|[|#>`-])/g, " ") }))
    .flatMap((document, index) =>
      [...claims.flatMap((check) => check(document)), ...(duties[document.file]?.(documents[index].text) ?? [])].map(
        (problem) => `${document.file}: ${problem}`,
      ),
    )
