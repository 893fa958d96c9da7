/**
 * Checks `deploy/kubernetes`, as Kustomize resolves it: properties by the TypeScript types of Kubernetes, values by its schemas, and that each selector
 * matches. Checks the units of `deploy/systemd`. Checks that commands and variables of both exist. Needs kubectl 1.21 or newer, systemd and a build.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { parseAllDocuments } from "yaml"
import { commandVersion, need, root, run, scratch } from "./workspace.mjs"

const vigil = (...args) => need(process.execPath, [join(root, "apps/cli/dist/bin.js"), ...args])
const folder = join(root, "deploy/kubernetes")
const objects = ["serve", "serve-notifications", "fleet", "example"].flatMap((name) =>
  parseAllDocuments(need("kubectl", ["kustomize", join(folder, name)])).map((document) => document.toJS()),
)

/** A module that validates each object. tsc rejects unknown properties in it, which the schemas allow. */
const packages = { "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator" }
const lines = objects.flatMap(({ apiVersion, kind, ...fields }, index) => {
  // Kustomize wraps Base64, which Kubernetes accepts.
  const literal = JSON.stringify(fields).replaceAll("\\n", "")
  return [
    `import { ${kind} as Kind${index} } from "${packages[apiVersion] ?? "kubernetes-models"}/${apiVersion}"`,
    `export const validate${index} = () => new Kind${index}(${literal}).validate()`,
  ]
})
const place = scratch("manifests")
const file = join(place, "manifests.mts")
symlinkSync(join(root, "node_modules"), join(place, "node_modules"))
writeFileSync(file, lines.join("\n"))
need("tsc", ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", file])
const validations = await import(file)

const problems = []
for (const [index, { kind, metadata }] of objects.entries())
  try {
    validations[`validate${index}`]()
  } catch ({ message }) {
    problems.push(`${kind} ${metadata.name}: ${message}`)
  }

const pods = objects.filter(({ kind }) => kind === "Deployment").map(({ spec }) => spec.template)
/** A ServiceMonitor selects services, and the others select pods. */
const labels = {
  pods: pods.map(({ metadata }) => metadata.labels),
  services: objects.filter(({ kind }) => kind === "Service").map(({ metadata }) => metadata.labels),
}
const selectors = {
  Deployment: ({ selector }) => selector.matchLabels,
  NetworkPolicy: ({ podSelector }) => podSelector?.matchLabels,
  PodDisruptionBudget: ({ selector }) => selector.matchLabels,
  Service: ({ selector }) => selector,
  ServiceMonitor: ({ selector }) => selector.matchLabels,
}
for (const { kind, metadata, spec } of objects) {
  const targets = kind === "ServiceMonitor" ? labels.services : labels.pods
  if (kind in selectors && !targets.some((target) => isDeepStrictEqual(selectors[kind](spec) ?? {}, target)))
    problems.push(`${kind} ${metadata.name} selects nothing.`)
}

/** Finds flags of a command line that its command does not have. */
const checkFlags = (words) => {
  const isFlag = (word) => word.startsWith("-")
  const end = words.findIndex(isFlag)
  const command = words.slice(0, end === -1 ? undefined : end)
  const help = vigil(...command, "--help")
  for (const flag of words.filter(isFlag))
    if (!help.includes(`  ${flag} `)) problems.push(`vigil ${command.join(" ")} has no flag ${flag}.`)
}
const image = `ghcr.io/vigil-effect/vigil:${commandVersion()}`
for (const { spec } of pods) {
  const [{ args, image: found }] = spec.containers
  checkFlags(args)
  if (found !== image) problems.push(`${found} is not the image of this version, ${image}.`)
}

const settings = readFileSync(join(root, "docs/recipes/settings.md"), "utf8")
const routes = readFileSync(join(folder, "example/routes.yaml"), "utf8")
for (const { data = {} } of objects.filter(({ kind }) => kind === "Secret"))
  for (const name of Object.keys(data))
    if (!settings.includes(`\`${name}`) && !routes.includes(`env: ${name} `))
      problems.push(`No setting is called ${name}.`)
vigil("notify", "check", join(folder, "example/routes.yaml"), "--sandbox")

// A root with the units, with those of this machine that they refer to, and with a program to start.
const system = join(scratch("units"), "root")
cpSync("/usr/lib/systemd/system", join(system, "usr/lib/systemd/system"), { recursive: true, verbatimSymlinks: true })
cpSync(join(root, "deploy/systemd"), join(system, "etc/systemd/system"), { recursive: true })
mkdirSync(join(system, "usr/bin"))
writeFileSync(join(system, "usr/bin/vigil"), "#!/bin/sh\n", { mode: 0o755 })
const units = readdirSync(join(root, "deploy/systemd")).filter((name) => name.endsWith(".service"))
const { output } = run("systemd-analyze", ["--root", system, "--man=no", "verify", ...units])
problems.push(...output.split("\n").filter((line) => /vigil-\w*\.service/.test(line)))
// The exposure is at most 2 of 10.
for (const unit of units)
  need("systemd-analyze", ["--root", system, "--offline=yes", "--threshold=20", "security", unit])
for (const unit of units) {
  const [, line] = /^ExecStart=\/usr\/bin\/vigil (.*)$/m.exec(readFileSync(join(root, "deploy/systemd", unit), "utf8"))
  checkFlags(line.split(" "))
}

for (const problem of problems) console.error(problem)
console.log(`${objects.length} objects of Kubernetes and ${units.length} units checked.`)
process.exit(problems.length === 0 ? 0 : 1)
