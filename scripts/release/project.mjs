/** Blank projects, in which one of our packages is installed as its README says: alone, from a registry. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { pnpm, readManifest, root, run } from "../workspace.mjs"

/** What of ours is installed beside a package: what it stands on by docs/architecture.md. The command is a bundle. */
const beside = {
  "@vigil/appmgmt-client": ["@vigil/core-http"],
  "@vigil/cli": [],
  "@vigil/core-http": [],
  "@vigil/health-client": ["@vigil/core-http", "@vigil/health-schema", "@vigil/paging"],
  "@vigil/health-schema": [],
  "@vigil/paging": [],
  "@vigil/sandbox": ["@vigil/health-schema"],
}

const { catalog, catalogs } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))

/** The tools that a blank project of a TypeScript programmer has, in our versions. */
const tools = ["typescript", "@types/node"].map((name) => `${name}@${catalog[name]}`)

/** A word of a README, with a peer in the newest version that is allowed in place of the one that it names, if that is asked for. */
const orNewest = (word) => {
  const [, name] = /^(@?[^@]+)@/.exec(word) ?? []
  const range = catalogs.peers[name]
  return process.argv.includes("--newest") && range !== undefined ? `${name}@${range}` : word
}

/** What the README says to install, word by word; globally is here, too, in the project. */
const words = ({ folder, manifest }) => {
  const [, all] =
    /```sh\n(?:npm pkg .*\n)?npm install (.*)\n```/.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? []
  if (all === undefined) throw new Error(`${manifest.name}: its README does not say how to install it.`)
  return all
    .split(" ")
    .filter((word) => word !== "--global")
    .map(orNewest)
}

/** The two installers: how each is called, what it may not complain of, and where it lists what it has installed. */
export const installers = {
  npm: {
    install: (args, cache, cwd) =>
      run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", `--cache=${cache}`, ...args], { cwd }),
    complains: /ERESOLVE/,
    installed: (folder) =>
      Object.keys(JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")).packages).map(
        (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      ),
  },
  pnpm: {
    install: (args, cache, cwd) => pnpm(["add", "--prefer-offline", `--config.cache-dir=${cache}`, ...args], { cwd }),
    complains: /unmet peer|missing peer|Issues with peer/,
    installed: (folder) =>
      readdirSync(join(folder, "node_modules/.pnpm")).map((entry) => entry.replace("+", "/").replace(/(?<=.)@.*/, "")),
  },
}

/** Makes a blank project and installs a package there. */
export const blankProject = (place, installer, member, npmrc) => {
  const { complains, install } = installers[installer]
  const folder = join(place, `${member.manifest.name.replace("@vigil/", "")}-${installer}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  writeFileSync(join(folder, ".npmrc"), npmrc)
  // An earlier registry may have stood at the same port: what is remembered of it has to stay out of this one.
  const { printed, status } = install([...words(member), ...tools], join(place, `cache-${installer}`), folder)
  const installed = status === 0 && !complains.test(printed)
  return { folder, installer, installed, printed, member }
}

/** What is wrong with our packages that are there: one too many, one too few, another version, or no changelog of it. */
export const wrongPackages = ({ folder, installer, member }, versions) => {
  const { name } = member.manifest
  const expected = [name, ...(beside[name] ?? ["a line in the table of what is beside it"])].toSorted()
  const all = installers[installer].installed(folder).filter((found) => found.startsWith("@vigil/"))
  const found = [...new Set(all)].toSorted()
  const own = join(folder, "node_modules", name)
  const { version } = readManifest(own)
  const changelog = readFileSync(join(own, "CHANGELOG.md"), "utf8")
  return [
    ...(found.join() === expected.join() ? [] : [`installed are ${found.join(", ")}, not ${expected.join(", ")}`]),
    ...(version === versions.get(name) ? [] : [`its version is ${version}, not ${versions.get(name)}`]),
    ...(changelog.startsWith(`# ${name}\n\n## ${version}\n\n### `)
      ? []
      : [`its changelog begins with another version`]),
  ]
}
