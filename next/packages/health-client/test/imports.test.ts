/** The modules that an application loads with the client. */
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { expect, it } from "@effect/vitest"

/** The modules of this package that a module loads at run time, including itself. */
const modulesOf = (url: URL, found = new Set<string>()): ReadonlySet<string> => {
  found.add(basename(url.pathname, ".ts"))
  const source = readFileSync(url, "utf8")
  for (const [, path = ""] of source.matchAll(/^(?:import|export) (?!type\b)[^"]*?from "(\..*?)\.js"$/gm)) {
    const next = new URL(`${path}.ts`, url)
    if (!found.has(basename(next.pathname, ".ts"))) modulesOf(next, found)
  }
  return found
}

it.each([
  ["HealthClient", /watch|poll|change|sweep|oauth|withdetails/i, ["items", "operations"]],
  ["Sweep", /watch|poll|change|oauth/i, ["HealthClient"]],
  ["Watch", /sweep|oauth/i, ["HealthClient", "poll"]],
] as const)("%s does not load modules that it does not need", (name, others, needed) => {
  const modules = [...modulesOf(new URL(`../src/${name}.ts`, import.meta.url))]
  expect(modules).toEqual(expect.arrayContaining([...needed]))
  expect(modules.filter((module) => others.test(module))).toEqual([])
})
